package snapshot

import (
	"sync"
	"sync/atomic"
)

// measureSeeds holds the files that the index vouches for against the length of
// their blobs: what a conversion made while its rules still stood has another one,
// and is read, so that its bytes are kept. Each file comes by here once.
func (c *capture) measureSeeds() error {
	if !c.unsized {
		return nil
	}
	c.unsized = false
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
		if size, err := c.e.objs.Size(c.ctx, c.hex(&e.oid)); err != nil || size != e.size {
			e.flags |= fTodo
			work = true
		}
	}
	return work
}
