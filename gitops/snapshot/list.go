package snapshot

import (
	"sort"

	"overturn/gitops/worktree"
	"overturn/model"
)

// candidate is a name that is new: git is asked whether it ignores it.
type candidate struct {
	dir  int32
	name string
	stat fileStat
}

// listAll lists the directories of the queue, and those found below them, level
// by level, so that git is asked about many names at once.
func (c *capture) listAll() error {
	for len(c.queue) > 0 {
		queue := c.queue
		c.queue = nil
		sort.Slice(queue, func(i, j int) bool { return queue[i] < queue[j] })
		for k, d := range queue {
			if k > 0 && queue[k-1] == d || c.t.dirs[d].flags&(dGone|dAbsent) != 0 {
				continue
			}
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if err := c.list(d); err != nil {
				return err
			}
		}
		if err := c.admit(); err != nil {
			return err
		}
	}
	return nil
}

// list brings a directory's entries in line with what is on disk. New names
// become candidates.
func (c *capture) list(d int32) error {
	dir := &c.t.dirs[d]
	var st fileStat
	if out := c.root.lstatPath(dir.path, &st); out == gone || out == okay && st.mode&typeMask != typeDir {
		if d == 0 {
			return errRootGone(c.e.repo.Root)
		}
		c.vanish(d)
		return nil
	}
	names, err := c.root.list(dir.path, c.buf, c.names[:0])
	c.names = names[:0]
	if err != nil {
		if isVanished(err) && d != 0 {
			c.vanish(d)
			return nil
		}
		if d == 0 {
			return err
		}
		c.shut(d)
		return nil
	}
	c.t.changed = true
	dir.mtime, dir.ctime = st.mtime, st.ctime
	dir.flags &^= dRacy | dRelist | dOut | dAbsent
	if c.racy(&st) {
		dir.flags |= dRacy
	}
	if d != 0 && c.boundary(d, names) {
		return nil
	}
	l := lister{c: c, d: d}
	l.seen = make([]bool, len(dir.ents))
	for i := range names {
		l.name(&names[i])
	}
	l.finish()
	return nil
}

// boundary tells whether the directory is a repository of its own, which is left
// out as a whole; its entry then says so. One that holds files of our own index
// is walked all the same, as git does.
func (c *capture) boundary(d int32, names []dirent) bool {
	for i := range names {
		if names[i].name != ".git" {
			continue
		}
		if c.t.tracks(d) {
			return false
		}
		why, nested := c.nested(c.t.dirs[d].path)
		if !nested {
			c.t.dirs[d].flags |= dRelist
			return false
		}
		c.leaveOutDir(d, why)
		return true
	}
	return false
}

// leaveOutDir turns the entry of directory d into one that is left out whole.
func (c *capture) leaveOutDir(d int32, why reason) {
	parent := c.t.dirs[d].parent
	ents := c.t.dirs[parent].ents
	for k := range ents {
		if ents[k].dir == d {
			ents[k].dir = -1
			ents[k].flags = fOut
			ents[k].why = why
		}
	}
	c.t.drop(d)
	c.t.touch(parent)
}

// lister is the listing of one directory.
type lister struct {
	c    *capture
	d    int32
	seen []bool
	work bool
}

func (l *lister) name(n *dirent) {
	c, t := l.c, l.c.t
	path := join(t.dirs[l.d].path, n.name)
	if n.name == ".git" || worktree.IsBeside(model.Path(path)) || c.excluded(path) {
		return
	}
	if n.typ == typeDir {
		if l.knownDir(n.name) {
			return
		}
	} else if at := t.find(l.d, n.name, false); at >= 0 && n.typ != 0 && t.dirs[l.d].ents[at].has(fIgnored) && !t.watched(&t.dirs[l.d].ents[at]) {
		l.seen[at] = true
		return
	}
	cand := candidate{dir: l.d, name: n.name}
	if out := c.root.lstatPath(path, &cand.stat); out != okay {
		if out != gone {
			c.leaveOutNew(&cand, whyUnreadable)
		}
		return
	}
	if cand.stat.mode&typeMask == typeDir {
		if n.typ == typeDir || !l.knownDir(n.name) {
			l.newName(&cand)
		}
		return
	}
	if at := t.find(l.d, n.name, false); at >= 0 {
		l.seen[at] = true
		l.known(&t.dirs[l.d].ents[at], &cand.stat)
		return
	}
	l.newName(&cand)
}

