package ui

import (
	"context"
	"fmt"
	"sync/atomic"

	"overturn/model"
	"overturn/ui/jobs"
)

// counted is how far a job has come that reads many paths.
type counted struct {
	key      string // of the job
	done, of int
}

// fewPaths is up to how many paths nobody is told of, as they are read at once.
const fewPaths = 50

// counting is ctx for a job that reads paths: what is told of them is reported, once for
// each hundredth.
func counting(ctx context.Context, report jobs.Report) context.Context {
	var last atomic.Int64
	return model.WithProgress(ctx, func(done, of int) {
		if of < fewPaths {
			return
		}
		now := int64(done * 100 / of)
		if before := last.Load(); now > before && last.CompareAndSwap(before, now) {
			report(done, of)
		}
	})
}

// words is how far the job of key has come, "" where nothing is known of it.
func (c counted) words(key string) string {
	if c.key != key || c.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d paths, %d %%", c.done, c.of, c.done*100/c.of)
}
