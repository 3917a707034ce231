package review

import (
	"context"
	"errors"
	"sync"

	"overturn/review/patch"
)

// lastDiff holds the comparisons that were made last: a file's counts, its owners and
// its hunks are asked for one after the other, or by several goroutines at once, and
// large texts take long to read and to line up. They are two, since the file beside the
// one that is looked at is read ahead.
type lastDiff struct {
	mu   sync.Mutex
	list [2]lined // the newest first
}

// lined is the comparison of a file.
type lined struct {
	file *File
	made *making
}

// find is the comparison of f, which becomes the newest; nil where it is not kept.
func (l *lastDiff) find(f *File) *making {
	if l.list[1].file == f && f != nil {
		l.list[0], l.list[1] = l.list[1], l.list[0]
	}
	if l.list[0].file == f {
		return l.list[0].made
	}
	return nil
}

// drop forgets m.
func (l *lastDiff) drop(m *making) {
	for i := range l.list {
		if l.list[i].made == m {
			l.list[i] = lined{}
		}
	}
}

// making is a comparison that is made, or was.
type making struct {
	done chan struct{} // closed when the rest stands
	diff *patch.Diff
	err  error
}

// errNotMade is what stands where the goroutine at it did not come to an end.
var errNotMade = errors.New("the comparison was not made")

// lastDiffSize bounds what stays in memory for it, in bytes of both texts. What
// is larger is read again each time.
const lastDiffSize = 64 << 20

// of is the comparison of f: the last one, or that which another goroutine is at, or
// else what line makes.
func (l *lastDiff) of(ctx context.Context, f *File, line func() (*patch.Diff, error)) (*patch.Diff, error) {
	l.mu.Lock()
	if m := l.find(f); m != nil {
		l.mu.Unlock()
		select {
		case <-m.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if m.err == nil {
			return m.diff, nil
		}
		return line() // the other one may have been cancelled
	}
	m := &making{done: make(chan struct{}), err: errNotMade}
	l.list[0], l.list[1] = lined{f, m}, l.list[0]
	l.mu.Unlock()
	defer close(m.done)
	m.diff, m.err = line()
	size := sizeOf(m.diff)
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.err != nil || size > lastDiffSize {
		l.drop(m)
	}
	for _, other := range l.list {
		if o := other.made; o != nil && o != m && sizeOf(o.standing())+size > lastDiffSize {
			l.drop(o)
		}
	}
	return m.diff, m.err
}

// standing is the comparison, nil while it is being made.
func (m *making) standing() *patch.Diff {
	select {
	case <-m.done:
		return m.diff
	default:
		return nil
	}
}

func sizeOf(d *patch.Diff) int {
	if d == nil {
		return 0
	}
	return len(d.Old.Bytes) + len(d.New.Bytes)
}

// held is the comparison of f where it stands already, else nil.
func (l *lastDiff) held(f *File) *patch.Diff {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.find(f); m != nil {
		return m.standing()
	}
	return nil
}