// knownDir deals with a directory on disk that the table knows.
func (l *lister) knownDir(name string) bool {
	t := l.c.t
	if at := t.find(l.d, name, true); at >= 0 {
		e := &t.dirs[l.d].ents[at]
		if e.dir < 0 && !e.is(fIgnored|fOut) {
			return false // it was a repository of its own, and is none any more
		}
		l.seen[at] = true
		if e.dir >= 0 {
			if t.dirs[e.dir].flags&dAbsent != 0 {
				t.dirs[e.dir].flags &^= dAbsent
				l.c.queue = append(l.c.queue, e.dir)
				t.touch(e.dir)
			}
		} else if e.is(fOut) {
			e.flags |= fTodo
			l.work = true
		}
		return true
	}
	if at := t.find(l.d, name, false); at >= 0 {
		if e := &t.dirs[l.d].ents[at]; e.is(fTracked) && (e.mode&typeMask == typeGit) {
			l.seen[at] = true
			if e.is(fAbsent) {
				e.flags &^= fAbsent
				t.touch(l.d)
			}
			e.flags |= fTodo
			l.work = true
			return true
		}
	}
	return false
}

// known deals with a file on disk that the table knows.
func (l *lister) known(e *entry, st *fileStat) {
	switch {
	case e.is(fIgnored):
		look := looker{c: l.c}
		if !e.sameStat(st) || e.is(fRacy) {
			look.differs(e, st)
			l.c.ignoreMoved = l.c.ignoreMoved || look.ignoreMoved
			l.c.attrsMoved = l.c.attrsMoved || look.attrsMoved
		}
		return
	case e.is(fAbsent):
		e.flags &^= fAbsent
		l.c.steers(l.c.t.name(e))
		e.mtime = -1
		l.c.t.touch(l.d)
	case e.sameStat(st) && !e.is(fRacy|fOut) && e.mode&typeMask != typeGit:
		if e.is(fSeed) {
			e.setStat(st)
			e.flags |= fUnsized
			l.c.unsized = true
			if l.c.racy(st) {
				e.flags |= fRacy
			}
		}
		return
	}
	e.flags |= fTodo
	l.work = true
	if !e.sameType(st) {
		l.c.retyped[l.d] = true
	}
	l.c.steered(l.d, e)
}

// newName queues a name for git's verdict, or skips what an ignored folder holds.
func (l *lister) newName(cand *candidate) {
	c := l.c
	if refusedName(cand.name, cand.stat.mode) {
		c.leaveOutNew(cand, whyName)
		return
	}
	if c.t.dirs[l.d].flags&dIgnored == 0 {
		c.cands = append(c.cands, *cand)
		return
	}
	// In an ignored folder only what steers git matters, and what stands where
	// the index has a folder.
	if e := c.t.newEntry(cand.name, cand.stat.mode); c.t.watched(&e) || c.t.find(l.d, cand.name, true) >= 0 {
		c.steers(cand.name)
		e.setStat(&cand.stat)
		e.flags = fIgnored | fRacy
		c.added[l.d] = append(c.added[l.d], e)
	}
}

// steers notes that a file which steers git came or went.
func (c *capture) steers(name string) {
	c.ignoreMoved = c.ignoreMoved || name == ignoreFile
	c.attrsMoved = c.attrsMoved || name == attrsFile
}

// finish drops what is no longer there.
func (l *lister) finish() {
	c, t := l.c, l.c.t
	if l.work {
		c.todo = append(c.todo, l.d)
	}
	ents := t.dirs[l.d].ents
	kept := 0
	for k := range ents {
		e := &ents[k]
		if !l.seen[k] && !c.lost(l.d, e) {
			continue
		}
		if kept != k {
			ents[kept] = *e
		}
		kept++
	}
	if kept < len(ents) {
		t.dirs[l.d].ents = ents[:kept]
		t.touch(l.d)
	}
}
