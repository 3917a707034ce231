package review

import (
	"bytes"
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
		if f.mayHide() {
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
				hidden[i], err = e.SpaceOnly(ctx, cs, files[i])
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

// mayHide tells whether white space may be all that changed in f.
func (f *File) mayHide() bool {
	return f.Change == model.Modified && f.Old.Kind == model.KindFile && f.Old.Mode == f.New.Mode
}

// SpaceOnly tells whether nothing but white space changed in f: its texts have the
// same lines once white space is taken out, so that `git diff -w` shows nothing. In
// texts over patch.SpaceLimit white space counts.
func (e *Engine) SpaceOnly(ctx context.Context, cs *ChangeSet, f *File) (bool, error) {
	if err := ctx.Err(); err != nil || !f.mayHide() {
		return false, err
	}
	if d := cs.last.held(f); d != nil {
		return !d.Large() && equalButSpace(d.Old.Bytes, d.New.Bytes), nil
	}
	old, now, err := e.Texts(ctx, cs, f)
	if err != nil || patch.IsBinary(old) || patch.IsBinary(now) || len(old)+len(now) > patch.SpaceLimit {
		return false, err
	}
	return equalButSpace(old, now), nil
}

// equalButSpace compares line by line; a last newline more or less is white space.
func equalButSpace(a, b []byte) bool {
	for len(a) > 0 && len(b) > 0 {
		var x, y []byte
		x, a = cutLine(a)
		y, b = cutLine(b)
		if !sameLine(x, y) {
			return false
		}
	}
	return len(a) == 0 && len(b) == 0
}

func cutLine(b []byte) (line, rest []byte) {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i], b[i+1:]
	}
	return b, nil
}

func sameLine(x, y []byte) bool {
	i, j := 0, 0
	for {
		for i < len(x) && isSpace(x[i]) {
			i++
		}
		for j < len(y) && isSpace(y[j]) {
			j++
		}
		if i == len(x) || j == len(y) {
			return i == len(x) && j == len(y)
		}
		if x[i] != y[j] {
			return false
		}
		i, j = i+1, j+1
	}
}

// isSpace is what `git diff -w` takes for white space within a line.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
