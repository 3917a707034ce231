package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"overturn/model/durable"
	"overturn/ui/kept"
)

// The file that tells how the last review of this work tree was left, its lock, and how
// long another review that is just ending is waited for.
const (
	keptName = "review.json"
	keptLock = "review.lock"
	keptWait = time.Second
)

// Kept reads what the last review left. Whatever is wrong with it, there is none then.
func (s *screen) Kept(context.Context) kept.State { return kept.Parse(s.keptBytes()) }

func (s *screen) keptBytes() []byte {
	file := filepath.Join(s.repo.StateDir(), keptName)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() { // a FIFO would be waited for
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, kept.Limit+1))
	if err != nil {
		return nil
	}
	return data
}

// Keep leaves a state for the next review; of two that end at once the last wins. Where
// nothing was ever recorded or marked there is no state folder, and looking makes none.
func (s *screen) Keep(ctx context.Context, state kept.State) error {
	data, dir := kept.Encode(state), s.repo.StateDir()
	if _, err := os.Lstat(dir); err != nil || bytes.Equal(data, s.keptBytes()) {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, keptWait)
	defer cancel()
	lock, err := durable.Acquire(waiting, filepath.Join(dir, keptLock), "review")
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }() // the system frees it with the process at the latest
	file := filepath.Join(dir, keptName)
	durable.SweepTemps(file)
	return durable.ReplaceFile(file, data, 0o600)
}
