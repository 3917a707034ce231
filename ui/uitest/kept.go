package uitest

import (
	"context"

	"overturn/ui/kept"
)

// Kept is what the review before left.
func (e *Engine) Kept(context.Context) kept.State {
	e.Lock()
	defer e.Unlock()
	return e.Left
}

// Keep leaves what the next one finds, spelt as it would be on disk.
func (e *Engine) Keep(_ context.Context, s kept.State) error {
	e.Lock()
	defer e.Unlock()
	e.Left = kept.Parse(kept.Encode(s))
	return nil
}
