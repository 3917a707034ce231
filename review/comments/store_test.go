package comments_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review/comments"
)

type world struct {
	t     *testing.T
	store *comments.Store
	dir   string
	now   time.Time
	trace events
}

type events struct{ list []trace.Event }

func (e *events) Record(list ...trace.Event) { e.list = append(e.list, list...) }

type counting struct{ n byte }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = c.n
	}
	return len(p), nil
}

func newWorld(t *testing.T) *world {
	r := gittest.New(t)
	repo := r.Open()
	w := &world{t: t, dir: repo.StateDir(), now: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)}
	clock := func() time.Time { w.now = w.now.Add(time.Second); return w.now }
	w.store = comments.New(comments.Deps{Repo: repo, Clock: clock, IDs: model.NewIDSource(clock, &counting{}), Trace: &w.trace})
	return w
}

func (w *world) save(c model.Comment) model.Comment {
	w.t.Helper()
	saved, err := w.store.Save(context.Background(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	return saved
}

func (w *world) list() []model.Comment {
	w.t.Helper()
	list, err := w.store.List()
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func TestSaveEditDelete(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	if list := w.list(); len(list) != 0 {
		t.Fatalf("at first: %v", list)
	}
	if _, err := os.Stat(w.dir); !os.IsNotExist(err) {
		t.Errorf("looking made %s: %v", w.dir, err)
	}
	odd := model.Comment{Path: "a\xff.go", Text: "  why\nso?  ", Scope: "2", Turn: 2, Thread: "T",
		Anchor: model.Anchor{Kind: model.AnchorLines, From: 3, To: 3, Quote: "caf\xe9"}}
	first := w.save(odd)
	second := w.save(model.Comment{Path: "b", Text: "two", Anchor: model.Anchor{Kind: model.AnchorFile}})
	list := w.list()
	if len(list) != 2 || list[0].Text != "why\nso?" || list[0].Path != odd.Path || list[0].Anchor != odd.Anchor || list[1].ID != second.ID || first.ID == second.ID {
		t.Fatalf("kept: %+v", list)
	}
	first.Text = "other"
	if w.save(first); w.list()[0].Text != "other" {
		t.Errorf("changed: %+v", w.list()[0])
	}
	for name, c := range map[string]model.Comment{"no text": {Path: "x", Text: " \n"}, "too long": {Path: "x", Text: strings.Repeat("x", 1<<15)}, "not there": {ID: "01none", Path: "x", Text: "x"}} {
		if _, err := w.store.Save(ctx, c); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.store.Delete(ctx, first.ID, "01none"); model.CodeOf(err) != model.CodeUsage || len(w.list()) != 2 {
		t.Errorf("one of two is not there: %v, %d are left", err, len(w.list()))
	}
	if err := w.store.Delete(ctx, first.ID); err != nil || len(w.list()) != 1 {
		t.Errorf("deleted: %v, %d are left", err, len(w.list()))
	}
}

// Comments of several processes at once are all kept.
func TestSeveralAtOnce(t *testing.T) {
	w := newWorld(t)
	fixed := func() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) }
	ids := model.NewIDSource(fixed, &counting{})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			one := comments.New(comments.Deps{Repo: w.store.Repo, Clock: fixed, IDs: ids, Trace: trace.Discard{}})
			if _, err := one.Save(context.Background(), model.Comment{Path: "p", Text: "t"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(w.list()); n != 20 {
		t.Errorf("%d of 20 are kept", n)
	}
}

func TestDamagedList(t *testing.T) {
	w := newWorld(t)
	w.save(model.Comment{Path: "p", Text: "t"})
	file := filepath.Join(w.dir, "comments.json")
	for _, text := range []string{"{", `{"version":2,"comments":[]}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := w.store.List(); err == nil || model.HintOf(err) == "" {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := w.store.Save(context.Background(), model.Comment{Path: "p", Text: "t"}); err == nil {
			t.Errorf("%s: it was overwritten", text)
		}
	}
}

func (w *world) ask(thread model.ThreadID, about ...model.ID) comments.HandOver {
	w.t.Helper()
	h, err := w.store.Ask(context.Background(), comments.HandOver{Thread: thread, Agent: "codex", Text: "please", Comments: about, TakenBack: []model.ID{"01back"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

func (w *world) tell(thread model.ThreadID, say func(comments.HandOver) error) (*comments.HandOver, error) {
	return w.store.Tell(context.Background(), model.Told{At: w.now, Agent: "codex", Thread: thread, Turn: 4}, say)
}

// It is said once, to the thread it is for, and the comments know of it until they
// are changed.
func TestTell(t *testing.T) {
	w := newWorld(t)
	said := 0
	say := func(h comments.HandOver) error {
		if said++; h.Text != "please" {
			t.Errorf("said %q", h.Text)
		}
		return nil
	}
	if h, err := w.tell("T", say); h != nil || err != nil || said != 0 {
		t.Fatalf("nothing waits: %v, %v", h, err)
	}
	one, two := w.save(model.Comment{Path: "p", Text: "t"}), w.save(model.Comment{Path: "q", Text: "u"})
	w.ask("T", one.ID, two.ID)
	w.ask("T", one.ID) // in place of what waited
	if h, err := w.tell("other", say); h != nil || err != nil || said != 0 {
		t.Fatalf("to another thread: %v, %v", h, err)
	}
	if h, err := w.tell("T", say); h == nil || err != nil || said != 1 {
		t.Fatalf("told %d times: %v, %v", said, h, err)
	}
	if h, err := w.tell("T", say); h != nil || err != nil || said != 1 {
		t.Fatalf("told again: %v, %v", h, err)
	}
	list := w.list()
	if list[0].Told == nil || list[0].Told.Turn != 4 || list[1].Told != nil {
		t.Errorf("told of: %+v", list)
	}
	if back, err := w.store.ToldBack(); err != nil || !back["01back"] {
		t.Errorf("take-backs: %v, %v", back, err)
	}
	if e := w.trace.list; len(e) != 1 || e[0].Event != trace.AgentTold || e[0].Thread != "T" || e[0].Turn != 4 {
		t.Errorf("trace: %+v", e)
	}
	one.Text = "changed"
	if w.save(one); w.list()[0].Told != nil {
		t.Error("one that was changed counts as told")
	}
}

// What could not be said waits; what was claimed by a process that died counts as told.
func TestTellFails(t *testing.T) {
	w := newWorld(t)
	one := w.save(model.Comment{Path: "p", Text: "t"})
	asked := w.ask("T", one.ID)
	if h, err := w.tell("T", func(comments.HandOver) error { return errors.New("the pipe is closed") }); h != nil || err == nil {
		t.Fatalf("%v, %v", h, err)
	}
	if h, err := w.store.Waiting(); err != nil || h == nil || h.ID != asked.ID || w.list()[0].Told != nil {
		t.Fatalf("it does not wait: %v, %v", h, err)
	}
	func() {
		defer func() { recover() }()
		w.tell("T", func(comments.HandOver) error { panic("killed") })
	}()
	if h, err := w.tell("T", func(comments.HandOver) error { t.Error("said twice"); return nil }); h != nil || err != nil {
		t.Errorf("%v, %v", h, err)
	}
	if w.list()[0].Told == nil {
		t.Error("it does not count as told")
	}
}

// A link in the place of the folder of what was told is not followed: nothing is said.
func TestTellDoesNotFollowALink(t *testing.T) {
	w := newWorld(t)
	w.ask("T", "01x")
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(w.dir, "told")); err != nil {
		t.Fatal(err)
	}
	if h, err := w.tell("T", func(comments.HandOver) error { t.Error("said"); return nil }); h != nil || err == nil {
		t.Errorf("%v, %v", h, err)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
}

// What waits names the file that tells of it: another name than an id leads nowhere.
func TestTellDoesNotLeaveItsFolder(t *testing.T) {
	w := newWorld(t)
	asked := w.ask("T", "01x")
	file := filepath.Join(w.dir, "handover.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(filepath.Dir(w.dir), "mine.json")
	hostile := strings.Replace(string(data), string(asked.ID), "../../mine", 1)
	if err := errors.Join(os.WriteFile(mine, []byte("mine"), 0o600), os.WriteFile(file, []byte(hostile), 0o600)); err != nil {
		t.Fatal(err)
	}
	if h, err := w.tell("T", func(comments.HandOver) error { t.Error("said"); return nil }); h != nil || err == nil {
		t.Errorf("%v, %v", h, err)
	}
	if left, err := os.ReadFile(mine); err != nil || string(left) != "mine" {
		t.Errorf("beside the folder: %q, %v", left, err)
	}
}

func TestWithdraw(t *testing.T) {
	w := newWorld(t)
	if did, err := w.store.Withdraw(context.Background()); did || err != nil {
		t.Fatalf("%v, %v", did, err)
	}
	w.ask("T", "01x")
	if did, err := w.store.Withdraw(context.Background()); !did || err != nil {
		t.Fatalf("%v, %v", did, err)
	}
	if h, err := w.tell("T", func(comments.HandOver) error { t.Error("said"); return nil }); h != nil || err != nil {
		t.Errorf("%v, %v", h, err)
	}
	for _, h := range []comments.HandOver{{Text: "x"}, {Thread: "T"}} {
		if _, err := w.store.Ask(context.Background(), h); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%+v: %v", h, err)
		}
	}
}
