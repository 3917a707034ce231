package snapshot

import (
	"strings"
	"sync"
	"sync/atomic"
)

// measureSeeds holds the files that the index vouches for against the length of
// their blobs: what a conversion made while its rules still stood has another one,
// and is read, so that its bytes are kept. Only a filter can keep the length: where
// one is set up, whatever the attributes name by now, every such file is read. Each
// file comes by here once.
func (c *capture) measureSeeds() error {
	if !c.unsized {
		return nil
	}
	c.unsized = false
	c.filtered = c.anyFilter()
	var next atomic.Int64
	var group sync.WaitGroup
	var mu sync.Mutex
	for range c.e.opts.Workers {
		group.Add(1)
		go func() {
			defer group.Done()
			var todo []int32
			for c.ctx.Err() == nil {
				d := int(next.Add(1)) - 1
				if d >= len(c.t.dirs) {
					break
				}
				if c.measure(c.t.dirs[d].ents) {
					todo = append(todo, int32(d))
				}
			}
			mu.Lock()
			c.todo = append(c.todo, todo...)
			mu.Unlock()
		}()
	}
	group.Wait()
	return c.ctx.Err()
}

// measure marks those of ents that must be read, and tells whether there are any.
func (c *capture) measure(ents []entry) bool {
	work := false
	for k := range ents {
		e := &ents[k]
		if !e.is(fUnsized) {
			continue
		}
		e.flags &^= fUnsized
		if e.is(fTodo) || !e.has(fIn) || e.is(fAbsent) || treeMode(e.mode) == 0o160000 {
			continue
		}
		if size, err := c.e.objs.Size(c.ctx, c.hex(&e.oid)); err != nil || size != e.size || c.filtered && treeMode(e.mode) != 0o120000 {
			e.flags |= fTodo
			work = true
		}
	}
	return work
}

// anyFilter tells whether a filter is set up that may keep the length of a file. That
// of git-lfs never does: it stores a pointer, whose text holds the length.
func (c *capture) anyFilter() bool {
	for _, key := range c.e.repo.ConfigKeys("filter.") {
		if key != "filter.lfs.clean" && key != "filter.lfs.process" && (strings.HasSuffix(key, ".clean") || strings.HasSuffix(key, ".process")) {
			return true
		}
	}
	return false
}
