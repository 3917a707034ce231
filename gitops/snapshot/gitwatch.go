package snapshot

import (
	"context"
	"sync/atomic"
	"time"
)

// lookAgain is how long git may be at one file before what stands there is looked at.
const lookAgain = 50 * time.Millisecond

// watch returns a context for a child of git's that opens paths by name, one after the
// other, and has answered for so many. It ends once git is at a path where no file
// stands any more: a pipe there has git wait, for ever, for somebody to write to it.
// stop has to be called.
func (c *capture) watch(paths []string, answered *atomic.Int64) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(c.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(lookAgain)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if n := int(answered.Load()); n < len(paths) && !c.standsFile(paths[n]) {
					cancel()
				}
			}
		}
	}()
	return ctx, func() { cancel(); <-ended }
}

// standsFile tells whether a regular file is at path, as far as that can be seen.
func (c *capture) standsFile(path string) bool {
	var st fileStat
	out := c.root.lstatPath(path, &st)
	return out != gone && (out != okay || st.mode&typeMask == typeFile)
}
