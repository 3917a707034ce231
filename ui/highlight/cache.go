package highlight

import (
	"slices"
	"sync"

	"overturn/ui/view"
)

// cacheLimit bounds the runs that are remembered, at 12 bytes each.
const cacheLimit = 400_000

// cache remembers the colours of documents, the newest last.
type cache struct {
	mu   sync.Mutex
	list []entry
}

type entry struct {
	key     string
	colours view.Colours
}

func newCache() *cache { return &cache{} }

func (c *cache) get(key string) (view.Colours, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.list, func(e entry) bool { return e.key == key })
	if key == "" || at < 0 {
		return view.Colours{}, false
	}
	e := c.list[at]
	c.list = append(slices.Delete(c.list, at, at+1), e)
	return e.colours, true
}

// put remembers colours, and forgets the oldest beyond cacheLimit.
func (c *cache) put(key string, colours view.Colours) {
	if key == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(slices.DeleteFunc(c.list, func(e entry) bool { return e.key == key }), entry{key, colours})
	total, keep := 0, len(c.list)
	for keep > 0 {
		e := c.list[keep-1].colours
		if total += len(e.Old.Runs) + len(e.New.Runs) + len(e.Old.Ends) + len(e.New.Ends); total > cacheLimit && keep < len(c.list) {
			break
		}
		keep--
	}
	c.list = slices.Delete(c.list, 0, keep)
}
