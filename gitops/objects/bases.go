package objects

import "sync"

// baseCache keeps the whole form of objects that deltas were applied to: trees of
// one folder are deltas of each other, and a comparison reads thousands.
type baseCache struct {
	mu    sync.Mutex
	bytes int
	items map[baseKey]typed
}

type baseKey struct {
	p      *pack
	offset int64
}

// baseCacheLimit is how many bytes are kept; when it is full it starts anew. A
// single object over baseItemLimit is not kept.
const (
	baseCacheLimit = 16 << 20
	baseItemLimit  = 2 << 20
)

func (c *baseCache) get(p *pack, offset int64) (typed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	item, ok := c.items[baseKey{p, offset}]
	return item, ok
}

func (c *baseCache) put(p *pack, offset int64, item typed) {
	if len(item.data) > baseItemLimit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil || c.bytes+len(item.data) > baseCacheLimit {
		c.items, c.bytes = make(map[baseKey]typed), 0
	}
	if _, ok := c.items[baseKey{p, offset}]; !ok {
		c.items[baseKey{p, offset}] = item
		c.bytes += len(item.data)
	}
}
