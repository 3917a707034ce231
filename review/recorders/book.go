package recorders

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"overturn/model"
	"overturn/review/ledger"
)

// Source is what one other program recorded in a repository.
type Source interface {
	// Name is the program, for people.
	Name() string
	// Owns tells by the prefix of its id whether a thread is of this source.
	Owns(id model.ThreadID) bool
	// Threads lists the threads, and what could not be read of them.
	Threads(ctx context.Context) ([]model.Thread, []model.RefNote, error)
	// Turns lists the turns of a thread with numbers from one to another (0: the newest),
	// oldest first (CodeUsage for a thread that is not there).
	Turns(ctx context.Context, id model.ThreadID, from, to int) ([]model.Turn, error)
	// Baseline is boundary 0 (CodeFailed where it was not captured).
	Baseline(ctx context.Context, id model.ThreadID) (model.Boundary, error)
	// Evidence is what is known of who made turn n: Gone where its start was not captured.
	Evidence(ctx context.Context, id model.ThreadID, n int) (ledger.Evidence, error)
	// Files is what a turn changed, nil where that cannot be told; with counts of lines
	// where exact, else with -1.
	Files(ctx context.Context, turn *model.Turn, exact bool) ([]model.FileChange, error)
}

// Logger is a Source that kept what agents themselves wrote. WriteLog writes that of turn
// n; false where there is none.
type Logger interface {
	WriteLog(ctx context.Context, id model.ThreadID, n int, w io.Writer) (bool, error)
}

// Book is our own ledger with the threads of other programs beside it. What the ledger
// answers for "threads" (Threads, Default, Open …) is ours alone; All lists everybody's.
type Book struct {
	*ledger.Ledger
	sources []Source
	filled  filled

	mu    sync.Mutex
	whose map[model.ThreadID]Source // of names as other programs give them; nil is ours
	spans map[model.ThreadID]spans  // of ours
}

// NewBook returns a book; nothing is read yet.
func NewBook(own *ledger.Ledger, sources ...Source) *Book {
	return &Book{Ledger: own, sources: sources}
}

// source is whose thread it is, nil for ours. An agent may have named one of ours as
// another program's are named: ours goes first.
func (b *Book) source(ctx context.Context, id model.ThreadID) Source {
	for _, s := range b.sources {
		if s.Owns(id) {
			return b.unlessOurs(ctx, id, s)
		}
	}
	return nil
}

// unlessOurs looks once: the answer is asked for with every turn.
func (b *Book) unlessOurs(ctx context.Context, id model.ThreadID, s Source) Source {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.whose[id]; ok {
		return known
	}
	if b.Ledger.Has(ctx, id) {
		s = nil
	}
	if b.whose == nil {
		b.whose = map[model.ThreadID]Source{}
	}
	if ctx.Err() == nil {
		b.whose[id] = s
	}
	return s
}

// Recorder names the program that recorded a thread, for people; "" for overturn.
func (b *Book) Recorder(ctx context.Context, id model.ThreadID) string {
	if s := b.source(ctx, id); s != nil {
		return s.Name()
	}
	return ""
}

// All lists the threads of everybody, the newest first, and what could not be read of
// other programs' records.
func (b *Book) All(ctx context.Context) ([]model.Thread, []model.RefNote, error) {
	list, err := b.Ledger.Threads(ctx)
	if err != nil {
		return nil, nil, err
	}
	var odd []model.RefNote
	for _, s := range b.sources {
		theirs, notes, err := s.Threads(ctx)
		if err != nil {
			return nil, nil, err
		}
		list, odd = append(list, theirs...), append(odd, notes...)
	}
	slices.SortStableFunc(list, func(a, c model.Thread) int { return c.LastAt.Compare(a.LastAt) })
	return list, odd, nil
}

// Thread is the row of one thread.
func (b *Book) Thread(ctx context.Context, id model.ThreadID) (model.Thread, error) {
	s := b.source(ctx, id)
	if s == nil {
		return b.Ledger.Thread(ctx, id)
	}
	theirs, _, err := s.Threads(ctx)
	if err != nil {
		return model.Thread{}, err
	}
	for _, t := range theirs {
		if t.ID == id {
			return t, nil
		}
	}
	return model.Thread{}, NoThread(id)
}

// NoThread is the error for a thread that a source does not have.
func NoThread(id model.ThreadID) error {
	return model.Usagef("there is no thread %q", id).WithHint("`overturn threads` lists them")
}

// Resolve finds the thread that name names, whole or by a prefix that is unique. A name
// that begins as the ids of another program do is looked for there, unless we have that
// very thread.
func (b *Book) Resolve(ctx context.Context, name string) (model.ThreadID, error) {
	s := b.source(ctx, model.ThreadID(name))
	if s == nil {
		return b.Ledger.Resolve(ctx, name)
	}
	theirs, _, err := s.Threads(ctx)
	if err != nil {
		return "", err
	}
	var found []model.ThreadID
	for _, t := range theirs {
		if string(t.ID) == name {
			return t.ID, nil
		}
		if strings.HasPrefix(string(t.ID), name) {
			found = append(found, t.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", NoThread(model.ThreadID(name))
	case 1:
		return found[0], nil
	}
	return "", model.Usagef("%q is the beginning of %d threads, among them %q and %q", name, len(found), found[0], found[1]).
		WithHint("give more of the id")
}
