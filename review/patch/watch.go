package patch

import "context"

// lookEvery is how many steps (lines met, paths moved on, groups slid by a line) a
// comparison takes before it looks at its context again: some tens of microseconds.
const lookEvery = 1 << 14

// watch tells a comparison when nobody waits for it any more. It is of one goroutine.
type watch struct {
	ctx   context.Context
	left  int // steps until it looks again
	ended bool
}

func watching(ctx context.Context) *watch { return &watch{ctx: ctx, left: lookEvery} }

// over counts steps and tells whether the work is to be left as it stands; from then
// on it always does.
func (w *watch) over(steps int) bool {
	w.left -= steps
	return w.left <= 0 && w.look()
}

func (w *watch) look() bool {
	if w.ended = w.ended || w.ctx.Err() != nil; w.ended {
		return true
	}
	w.left = lookEvery
	return false
}

// err is why the work was left; nil where it came to its end.
func (w *watch) err() error {
	if !w.ended {
		return nil
	}
	return context.Cause(w.ctx)
}

// CompareContext is Compare that ends soon after ctx does, with the cause. There is no
// difference then, not a part of one either.
func CompareContext(ctx context.Context, old, new []byte, o Options) (*Diff, error) {
	return compare(ctx, NewText(old), NewText(new), o, func(w *watch, a, b Text) numbered { return numberLines(w, a, b, false) })
}

// EditsContext is Edits that ends soon after ctx does, with the cause.
func EditsContext(ctx context.Context, old, new []byte) ([]Edit, error) {
	w := watching(ctx)
	edits := alignment{indent: true}.edits(w, NewText(old), NewText(new))
	if err := w.err(); err != nil {
		return nil, err
	}
	return edits, nil
}
