package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
)

// threadState is a thread as one pass works with it: turns are read when they
// are needed.
type threadState struct {
	id      model.ThreadID
	dir     threadDir
	last    int // number of the newest turn, 0 when there is none
	turns   map[int]*turnFile
	recover func(n int) *turnFile // stands in for a local file that is damaged
	held    map[int]bool          // of a thread without a folder: the turns that refs tell of
	looked  *seenFile             // nil until it is read

	pruningRead bool
	unfinished  *pruning // use pruning()

	newestHere bool                // the thread has the newest turn of its work tree; for prune alone
	onBranch   map[model.ID]string // where records lie that have no ref of their own; for prune alone
}

func loadThread(id model.ThreadID, dir threadDir, recover func(n int) *turnFile) (*threadState, error) {
	last, err := dir.last()
	if err != nil {
		return nil, err
	}
	return &threadState{id: id, dir: dir, last: last, turns: map[int]*turnFile{}, recover: recover}, nil
}

// turn returns turn n, nil when there is none.
func (s *threadState) turn(n int) (*turnFile, error) {
	if t, ok := s.turns[n]; ok || s.dir.path == "" {
		return t, nil
	}
	t, err := s.dir.turn(n)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !s.held[n]:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errLost):
		t = s.recover(n)
	case err != nil:
		return nil, model.Failf(err, "cannot read turn %d", n)
	case t.Turn.Thread != s.id:
		return nil, sharedFolder(s.id, t.Turn.Thread)
	}
	s.turns[n] = t
	return t, nil
}

// sharedFolder says that the folders of two threads are one: names in base64url
// that differ in case alone are the same to file systems that fold case, and so
// are the refs. What was recorded first stays.
func sharedFolder(id, other model.ThreadID) error {
	return model.Errorf(model.CodeFailed, "thread %q cannot be recorded here: on this file system its name in refs is the same as that of thread %q", id, other).
		WithHint("the file system folds case; give the thread another id")
}

func (s *threadState) add(t *turnFile) {
	s.last = max(s.last, t.Turn.Number)
	s.turns[t.Turn.Number] = t
}

// each goes through the turns from the newest on until yield says stop.
func (s *threadState) each(yield func(*turnFile) (more bool)) error {
	for n := s.last; n > 0; n-- {
		t, err := s.turn(n)
		if err != nil {
			return err
		}
		if t != nil && !yield(t) {
			return nil
		}
	}
	return nil
}

// openTurn returns the open turn, nil when none is. Only turns made aside may be
// newer than it.
func (s *threadState) openTurn() (found *turnFile, err error) {
	err = s.each(func(t *turnFile) bool {
		if t.open() {
			found = t
		}
		return t.Aside && found == nil
	})
	return found, err
}

// newest returns the newest turn that is not made aside, else the newest, else nil.
func (s *threadState) newest() (found *turnFile, err error) {
	err = s.each(func(t *turnFile) bool {
		if found == nil || !t.Aside {
			found = t
		}
		return t.Aside
	})
	return found, err
}

// byID returns the newest turn with the agent's key id, nil when there is none
// among the last idDepth turns: an event that comes later than that is not one of
// ours, and a long thread must not cost every hook a file a turn.
func (s *threadState) byID(id string) (found *turnFile, err error) {
	const idDepth = 8
	looked := 0
	err = s.each(func(t *turnFile) bool {
		if t.Turn.TurnID == id {
			found = t
		}
		looked++
		return found == nil && looked < idDepth
	})
	return found, err
}

// target is the turn that an event belongs to which names turn id, or none: the
// one with that id, else the open one, else the newest. Late events of tools find
// the turn that they ran in, and none opens one.
func (s *threadState) target(id string) (*turnFile, error) {
	if id != "" {
		if t, err := s.byID(id); err != nil || t != nil {
			return t, err
		}
	}
	if t, err := s.openTurn(); err != nil || t != nil {
		return t, err
	}
	return s.newest()
}

// inWorkTree names the thread that a conversation is in a second work tree. An id
// that would grow too long is cut and told apart by a digest.
func inWorkTree(id model.ThreadID, workTree string) model.ThreadID {
	suffix := "@" + workTree
	if len(id)+len(suffix) <= model.MaxThreadID {
		return id + model.ThreadID(suffix)
	}
	sum := sha256.Sum256([]byte(string(id) + suffix))
	digest := "~" + hex.EncodeToString(sum[:8])
	if room := model.MaxThreadID - len(digest) - len(suffix); room > 0 {
		return id[:min(room, len(id))] + model.ThreadID(digest+suffix)
	}
	return model.ThreadID(digest)
}

// here finds the thread of this work tree that conversation id is; false when it
// has none here yet.
func (l *Ledger) here(id model.ThreadID) (model.ThreadID, bool) {
	for _, name := range []model.ThreadID{id, inWorkTree(id, l.d.Repo.WorkTree)} {
		if dirOf(l.d.Repo.StateDir(), name).exists() {
			return name, true
		}
	}
	if name := l.goneOnAs(id); name != "" {
		return name, true
	}
	return "", false
}

// settleName decides which thread conversation id is in this work tree, and makes
// its folder. Making it first and looking at the others afterwards means that of
// two work trees which meet a conversation at the same time at most one keeps the
// bare id.
func (l *Ledger) settleName(ctx context.Context, id model.ThreadID) (name model.ThreadID, fresh bool, err error) {
	if name, ok := l.here(id); ok {
		return name, false, nil
	}
	dir := dirOf(l.d.Repo.StateDir(), id)
	durable.Point("ledger.settlename.mkdir")
	if err := os.MkdirAll(dir.path, 0o700); err != nil {
		return "", false, localFailure(err, dir.path)
	}
	foreign, err := l.elsewhere(ctx, id)
	if err != nil {
		return "", false, err
	}
	if !foreign {
		return id, true, nil
	}
	durable.Point("ledger.settlename.remove")
	if err := os.Remove(dir.path); err != nil {
		return "", false, localFailure(err, dir.path)
	}
	name = inWorkTree(id, l.d.Repo.WorkTree)
	dir = dirOf(l.d.Repo.StateDir(), name)
	durable.Point("ledger.settlename.mkdir")
	if err := os.MkdirAll(dir.path, 0o700); err != nil {
		return "", false, localFailure(err, dir.path)
	}
	return name, true, nil
}

// elsewhere tells whether another work tree of the repository has thread id: by
// its state folder, or, when that is gone, by who made the baseline.
func (l *Ledger) elsewhere(ctx context.Context, id model.ThreadID) (bool, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return false, err
	}
	for _, d := range dirs {
		if filepath.Clean(d.Dir) != filepath.Clean(l.d.Repo.StateDir()) && dirOf(d.Dir, id).exists() {
			return true, nil
		}
	}
	commit, err := l.d.Refs.Read(ctx, endRef(id, 0))
	if err != nil {
		return false, err
	}
	if commit == "" {
		return false, nil
	}
	origin, ok := l.originOf(ctx, commit, id, 0)
	return ok && origin.workTree != l.d.Repo.WorkTree, nil
}
