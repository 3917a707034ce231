package review

import (
	"context"
	"sync"

	"overturn/model"
)

// conversions remembers which paths git stores otherwise than they stand on disk.
// Git is asked once for all the files of a change set; while the list is not
// complete, for each path as it comes.
type conversions struct {
	mu    sync.Mutex
	known map[model.Path]bool
	rest  []model.Path // not asked for yet, once the list is complete
}

// complete hands over the list.
func (c *conversions) complete(files []*File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range files {
		if f.Old.Kind == model.KindFile || f.New.Kind == model.KindFile {
			c.rest = append(c.rest, f.Path)
		}
	}
}

// answer is what git said of p, where it was asked and has answered.
func (c *conversions) answer(p model.Path) (converts, known bool) {
	if !c.mu.TryLock() {
		return false, false
	}
	defer c.mu.Unlock()
	converts, known = c.known[p]
	return converts, known
}

func (c *conversions) of(ctx context.Context, e *Engine, p model.Path) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if converts, ok := c.known[p]; ok {
		return converts, nil
	}
	ask := append([]model.Path{p}, c.rest...)
	answer, err := e.deps.Snapshots.Converts(ctx, ask)
	if err != nil {
		return false, err
	}
	if c.known == nil {
		c.known = make(map[model.Path]bool, len(ask))
	}
	for _, q := range ask {
		c.known[q] = answer[q]
	}
	c.rest = nil
	return answer[p], nil
}
