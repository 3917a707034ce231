package marks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/marks"
	"overturn/review/patch"
)

type world struct {
	t     *testing.T
	store *marks.Store
	other *marks.Store // another process
	file  string
	now   time.Time
}

func newWorld(t *testing.T) *world {
	repo := gittest.New(t).Open()
	w := &world{t: t, file: filepath.Join(repo.StateDir(), "marks"), now: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return w.now }
	w.store, w.other = marks.New(repo, clock), marks.New(repo, clock)
	return w
}

func (w *world) read(changes ...marks.Change) {
	w.t.Helper()
	if err := w.store.Read(context.Background(), changes...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) set() *marks.Set {
	w.t.Helper()
	set, err := w.other.Load()
	if err != nil {
		w.t.Fatal(err)
	}
	return set
}

const base = "package a\n\nfunc a() {\n\tone()\n\ttwo()\n\tthree()\n}\n\nfunc b() {\n\treturn\n}\n"

func hunks(path model.Path, old, now string) []marks.Change {
	d := patch.Compare([]byte(old), []byte(now), patch.Options{})
	return marks.OfHunks(path, d)
}

// Who read one of several hunks that change the same has not read the others.
func TestTwinsAreReadOneByOne(t *testing.T) {
	plain := strings.Repeat("a\nb\nc\nd\ne\nf\ng\nh\n", 3) // the same around the first two
	lines := strings.SplitAfter(plain+"other\nplace\n", "\n")
	twice := func(at ...int) string {
		l := append([]string(nil), lines...)
		for _, i := range at {
			l[i] += "\treturn err\n"
		}
		return strings.Join(l, "")
	}
	three := hunks("a.go", strings.Join(lines, ""), twice(3, 11, 25))
	if len(three) != 3 {
		t.Fatalf("%d hunks", len(three))
	}
	for one := range three {
		w := newWorld(t)
		w.read(three[one])
		for i, s := range w.set().States("a.go", three) {
			if s.Read != (i == one) || s.Was != "" {
				t.Errorf("%d was read: %d is %+v", one, i, s)
			}
		}
	}
	w := newWorld(t)
	w.read(hunks("a.go", strings.Join(lines, ""), twice(25))...)
	if s := w.set().States("a.go", three); s[0].Read || s[1].Read || s[0].Was != "" {
		t.Errorf("a twin that came later: %+v", s)
	}
}

func TestAMarkHoldsWhereverItsChangeStands(t *testing.T) {
	w := newWorld(t)
	edited := strings.Replace(base, "\ttwo()\n", "\ttwo(2)\n", 1)
	first := hunks("a.go", base, edited)
	w.read(first...)
	shifted := strings.Repeat("// more\n", 30)
	for name, now := range map[string][]marks.Change{
		"again":                 hunks("a.go", base, edited),
		"shifted on both sides": hunks("a.go", shifted+base, shifted+edited),
		"beside another change": hunks("a.go", base+shifted, edited+shifted+"end\n")[:1],
		"on other lines nearby": hunks("a.go", strings.Replace(base, "three", "drei", 1), strings.Replace(edited, "three", "drei", 1)),
	} {
		if s := w.set().States("a.go", now); len(s) != 1 || !s[0].Read {
			t.Errorf("%s: %+v", name, s)
		}
	}
	for name, now := range map[string][]marks.Change{
		"another path":     hunks("b.go", base, edited),
		"one byte differs": hunks("a.go", base, strings.Replace(edited, "two(2)", "two(3)", 1)),
		"the other way":    hunks("a.go", edited, base),
		"its end is gone":  hunks("a.go", base, strings.TrimSuffix(edited, "\n")),
		"more of the hunk": hunks("a.go", base, strings.Replace(edited, "three()", "three(3)", 1)),
	} {
		s := w.set().States(now[0].Path, now)
		if s[len(s)-1].Read {
			t.Errorf("%s counts as read: %+v", name, s)
		}
	}
}

func TestAChangedHunkComesBackWithWhatWasRead(t *testing.T) {
	w := newWorld(t)
	was := strings.Replace(base, "\ttwo()\n", "\ttwo(2)\n\tmore()\n", 1)
	w.read(hunks("a.go", base, was)...)
	now := hunks("a.go", base, strings.Replace(was, "two(2)", "two(22)", 1))
	s := w.set().States("a.go", now)
	if s[0].Read || s[0].Was != "-\ttwo()\n+\ttwo(2)\n+\tmore()\n" {
		t.Errorf("%+v", s)
	}
	short := hunks("b.go", "50\n", "fifty\n")
	w.read(short...)
	if s := w.set().States("b.go", hunks("b.go", "50\n", "fifty-one\n")); s[0].Read || s[0].Was != "-50\n+fifty\n" {
		t.Errorf("a short one: %+v", s)
	}
	strange := hunks("a.go", base, strings.Replace(base, "\treturn\n", "\tpanic(1)\n", 1))
	if s := w.set().States("a.go", strange); s[0].Read || s[0].Was != "" {
		t.Errorf("another place of the file: %+v", s)
	}
	// What is still there as it was read stands for nothing else.
	both := append(hunks("a.go", base, was), now...)
	if s := w.set().States("a.go", both); !s[0].Read || s[1].Was != "" {
		t.Errorf("%+v", s)
	}
}

func TestMarksAreTakenBackAndMadeAgain(t *testing.T) {
	w := newWorld(t)
	c := marks.OfWhole("bin\xff\nary", "100644:aa 100755:aa")
	for range 3 {
		w.read(c)
		if !w.set().Has(c.Path, c.Hash) {
			t.Fatal("not marked")
		}
		if err := w.store.Unread(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		if w.set().Len() != 0 {
			t.Fatal("still marked")
		}
	}
}

// The file stays in proportion to what it says, and old marks go.
func TestTheFileDoesNotGrowForEver(t *testing.T) {
	w := newWorld(t)
	old := marks.OfWhole("old", "1")
	w.read(old)
	w.now = w.now.Add(marks.Keep + time.Hour)
	kept := marks.OfWhole("kept", "1")
	for range 400 {
		w.read(kept)
	}
	data, err := os.ReadFile(w.file)
	if err != nil || strings.Count(string(data), "\n") > 300 {
		t.Errorf("%d lines, %v", strings.Count(string(data), "\n"), err)
	}
	if s := w.set(); !s.Has("kept", kept.Hash) || s.Has("old", old.Hash) || s.Len() != 1 {
		t.Errorf("%+v", s)
	}
}

func TestDamagedLinesArePassedOver(t *testing.T) {
	w := newWorld(t)
	c := marks.OfWhole("a", "1")
	w.read(c)
	data, err := os.ReadFile(w.file)
	if err != nil {
		t.Fatal(err)
	}
	torn := "{\"at\":\"x\"}\n\n{}\nnot json\n" + string(data) + "{\"at\":\"2026-11-30T09:00:00Z\",\"path\":\"\\\"b\\\"\",\"ha"
	if err := os.WriteFile(w.file, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	d := marks.OfWhole("d", "1")
	w.read(d)
	if s := w.set(); !s.Has("a", c.Hash) || !s.Has("d", d.Hash) || s.Len() != 2 {
		t.Errorf("%+v", s)
	}
}

func TestTwoReviewsMarkAtOnce(t *testing.T) {
	w := newWorld(t)
	var wait sync.WaitGroup
	for p, store := range []*marks.Store{w.store, w.other} {
		wait.Go(func() {
			for i := range 40 {
				if err := store.Read(context.Background(), marks.OfWhole(model.Path(fmt.Sprint(p, i)), "1"), marks.OfWhole("shared", "1")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if n := w.set().Len(); n != 81 {
		t.Errorf("%d marks, want 81", n)
	}
}

// What another review marks is news, and shows; one's own is none.
func TestMarksOfOthersAreNews(t *testing.T) {
	w := newWorld(t)
	mine, others := w.store.News(), w.other.News()
	a, b := marks.OfWhole("a", "1"), marks.OfWhole("b", "1")
	if err := w.store.Read(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if got := w.store.News(); got != mine {
		t.Errorf("one's own mark made %d news of %d", got, mine)
	}
	if got := w.other.News(); got != others+1 || w.other.News() != got {
		t.Errorf("another's mark made %d news of %d, want one more, once", got, others)
	}
	if set, err := w.other.Load(); err != nil || !set.Has("a", a.Hash) {
		t.Errorf("another's mark is not there: %v", err)
	}
	// Another's that came right before one's own is not passed over.
	if err := errors.Join(w.other.Read(t.Context(), b), w.store.Unread(t.Context(), a)); err != nil {
		t.Fatal(err)
	}
	if got := w.store.News(); got != mine+1 {
		t.Errorf("%d news of %d, want one more", got, mine)
	}
}

// Whatever the file holds, reading it ends, and marking works after it.
func FuzzFile(f *testing.F) {
	f.Add([]byte("{\"at\":\"2026-11-30T09:00:00Z\",\"path\":\"\\\"b\\\"\",\"hash\":\"1\"}\n"))
	f.Add([]byte("{\"path\":\"\\\"b\\\"\",\"hash\":\"1\",\"off\":true}\n\x00\n[]\nnull\n"))
	repo := gittest.New(f).Open()
	if err := repo.EnsureStateDir(); err != nil {
		f.Fatal(err)
	}
	c := marks.OfWhole("mine", "1")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(repo.StateDir(), "marks"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		store := marks.New(repo, time.Now)
		if err := store.Read(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		set, err := store.Load()
		if err != nil || !set.Has("mine", c.Hash) {
			t.Fatalf("%v %+v", err, set)
		}
	})
}
