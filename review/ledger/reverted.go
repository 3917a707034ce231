package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
)

// Standing is a thread as a revert of it finds it. Conversation is the agent's own
// id of it, Process what ran the newest turn, Turns all turns without their lists,
// oldest first. Foreign is a thread of another work tree.
type Standing struct {
	Thread       model.ThreadID
	Conversation string
	Agent        string
	Foreign      bool
	Latest       int
	Open         int // number of the open turn, 0 when there is none
	Process      model.Process
	Transcript   string // where the agent keeps the conversation, "" where its hooks did not say
	Turns        []model.Turn
}

func (l *Ledger) standing(ctx context.Context, thread model.ThreadID) (Standing, error) {
	th, err := l.find(ctx, thread)
	if err != nil && l.HasReverted(string(thread)) == thread {
		th, err = l.load(ctx, l.d.Repo.StateDir(), thread) // all of its turns are out
	}
	if err != nil {
		return Standing{}, err
	}
	own := dirOf(l.d.Repo.StateDir(), th.id)
	s := Standing{Thread: th.id, Conversation: string(th.id), Latest: th.last, Foreign: th.dir.path != own.path}
	if bare := strings.TrimSuffix(string(th.id), "@"+l.d.Repo.WorkTree); bare != "" {
		s.Conversation = bare
	}
	if s.Agent = th.dir.thread().Agent; th.last == 0 {
		s.Process = th.dir.openIn(model.Process{})
		return s, nil
	}
	if s.Turns, err = l.turns(ctx, th.id, window{}, true); err != nil {
		return s, err
	}
	newest, err := th.turn(th.last)
	if err != nil || newest == nil {
		return s, err
	}
	s.Process, s.Agent = th.dir.openIn(newest.Process), or(s.Agent, newest.Turn.Agent)
	s.Conversation = or(newest.Conversation, s.Conversation)
	if newest.Transcript != nil {
		s.Transcript = newest.Transcript.Path
	}
	open, err := th.openTurn()
	if err == nil && open != nil {
		s.Open = open.Turn.Number
	}
	return s, err
}

// reverts lists the folders of turns that reverts took out, the newest first.
func (d threadDir) reverts() ([]threadDir, error) {
	entries, err := os.ReadDir(filepath.Join(d.path, revertedName))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, model.Failf(err, "cannot list the turns that reverts took out")
	}
	var list []threadDir
	for _, e := range slices.Backward(entries) {
		if _, err := model.ParseID(e.Name()); err == nil && e.IsDir() {
			list = append(list, d.revertedDir(model.ID(e.Name())))
		}
	}
	return list, nil
}

// takenOut is the turn with the agent's key id that a revert took out, the newest of
// several, nil where there is none. An event that names no turn names none of these.
func (s *threadState) takenOut(id string) (*turnFile, error) {
	if id == "" || s.dir.path == "" {
		return nil, nil
	}
	reverts, err := s.dir.reverts()
	if err != nil {
		return nil, err
	}
	for _, dir := range reverts {
		numbers, err := dir.numbers()
		if err != nil {
			return nil, err
		}
		for _, n := range slices.Backward(numbers) {
			if t, err := dir.turn(n); err == nil && t.Turn.TurnID == id {
				return t, nil
			}
		}
	}
	return nil, nil
}

// ofTakenOut tells whether an event beside the boundaries, for which no open turn was
// found, is of a turn that a revert took out: by the turn that it names, or, where it
// names none, because nothing was started since.
func (l *Ledger) ofTakenOut(th *threadState, turnID string) bool {
	if turnID == "" {
		s := l.readState()
		return s.Reverted && s.Thread == th.id
	}
	t, err := th.takenOut(turnID)
	return err == nil && t != nil
}

func (l *Ledger) takenOutBy(ctx context.Context, thread model.ThreadID, id model.ID) ([]model.Turn, error) {
	from := dirOf(l.d.Repo.StateDir(), thread).revertedDir(id)
	numbers, err := from.numbers()
	if err != nil {
		return nil, err
	}
	var list []model.Turn
	for _, n := range numbers {
		t, err := from.turn(n)
		if err != nil {
			return nil, model.Failf(err, "cannot read turn %d, which revert %s took out", n, id)
		}
		list = append(list, t.Turn)
	}
	return list, ctx.Err()
}

// resolveReverted finds a thread of this work tree of which nothing but turns that
// were taken out is left: by its whole id, or by a prefix that only one has.
func (l *Ledger) resolveReverted(name string) (found []model.ThreadID) {
	entries, err := os.ReadDir(ledgerDir(l.d.Repo.StateDir()))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		id, err := model.ThreadFromRefPart(e.Name())
		if err != nil || !strings.HasPrefix(string(id), name) {
			continue
		}
		reverts, err := dirOf(l.d.Repo.StateDir(), id).reverts()
		if err != nil || len(reverts) == 0 {
			continue
		}
		if string(id) == name {
			return []model.ThreadID{id}
		}
		found = append(found, id)
	}
	return found
}

// noThreads says that this work tree has no turns, or none any more.
func (l *Ledger) noThreads() error {
	if out := l.resolveReverted(""); len(out) > 0 {
		return model.Errorf(model.CodeNoRepository, "all turns that were recorded in this work tree were taken back").
			WithHint("`overturn turns --reverted --thread %s` lists them, `overturn undo` takes the last revert back", out[0].Word())
	}
	return model.Errorf(model.CodeNoRepository, "nothing is recorded in this work tree").
		WithHint("`overturn enable` records the turns of your agents, `overturn turn start` one by hand")
}

// noThread says that no turn of the thread that name names is there, and where they are
// if reverts took them out.
func (l *Ledger) noThread(name string) error {
	if out := l.HasReverted(name); out != "" {
		return model.Usagef("all turns of thread %q were taken back", out).
			WithHint("`overturn turns --reverted --thread %s` lists them, `overturn undo` takes the last revert back", out.Word())
	}
	return model.Usagef("there is no thread %q", name).WithHint("`overturn threads` lists them")
}
