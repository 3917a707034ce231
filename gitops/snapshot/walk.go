package snapshot

import (
	"sync"
	"sync/atomic"
)

// lookAll looks at every file that the table knows, and finds which directories
// must be listed. Entries that must be read are marked todo.
func (c *capture) lookAll() {
	var next atomic.Int64
	var mu sync.Mutex
	total := len(c.t.dirs)
	const batch = 32
	workers := c.e.opts.Workers
	if total <= 4*batch {
		workers = 1
	}
	share(workers, func() {
		l := looker{c: c}
		for {
			from := int(next.Add(batch)) - batch
			if from >= total || c.ctx.Err() != nil {
				break
			}
			for d := from; d < min(from+batch, total); d++ {
				l.directory(int32(d))
			}
		}
		mu.Lock()
		defer mu.Unlock()
		c.queue = append(c.queue, l.list...)
		c.todo = append(c.todo, l.todo...)
		for _, d := range l.retyped {
			c.retyped[d] = true
		}
		c.ignoreMoved = c.ignoreMoved || l.ignoreMoved
		c.attrsMoved = c.attrsMoved || l.attrsMoved
	})
}

// share runs work in n goroutines and waits for them. One is the caller's own:
// waking another thread costs as much as looking at a hundred files.
func share(n int, work func()) {
	var group sync.WaitGroup
	for range n - 1 {
		group.Add(1)
		go func() {
			defer group.Done()
			work()
		}()
	}
	work()
	group.Wait()
}

// looker is one goroutine's share of lookAll.
type looker struct {
	c                       *capture
	path                    []byte
	list                    []int32 // directories to be listed
	todo                    []int32 // directories that hold entries to be read
	retyped                 []int32 // those in which something is no more of the type that it was
	ignoreMoved, attrsMoved bool
}

func (l *looker) directory(d int32) {
	dir := &l.c.t.dirs[d]
	if dir.flags&(dGone|dAbsent) != 0 {
		return
	}
	var st fileStat
	top := l.c.root.top()
	l.path = append(append(l.path[:0], dotted(dir.path)...), 0)
	switch out := top.lstat(l.path, &st); {
	case out == gone || out == okay && st.mode&typeMask != typeDir:
		l.list = append(l.list, max(dir.parent, 0))
		return
	case out != okay || st.mtime != dir.mtime || st.ctime != dir.ctime || dir.flags&(dRacy|dRelist|dOut) != 0:
		l.list = append(l.list, d)
		return
	}
	if len(dir.ents) >= enterFrom {
		if in, ok := top.enter(l.path); ok {
			l.path = l.path[:0]
			l.entries(d, in)
			in.leave()
			return
		}
	}
	l.path[len(l.path)-1] = '/'
	l.entries(d, top)
}

// enterFrom is the number of entries from which entering a directory pays: it costs
// as much as two looks.
const enterFrom = 8

// entries looks at what the table has in a directory; from there, l.path leads to it.
func (l *looker) entries(d int32, from at) {
	dir := &l.c.t.dirs[d]
	var st fileStat
	base := len(l.path)
	work := false
	for k := range dir.ents {
		e := &dir.ents[k]
		if e.dir >= 0 || e.is(fAbsent) || e.is(fIgnored) && !l.c.t.watched(e) {
			continue
		}
		if e.is(fOut) || e.mode&typeMask == typeGit {
			e.flags |= fTodo
			work = true
			continue
		}
		l.path = append(append(l.path[:base], l.c.t.name(e)...), 0)
		if from.lstat(l.path, &st) != okay {
			l.list = append(l.list, d)
			continue
		}
		if !e.sameStat(&st) || e.is(fRacy) {
			work = l.differs(e, &st) || work
			if !e.sameType(&st) {
				l.retyped = append(l.retyped, d)
			}
		}
	}
	if work {
		l.todo = append(l.todo, d)
	}
}

// differs notes an entry whose stat moved, or cannot be trusted.
func (l *looker) differs(e *entry, st *fileStat) bool {
	if e.is(fIgnored) { // watched: an ignore or attributes file that is ignored itself
		name := l.c.t.name(e)
		l.ignoreMoved = l.ignoreMoved || name == ignoreFile
		l.attrsMoved = l.attrsMoved || name == attrsFile
		e.setStat(st)
		e.flags &^= fRacy
		if l.c.racy(st) {
			e.flags |= fRacy
		}
		return false
	}
	e.flags |= fTodo
	return true
}

const (
	ignoreFile = ".gitignore"
	attrsFile  = ".gitattributes"
)

// watched tells whether the entry is a file that steers git: it is looked at
// even where it is ignored itself.
func (t *table) watched(e *entry) bool {
	switch e.nlen {
	case uint16(len(ignoreFile)):
		return t.name(e) == ignoreFile
	case uint16(len(attrsFile)):
		return t.name(e) == attrsFile
	}
	return false
}

// racy tells whether a file with this stat may still change without a trace: its
// stamps are not older than the capture by more than the clock's grain. A change
// always moves ctime; mtime is for file systems that have no other, and counts
// only where it is not in the future.
func (c *capture) racy(st *fileStat) bool {
	from := c.start - c.grain
	return st.ctime >= from || st.mtime >= from && st.mtime <= c.start+c.grain
}
