//go:build linux || darwin

package rollback_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/ledger"
	"overturn/rollback"
)

// talker is an agent whose conversation is a file with a line a turn, by turn id.
type talker struct {
	newID   string // under which the conversation goes on
	lost    bool   // it let the turns go by itself: none of them is there
	file    string
	forever bool  // Restore puts nothing back
	more    int   // prompts that were not recorded
	refuse  error // Check
	fail    error // Rollback
	deaf    error // Rollback, behind what it did
	dropped int   // calls of Rollback that did something
}

func (*talker) Name() string                               { return "talker" }
func (*talker) Parse(agents.Payload) (agents.Event, error) { return agents.Event{}, nil }
func (*talker) Capability() agents.Capability {
	return agents.Capability{Supported: true, How: "lines go"}
}
func (a *talker) lines() []string {
	data, _ := os.ReadFile(a.file)
	return strings.Fields(string(data))
}
func (a *talker) write(lines []string) error {
	return os.WriteFile(a.file, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

func (a *talker) Check(_ context.Context, _ agents.Runner, t agents.Talk) (agents.Standing, error) {
	return agents.Standing{Done: len(a.lines()) == len(t.Keep), Turns: max(0, len(a.lines())-len(t.Keep)), More: a.more}, a.refuse
}

func (a *talker) Rollback(_ context.Context, _ agents.Runner, t agents.Talk) (agents.TalkDone, error) {
	if a.fail != nil || a.lost {
		return agents.TalkDone{Session: t.Session, Note: "none was there"}, a.fail
	}
	var keep, drop []string
	for _, one := range t.Keep {
		keep = append(keep, one.TurnID)
	}
	for _, one := range t.Drop {
		drop = append(drop, one.TurnID)
	}
	done := agents.TalkDone{Session: t.Session, Turns: len(drop), Mark: strings.Join(drop, " "), NewID: a.newID, Note: "lines went"}
	switch got := strings.Join(a.lines(), " "); got {
	case strings.Join(keep, " "):
		return done, nil
	case strings.Join(append(append([]string{}, keep...), drop...), " "):
	default:
		return done, fmt.Errorf("the file has %q", got)
	}
	if err := os.WriteFile(filepath.Join(t.Keepsakes, "copy"), []byte(done.Mark), 0o600); err != nil {
		return done, err
	}
	a.dropped++
	return done, errors.Join(a.write(keep), a.deaf)
}

func (a *talker) Restore(_ context.Context, _ agents.Runner, _ agents.Talk, d agents.TalkDone) (string, error) {
	if a.forever {
		return "they cannot come back", nil
	}
	if got := strings.Join(a.lines(), " "); strings.HasSuffix(got, d.Mark) {
		return "the lines are there", nil
	}
	return "the lines came back", a.write(append(a.lines(), strings.Fields(d.Mark)...))
}

// talked is a world with three turns of the talker, which has said as much.
func talked(t *testing.T) (*world, *talker) {
	t.Helper()
	w := newWorld(t)
	a := &talker{file: filepath.Join(t.TempDir(), "talk")}
	w.talks = a
	w.Write("mine", "user\n")
	for n := 1; n <= 3; n++ {
		w.said(a, fmt.Sprint(n), func() {
			w.Write("file", fmt.Sprintf("turn %d\n", n))
			w.Write(fmt.Sprintf("new%d", n), "new\n")
		})
	}
	return w, a
}

func (w *world) said(a *talker, id string, work func()) {
	w.t.Helper()
	_, err := w.ledger.Start(w.t.Context(), ledger.StartEvent{Thread: "t1", Agent: "talker", TurnID: id, Prompt: "do " + id})
	w.must(err)
	work()
	w.must(a.write(append(a.lines(), id)))
	_, err = w.ledger.End(w.t.Context(), ledger.EndEvent{Thread: "t1", TurnID: id})
	w.must(err)
}

func (w *world) planRevert(to int) (rollback.RevertOptions, *rollback.RevertPlan) {
	w.t.Helper()
	o := rollback.RevertOptions{Thread: "t1", To: to}
	p, err := w.engine.PlanRevert(w.t.Context(), o)
	w.must(err)
	o.Expect = p.Fingerprint
	return o, p
}

// numbers is the turns of the thread, and those that are out.
func (w *world) numbers() string {
	w.t.Helper()
	list := func(turns []model.Turn, err error) string {
		if err != nil && model.CodeOf(err) != model.CodeUsage {
			w.t.Fatal(err)
		}
		text := ""
		for _, t := range turns {
			text += fmt.Sprint(t.Number)
			if t.Status != model.StatusReady {
				text += string(t.Status)
			}
		}
		return text
	}
	in, err := w.ledger.Turns(w.t.Context(), "t1", 0)
	text := list(in, err)
	out, err := w.ledger.Reverted(w.t.Context(), "t1")
	return text + "|" + list(out, err)
}

func (w *world) refNames(below string) string {
	w.t.Helper()
	all, err := w.refs.List(w.t.Context(), "refs/overturn/"+below)
	w.must(err)
	var names []string
	for _, r := range all {
		parts := strings.Split(r.Name, "/")
		names = append(names, strings.Join(parts[len(parts)-2:], "/"))
	}
	return strings.Join(names, " ")
}

func (w *world) is(what, got, want string) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("%s: %q, want %q", what, got, want)
	}
}
