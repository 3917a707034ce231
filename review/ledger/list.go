package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/model"
)

// threadsIn lists the threads that a state folder holds.
func threadsIn(d gitops.StateDir) ([]model.Thread, error) {
	entries, err := os.ReadDir(ledgerDir(d.Dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, model.Failf(err, "cannot list the threads of work tree %s", d.WorkTree)
	}
	var list []model.Thread
	for _, e := range entries {
		id, err := model.ThreadFromRefPart(e.Name())
		if err != nil || !e.IsDir() {
			continue
		}
		t, ok, err := threadRow(threadDir{filepath.Join(ledgerDir(d.Dir), e.Name())}, id, d.WorkTree)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, t)
		}
	}
	return list, nil
}

// threadRow is one row; false for a thread without turns.
func threadRow(dir threadDir, id model.ThreadID, workTree string) (model.Thread, bool, error) {
	last, err := dir.last()
	if err != nil || last == 0 {
		return model.Thread{}, false, err
	}
	info := dir.thread()
	row := model.Thread{ID: id, Agent: info.Agent, WorkTree: workTree, Title: info.Title, Turns: last, Source: model.SourceLocal}
	if t, err := dir.turn(last); err == nil {
		row.LastAt = lastAt(t.Turn)
		row.Agent = or(row.Agent, t.Turn.Agent)
		row.Title = or(row.Title, titleOf(t.Turn.Prompt))
	}
	return row, true, nil
}

func lastAt(t model.Turn) time.Time {
	if t.CompletedAt != nil {
		return *t.CompletedAt
	}
	return t.StartedAt
}

// allThreads lists the threads of every work tree, the newest first.
func (l *Ledger) allThreads(ctx context.Context) ([]model.Thread, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	var list []model.Thread
	for _, d := range dirs {
		rows, err := threadsIn(d)
		if err != nil {
			return nil, err
		}
		list = append(list, rows...)
	}
	rows, err := l.behindRows(ctx, dirs)
	if err != nil {
		return nil, err
	}
	list = append(list, rows...)
	slices.SortStableFunc(list, func(a, b model.Thread) int { return b.LastAt.Compare(a.LastAt) })
	return list, nil
}

// find returns a thread for reading: by its name in whatever work tree, also one that is
// gone, else the one that the conversation is in this work tree.
func (l *Ledger) find(ctx context.Context, thread model.ThreadID) (*threadState, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	own := gitops.StateDir{WorkTree: l.d.Repo.WorkTree, Dir: l.d.Repo.StateDir()}
	for _, name := range []model.ThreadID{thread, inWorkTree(thread, l.d.Repo.WorkTree)} {
		for _, d := range append([]gitops.StateDir{own}, dirs...) {
			if !dirOf(d.Dir, name).exists() {
				continue
			}
			th, err := l.load(ctx, d.Dir, name)
			if err != nil || th.last > 0 {
				return th, err
			}
		}
		if th, err := l.behind(ctx, name); err != nil || th != nil {
			return th, err
		}
	}
	return nil, model.Usagef("there is no thread %q", thread).WithHint("`overturn threads` lists them")
}

// window is which turns of a thread are meant: those with numbers from one to another (0:
// the newest), and of these the newest limit (0: all).
type window struct{ from, to, limit int }

// turns lists turns, oldest first; without their lists if bare.
func (l *Ledger) turns(ctx context.Context, thread model.ThreadID, s window, bare bool) ([]model.Turn, error) {
	th, err := l.find(ctx, thread)
	if err != nil {
		return nil, err
	}
	var files []*turnFile
	if s.to <= 0 || s.to > th.last {
		s.to = th.last
	}
	for n := s.to; n >= max(s.from, 1) && (s.limit <= 0 || len(files) < s.limit); n-- {
		t, err := th.turn(n)
		if err != nil {
			return nil, err
		}
		if t != nil { // or taken out by a revert meanwhile, or lost
			files = append(files, t)
		}
	}
	slices.Reverse(files)
	held, err := l.heldRefs(ctx, files...)
	if err != nil {
		return nil, err
	}
	list := make([]model.Turn, 0, len(files))
	for _, t := range files {
		seen, err := l.viewWith(th, t, held, bare)
		if err != nil {
			return nil, err
		}
		list = append(list, seen)
	}
	return list, nil
}

