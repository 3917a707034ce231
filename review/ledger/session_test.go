package ledger_test

import (
	"os"
	"path/filepath"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

// A conversation that was opened again and given no prompt yet is open, whatever became of
// the program of its newest turn.
func TestAConversationThatWasOpenedAgain(t *testing.T) {
	b := newBench(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	gone, here := model.Process{PID: 1 << 30, Started: "1"}, ledger.ProcessOf(os.Getpid())
	_, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, Agent: "gemini", Prompt: "do it", PID: gone})
	must(err)
	_, err = b.l.End(t.Context(), ledger.EndEvent{Thread: th})
	must(err)
	is := func(wanted model.Process) {
		t.Helper()
		st, err := b.l.Standing(t.Context(), th)
		must(err)
		want(t, "process", st.Process, wanted)
	}
	is(gone)
	opened := func(thread model.ThreadID, p model.Process) {
		t.Helper()
		must(b.l.SessionStart(t.Context(), ledger.SessionEvent{Thread: thread, Agent: "gemini", PID: p}))
	}
	opened(th, here)
	is(here)
	opened(th, model.Process{}) // of one that cannot be told nothing is noted
	is(here)
	opened(th, model.Process{PID: 1 << 30, Started: "2"})
	is(gone)
	opened(th, here)
	opened("nobody", here) // of a conversation without a turn here nothing is kept
	files, err := filepath.Glob(filepath.Join(b.repo.StateDir(), "ledger", "*", "session.json"))
	must(err)
	want(t, "files", len(files), 1)
	must(os.WriteFile(files[0], []byte("{"), 0o600))
	is(gone)
}
