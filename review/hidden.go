package review

import (
	"context"
	"sync"

	"overturn/model"
	"overturn/review/patch"
)

// hiddenWorkers is how many files are compared at a time: a review runs beside an
// agent, and two keep the disk and one core busy.
const hiddenWorkers = 2

// HiddenSpace lists, in order, the files in which nothing but white space changed:
// the view hides them and says how many they are. Every modified file is read, so
// large change sets take a while: progress, where not nil, is called from one
// goroutine at a time. A file whose mode changed too is not hidden.
func (e *Engine) HiddenSpace(ctx context.Context, cs *ChangeSet, progress func(done, of int)) ([]model.Path, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var files []*File
	for _, f := range cs.Files {
		if f.Change == model.Modified && f.Old.Kind == model.KindFile && f.Old.Mode == f.New.Mode {
			files = append(files, f)
		}
	}
	hidden := make([]bool, len(files))
	var (
		mu      sync.Mutex
		next    int
		done    int
		failure error
		wait    sync.WaitGroup
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if next == len(files) || failure != nil {
			return -1
		}
		next++
		return next - 1
	}
	finish := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil && failure == nil {
			failure = err
			cancel()
		}
		if done++; progress != nil && failure == nil {
			progress(done, len(files))
		}
	}
	for range hiddenWorkers {
		wait.Go(func() {
			for i := take(); i >= 0; i = take() {
				var err error
				hidden[i], err = e.spaceOnly(ctx, cs, files[i])
				finish(err)
			}
		})
	}
	wait.Wait()
	if failure != nil {
		return nil, failure
	}
	var list []model.Path
	for i, f := range files {
		if hidden[i] {
			list = append(list, f.Path)
		}
	}
	return list, nil
}

// spaceOnly tells whether two texts are equal but for white space: the same lines
// once it is taken out. No diff is needed for the many that are not.
func (e *Engine) spaceOnly(ctx context.Context, cs *ChangeSet, f *File) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	d, err := e.Diff(ctx, cs, f, patch.Options{IgnoreSpace: true})
	return err == nil && d != nil && len(d.Hunks) == 0, err
}