func (l *Ledger) turn(ctx context.Context, thread model.ThreadID, n int) (*threadState, *turnFile, error) {
	th, err := l.find(ctx, thread)
	if err != nil {
		return nil, nil, err
	}
	t, err := th.turn(n)
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		return nil, nil, model.Usagef("thread %q has no turn %d", th.id, n).
			WithHint("its newest turn is %d; `overturn turns --thread %s` lists them", th.last, th.id.Word())
	}
	return th, t, nil
}

// heldRefs reads what the refs of the turns' boundaries hold.
func (l *Ledger) heldRefs(ctx context.Context, turns ...*turnFile) (map[string]string, error) {
	var names []string
	for _, t := range turns {
		for _, b := range []*model.Boundary{t.Turn.Start, t.Turn.End} {
			if b != nil {
				names = append(names, b.Ref)
			}
		}
	}
	held, err := l.d.Refs.Values(ctx, names)
	if err != nil {
		return nil, model.Failf(err, "cannot look up the snapshots")
	}
	return held, nil
}

func (l *Ledger) view(ctx context.Context, th *threadState, t *turnFile, bare bool) (model.Turn, error) {
	held, err := l.heldRefs(ctx, t)
	if err != nil {
		return model.Turn{}, err
	}
	return l.viewWith(th, t, held, bare)
}

// viewWith is a turn as it is shown: with the effects journalled so far, and with
// a status that is true now. A snapshot that is gone is said, not hidden.
func (l *Ledger) viewWith(th *threadState, t *turnFile, held map[string]string, bare bool) (model.Turn, error) {
	if !bare {
		th.fill(t)
	}
	turn := t.Turn
	if bare {
		sum := t.Sum
		if turn.Files != nil {
			sum = model.SumOf(turn.Files)
		}
		turn = brief(turn)
		turn.Sum = sum
	}
	if t.open() {
		lines, _, err := th.dir.evidence(turn.Number)
		if err != nil {
			return model.Turn{}, err
		}
		turn.Effects = effectsOf(lines)
	}
	for _, b := range []*model.Boundary{turn.Start, turn.End} {
		if b == nil || held[b.Ref] == b.Commit || turn.Status != model.StatusReady {
			continue
		}
		turn.Status, turn.StatusReason = model.StatusMissing, "its snapshot is gone: "+b.Ref+" is not there"
		if at := th.prunedAt(t, b.Ref); at != nil {
			turn.StatusReason = prunedReason(*at)
		}
		if held[b.Ref] != "" {
			turn.Status, turn.StatusReason = model.StatusError, b.Ref+" holds another value ("+held[b.Ref]+") than was recorded"
		}
	}
	return turn, nil
}

// resolve finds a thread by its whole name or a unique prefix.
func (l *Ledger) resolve(ctx context.Context, name string) (model.ThreadID, error) {
	if _, err := model.ParseThreadID(name); err != nil {
		return "", err
	}
	if th, err := l.find(ctx, model.ThreadID(name)); err == nil {
		return th.id, nil
	}
	all, err := l.allThreads(ctx)
	if err != nil {
		return "", err
	}
	var found []model.ThreadID
	for _, t := range all {
		if strings.HasPrefix(string(t.ID), name) {
			found = append(found, t.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", l.noThread(name)
	case 1:
		return found[0], nil
	}
	return "", model.Usagef("%q is the beginning of %d threads, among them %q and %q", name, len(found), found[0], found[1]).
		WithHint("give more of the id")
}

// defaultThread is the thread with the newest turn in this work tree.
func (l *Ledger) defaultThread(ctx context.Context) (model.ThreadID, error) {
	if s := l.readState(); s.Thread != "" {
		if _, err := dirOf(l.d.Repo.StateDir(), s.Thread).turn(s.Turn); err == nil {
			return s.Thread, nil
		}
	}
	rows, err := threadsIn(gitops.StateDir{WorkTree: l.d.Repo.WorkTree, Dir: l.d.Repo.StateDir()})
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		if rows, err = l.ownBehind(ctx); err != nil {
			return "", err
		}
	}
	if len(rows) == 0 {
		return "", l.noThreads()
	}
	return slices.MaxFunc(rows, func(a, b model.Thread) int { return a.LastAt.Compare(b.LastAt) }).ID, nil
}

// openTurns lists the open turns of this work tree.
func (l *Ledger) openTurns(ctx context.Context) ([]model.Turn, error) {
	var list []model.Turn
	for _, of := range l.marked(markOpen) {
		t, err := dirOf(l.d.Repo.StateDir(), of.Thread).turn(of.Turn)
		if err == nil && t.open() {
			list = append(list, t.Turn)
		}
	}
	return list, ctx.Err()
}
