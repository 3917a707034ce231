package ledger_test

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/review/ledger"
)

// talk is the file of an agent that writes what it says.
type talk struct {
	t    *testing.T
	path string
}

func newTalk(t *testing.T) *talk { return &talk{t, filepath.Join(t.TempDir(), "session.jsonl")} }

func (a *talk) say(text string) {
	a.t.Helper()
	f, err := os.OpenFile(a.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		a.t.Fatal(err)
	}
}

func (b *bench) startTold(thread model.ThreadID, id, transcript string) {
	b.t.Helper()
	if _, err := b.l.Start(b.t.Context(), ledger.StartEvent{Thread: thread, TurnID: id, Transcript: transcript}); err != nil {
		b.t.Fatal(err)
	}
}

// TestTranscriptOfATurn: from where it started to where the next one did, whole lines,
// whatever the agent had written when its hooks ran.
func TestTranscriptOfATurn(t *testing.T) {
	b := newBench(t)
	a := newTalk(t)
	b.startTold(th, "1", a.path) // the file is not there yet
	a.say("one\n")
	b.end(th, "1")
	a.say("one, late\nhalf")
	b.startTold(th, "2", a.path) // in the middle of a line, which is turn 1's
	a.say(" a line\ntwo\n")
	b.end(th, "2")
	b.startTold(th, "3", "") // an agent that tells of none
	b.end(th, "3")
	a.say("two, late\nnot yet who")
	for n, want := range map[int]string{1: "one\none, late\nhalf a line\n", 2: "two\ntwo, late\n", 3: ""} {
		got, err := b.l.Transcript(t.Context(), th, n)
		if err != nil || string(got) != want {
			t.Errorf("turn %d: %q, %v, want %q", n, got, err, want)
		}
	}
	// The mark survives what reads the turn anew.
	if got, err := onRepo(t, b.Repo, nil).l.Transcript(t.Context(), th, 2); err != nil || len(got) == 0 {
		t.Errorf("by another process: %q, %v", got, err)
	}
}

func TestTranscriptsThatCannotBeTold(t *testing.T) {
	b := newBench(t)
	a := newTalk(t)
	a.say(strings.Repeat("before\n", 100))
	b.startTold(th, "1", a.path)
	a.say("one\n")
	b.end(th, "1")
	if err := os.Truncate(a.path, 10); err != nil { // the agent took its conversation back
		t.Fatal(err)
	}
	if got, err := b.l.Transcript(t.Context(), th, 1); err == nil || !strings.Contains(err.Error(), "written anew") {
		t.Errorf("of a file that is shorter now: %q, %v", got, err)
	}
	if err := os.Remove(a.path); err != nil {
		t.Fatal(err)
	}
	if got, err := b.l.Transcript(t.Context(), th, 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file that is gone: %q, %v", got, err)
	}
	if err := os.Mkdir(a.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := b.l.Transcript(t.Context(), th, 1); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a folder: %q, %v", got, err)
	}
}

// TestATurnThatWentOn drops what its record had of an end that was not the last one.
func TestATurnThatWentOn(t *testing.T) {
	b := newBench(t)
	b.start(th, "1")
	b.Write("a.txt", "x\n")
	id := b.endByHook(th, "1").Checkpoint
	if err := b.records.Update(t.Context(), id, func(r *checkpoint.Record) error {
		r.Transcript, r.Attribution = []byte("early\n"), &checkpoint.Attribution{}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	b.endByHook(th, "1") // nothing was changed: it stays
	if rec, err := b.records.Read(t.Context(), id); err != nil || string(rec.Transcript) != "early\n" {
		t.Errorf("%v, %v", rec, err)
	}
	b.Write("a.txt", "y\n")
	b.endByHook(th, "1")
	if rec, err := b.records.Read(t.Context(), id); err != nil || rec.Transcript != nil || rec.Attribution != nil {
		t.Errorf("%v, %v", rec, err)
	}
}

// TestTheTranscriptOfTheTurnThatARevertWentBackTo: it ends where the turns began that are
// out, as it did before, also where their words still stand in the file; a turn that
// comes after the revert is not cut by them.
func TestTheTranscriptOfTheTurnThatARevertWentBackTo(t *testing.T) {
	b := newBench(t)
	a := newTalk(t)
	for n, text := range []string{"one\n", "two\n", "three\n"} {
		id := strconv.Itoa(n + 1)
		b.startTold(th, id, a.path)
		a.say(text)
		b.end(th, id)
	}
	ids := model.NewIDSource(time.Now, rand.Reader)
	id, err := ids.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.l.Revert(t.Context(), ledger.Reverting{Thread: th, To: 1, Latest: 3, ID: id}); err != nil {
		t.Fatal(err)
	}
	part := func(n int, want string) {
		t.Helper()
		if got, err := b.l.Transcript(t.Context(), th, n); err != nil || string(got) != want {
			t.Errorf("turn %d: %q, %v, want %q", n, got, err, want)
		}
	}
	part(1, "one\n")
	if err := os.Truncate(a.path, int64(len("one\n"))); err != nil { // as an agent does that cuts its file back
		t.Fatal(err)
	}
	part(1, "one\n")
	b.startTold(th, "4", a.path)
	a.say("another two, longer than what was there\n")
	b.end(th, "4")
	part(1, "one\n")
	part(2, "another two, longer than what was there\n")
}
