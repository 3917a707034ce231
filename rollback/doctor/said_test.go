//go:build linux || darwin

package doctor_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback"
)

// rolled stages the last turn and, with done, carries it out.
func (p *patient) rolled(done bool) {
	p.t.Helper()
	plan, err := p.deps.Rollback.Stage(p.t.Context(), rollback.StageRequest{Scope: model.Scope{Kind: model.ScopeLatest}})
	p.must(err)
	if done {
		_, err = p.deps.Rollback.Execute(p.t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint})
		p.must(err)
	}
}

// TestWhatIsSaidOfTheWell: states that need no repair, in the words of their check.
func TestWhatIsSaidOfTheWell(t *testing.T) {
	const rollback = "01arz3ndektsv4rrffq69g5fav"
	for what, c := range map[string]struct {
		check, detail string
		cause         func(p *patient)
	}{
		"a turn runs": {"inbox", "empty; 1 turn under way", func(p *patient) {
			_, err := p.deps.Ledger.Start(p.t.Context(), ledger.StartEvent{Thread: "T"})
			p.must(err)
		}},
		"a turn never began": {"turns", "2 turns in 2 threads; 1 turn without a snapshot, nothing is to be done: late/1", func(p *patient) {
			_, err := p.deps.Ledger.End(p.t.Context(), ledger.EndEvent{Thread: "late"})
			p.must(err)
		}},
		"something is staged":    {"staged-set", "1 path staged", func(p *patient) { p.rolled(false) }},
		"a rollback was made":    {"history", "1 rollback, each with the bytes from before and after", func(p *patient) { p.rolled(true) }},
		"a rollback never began": {"refs", "known to no list here: 1 of a rollback that never began", func(p *patient) { p.Git("update-ref", "refs/overturn/safety/"+rollback, "HEAD") }},
		"a thread has no list":   {"refs", "known to no list here: 1 of thread T2", func(p *patient) { p.Git("update-ref", "refs/overturn/threads/VDI/turn/1", "HEAD") }},
		"a flush was killed": {"storage", "1 unfinished pack of killed processes", func(p *patient) {
			name := p.Path(".git/objects/pack/tmp_pack_overturn-1")
			p.must(os.WriteFile(name, nil, 0o600))
			at := time.Now().AddDate(-1, 0, 0)
			p.must(os.Chtimes(name, at, at))
		}},
		"nothing is recorded":      {"state-folder", "is not there yet", func(p *patient) { p.must(os.RemoveAll(p.state(""))) }},
		"there is no table":        {"stat-table", "none yet", func(p *patient) { p.must(os.Remove(p.state("table"))) }},
		"a remote takes its own":   {"mirror-push", "sends none of overturn's refs", func(p *patient) { p.Git("config", "remote.odd.push", "refs/heads/*:refs/heads/*") }},
		"a fetch brings branches":  {"mirror-push", "sends none of overturn's refs", func(p *patient) { p.Git("config", "remote.odd.fetch", "+refs/*:refs/remotes/odd/*") }},
		"a remote mirrors no more": {"mirror-push", "sends none of overturn's refs", func(p *patient) { p.Git("config", "remote.odd.mirror", "false") }},
	} {
		t.Run(what, func(t *testing.T) {
			p := newPatient(t, time.Now)
			c.cause(p)
			if f := p.finding(c.check); !f.OK || f.Repair != "" || !strings.Contains(f.Detail, c.detail) {
				t.Errorf("it says %+v, want %q", f, c.detail)
			}
		})
	}
}

// TestSafetyThatMoved: a rollback whose safety snapshot is another one by now cannot be
// taken back whole; one whose ref went with a prune was let go.
func TestSafetyThatMoved(t *testing.T) {
	p := newPatient(t, time.Now)
	p.rolled(true)
	ref := p.Git("for-each-ref", "--format=%(refname)", "refs/overturn/safety")
	p.Git("update-ref", ref, "HEAD")
	p.bad("history", "cannot be taken back: 1 content no longer stored")
	p.Git("update-ref", "-d", ref)
	if f := p.finding("history"); !f.OK {
		t.Errorf("it says %+v", f)
	}
}

// TestRecordsThatWent: each turn without its record is named, and each whose record says
// nothing.
func TestRecordsThatWent(t *testing.T) {
	p := newPatient(t, time.Now)
	p.turn(2)
	list := strings.Fields(p.Git("for-each-ref", "--format=%(refname)", "refs/overturn/checkpoints"))
	if len(list) != 2 {
		t.Fatalf("there are the records %v", list)
	}
	p.Git("update-ref", list[0], "HEAD")
	p.bad("records", "cannot be read: T/")
	p.Git("update-ref", "-d", list[0])
	p.bad("records", "no record of 1 turn: T/")
}

// TestTheNewestTurnFailed: what the user has now has no snapshot, until the next turn.
func TestTheNewestTurnFailed(t *testing.T) {
	p := newPatient(t, time.Now)
	_, err := p.deps.Ledger.Start(t.Context(), ledger.StartEvent{Thread: "T"})
	p.must(err)
	index := p.Path(".git/index")
	whole, err := os.ReadFile(index)
	p.must(err)
	p.must(os.WriteFile(index, []byte("no index"), 0o644))
	p.Write("file", "more\n")
	turn, _ := p.deps.Ledger.End(t.Context(), ledger.EndEvent{Thread: "T"})
	p.must(os.WriteFile(index, whole, 0o644))
	if turn.Status != model.StatusError {
		t.Fatalf("the turn is %s: %s", turn.Status, turn.StatusReason)
	}
	p.bad("turn", "T/2: ")
	p.turn(3)
	if f := p.finding("turns"); !f.OK || !strings.Contains(f.Detail, "1 turn without a snapshot") {
		t.Errorf("it says %+v", f)
	}
}
