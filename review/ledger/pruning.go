package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
)

const pruningName = "pruning.json"

// pruning is pruning.json of a thread: the refs that a prune is about to let go, by
// turn. It is there from before the first of them moves until their turns say that
// they were pruned, so that at every point what is said of a turn follows from its
// refs: while they are there nothing has happened to it, and when one is gone the
// prune took it. What a killed prune leaves the next one settles.
type pruning struct {
	At   time.Time        `json:"at"`
	Refs map[int][]string `json:"refs"`
}

func (d threadDir) pruningPath() string { return filepath.Join(d.path, pruningName) }

// pruning is what a prune of the thread has not brought to its end; nil: nothing. It
// is read once.
func (s *threadState) pruning() *pruning {
	if s.dir.path != "" && !s.pruningRead {
		s.pruningRead = true
		var p pruning
		if data, err := durable.ReadFile(s.dir.pruningPath()); err == nil && json.Unmarshal(data, &p) == nil {
			s.unfinished = &p
		}
	}
	return s.unfinished
}

// prunedAt is when the ref of a turn was let go, nil when no prune did. The ref is
// not there.
func (s *threadState) prunedAt(t *turnFile, ref string) *time.Time {
	if t.Pruned != nil {
		return t.Pruned
	}
	p := s.pruning()
	if p == nil {
		return nil
	}
	for _, list := range p.Refs {
		if slices.Contains(list, ref) {
			return &p.At
		}
	}
	return nil
}

// beginPruning writes down what is about to go. It is on the disk before a ref moves.
func (s *threadState) beginPruning(gone []*turnFile, updates []refs.Update, now time.Time) error {
	moves := make(map[string]bool, len(updates))
	for _, u := range updates {
		moves[u.Name] = true
	}
	p := pruning{At: now, Refs: map[int][]string{}}
	for _, t := range gone {
		if t.Pruned == nil {
			p.Refs[t.Turn.Number] = slices.DeleteFunc(refsOf(t), func(name string) bool { return !moves[name] })
		}
	}
	if err := writeJSON(s.dir.pruningPath(), p, true); err != nil {
		return err
	}
	s.unfinished, s.pruningRead = &p, true
	return durable.SyncDir(s.dir.path)
}

// finishPruning has the turns say that they were pruned whose refs went, and removes
// the local files that only a comparison needs.
func (l *Ledger) finishPruning(ctx context.Context, th *threadState) error {
	p := th.pruning()
	if p == nil {
		return nil
	}
	var names []string
	for _, list := range p.Refs {
		names = append(names, list...)
	}
	held, err := l.d.Refs.Values(ctx, names)
	if err != nil {
		return err
	}
	folders := map[string]bool{}
	for n, list := range p.Refs {
		stays := func(name string) bool { return held[name] != "" }
		if len(list) > 0 && !slices.ContainsFunc(list, func(name string) bool { return !stays(name) }) {
			continue // nothing of it went
		}
		if err := l.finishTurn(th, n, p.At); err != nil {
			return err
		}
		folders[filepath.Dir(th.dir.turnPath(n))] = true
	}
	for dir := range folders { // what the turns say is on the disk before what says it for them goes
		if err := durable.SyncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return localFailure(err, dir)
		}
	}
	durable.Point("prune.turns.done")
	if err := os.Remove(th.dir.pruningPath()); err != nil && !os.IsNotExist(err) {
		return localFailure(err, th.dir.pruningPath())
	}
	th.unfinished = nil
	return nil
}

func (l *Ledger) finishTurn(th *threadState, n int, at time.Time) error {
	t, err := th.turn(n)
	if err != nil || t == nil {
		return err
	}
	if t.Pruned == nil {
		t.Pruned = &at
		durable.Point("prune.turns.said")
		if err := th.dir.notePruned(t); err != nil {
			return err
		}
	}
	for _, path := range []string{th.dir.evidencePath(n), th.dir.listsPath(n)} {
		durable.Point("prune.turns.remove")
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return localFailure(err, path)
		}
	}
	return nil
}

// carryOut is the writing half of pruneThread.
func (l *Ledger) carryOut(ctx context.Context, th *threadState, gone []*turnFile, updates []refs.Update) error {
	local := th.dir.path != ""
	if local {
		if err := th.beginPruning(gone, updates, l.d.Clock().UTC()); err != nil {
			return err
		}
	}
	durable.Point("prune.turns.noted")
	var refused error
	for some := range slices.Chunk(updates, pruneBatch) {
		if err := l.d.Refs.Apply(ctx, some); err != nil {
			refused = model.Failf(err, "cannot let go of the snapshots of thread %q", th.id).WithHint("what is gone is gone whole; prune again for the rest")
			break
		}
		durable.Point("prune.turns.refs")
	}
	if !local {
		return refused
	}
	// Interrupted or not: what went is said to be gone.
	if err := l.finishPruning(context.WithoutCancel(ctx), th); refused == nil {
		refused = err
	}
	return refused
}
