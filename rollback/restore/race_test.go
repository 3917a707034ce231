//go:build linux || darwin

package restore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"overturn/gitops/worktree"
	"overturn/rollback/restore"
)

// savers are the ways in which editors and tools save a file.
func savers() map[string]func(name, data string) error {
	return map[string]func(name, data string) error{
		"in place": func(name, data string) error { return os.WriteFile(name, []byte(data), 0o644) },
		"by rename": func(name, data string) error {
			if err := os.WriteFile(name+"~", []byte(data), 0o644); err != nil {
				return err
			}
			return os.Rename(name+"~", name)
		},
		"append": func(name, data string) error {
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
			if err != nil {
				return err
			}
			time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
			_, err = f.WriteString(data)
			return errors.Join(err, f.Close())
		},
	}
}

// TestNoSavedByteIsLost lets a program save the target at every moment of its
// replacement. Whatever it saved is at the path or in a kept file in the end.
func TestNoSavedByteIsLost(t *testing.T) {
	const rounds = 200
	both(t, func(t *testing.T, plain bool) {
		for way, save := range savers() {
			swapped, refused := 0, 0
			for round := range rounds {
				c := [2]worktree.Content{file(0o644, "old"), file(0o644, "new")}
				if round%4 == 3 {
					c[1] = none
				}
				if race(t, plain, c, save, fmt.Sprintf("saved %s %d", way, round)) {
					swapped++
				} else {
					refused++
				}
			}
			t.Logf("%s: %d carried out, %d put back", way, swapped, refused)
			if swapped == 0 {
				t.Errorf("%s: the save came first in all rounds: the race is not one", way)
			}
		}
	})
}

// race replaces a file while save runs, as Execute does: swap, look again, put
// back or keep, look for the last time.
func race(t *testing.T, plain bool, c [2]worktree.Content, save func(name, data string) error, saved string) bool {
	p := newPlace(t, plain)
	p.set("f", c[0])
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
	s := step("f", c)
	p.must(b.Write(s))
	done := make(chan error)
	go func() {
		time.Sleep(time.Duration(rand.IntN(120)) * time.Microsecond)
		done <- save(filepath.Join(p.root, "f"), saved)
	}()
	time.Sleep(time.Duration(rand.IntN(120)) * time.Microsecond)
	differs := new(restore.Differs)
	err := b.Swap(s)
	if err != nil && !errors.As(err, &differs) {
		t.Fatalf("swap: %v", err)
	}
	if err == nil {
		moved, err := b.Moved(s)
		p.must(err)
		if moved != "" {
			if err := b.Back(s); err != nil && !errors.As(err, &differs) {
				t.Fatalf("back: %v", err)
			}
		}
	}
	if err := b.Keep(s); err != nil {
		t.Fatalf("keep: %v", err)
	}
	if _, err := b.Discard(s); err != nil {
		t.Fatalf("discard: %v", err)
	}
	p.must(<-done)
	if own := p.own(); len(own) > 0 {
		t.Fatalf("left in the work tree: %v", own)
	}
	at, _, err := p.tree.Read("f", 0)
	p.must(err)
	for _, text := range append(p.keptBytes(), string(at)) {
		if text == saved || text == "old"+saved || text == "new"+saved {
			return s.Swapped()
		}
	}
	t.Fatalf("%q is lost: the path holds %q, kept are %q", saved, at, p.keptBytes())
	return false
}

// TestAppendAfterTheSwapIsSeen: a program that holds the old file open goes on
// writing to it after it was displaced.
func TestAppendAfterTheSwapIsSeen(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		p := newPlace(t, plain)
		c := [2]worktree.Content{file(0o644, "old"), file(0o644, "new")}
		p.set("f", c[0])
		handle, err := os.OpenFile(filepath.Join(p.root, "f"), os.O_WRONLY|os.O_APPEND, 0)
		p.must(err)
		defer handle.Close()
		b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
		s := step("f", c)
		p.must(run(b, s))
		if moved, err := b.Moved(s); err != nil || moved != "" {
			t.Fatalf("moved before the write: %q, %v", moved, err)
		}
		_, err = handle.WriteString(" and more")
		p.must(err)
		if moved, err := b.Moved(s); err != nil || moved == "" {
			t.Fatalf("the write was not seen: %v", err)
		}
		p.must(b.Back(s))
		if got := p.state("f"); got != stateOf(file(0o644, "old and more")) {
			t.Errorf("the file that came back is %+v", got)
		}
	})
}

// TestKeptFileThatChanges: the last look, at files that are kept already.
func TestKeptFileThatChanges(t *testing.T) {
	p := newPlace(t, false)
	c := [2]worktree.Content{file(0o644, "old"), none}
	p.set("f", c[0])
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
	s := step("f", c)
	p.must(run(b, s))
	p.must(b.Keep(s))
	name := b.Shelved()[0].Name
	p.must(os.WriteFile(name, []byte("written late"), 0o644))
	if same, err := p.holds(filepath.Base(name), s.From); err != nil || same {
		t.Errorf("a changed kept file counts as the same: %v", err)
	}
	if kept := p.keptBytes(); !slices.Equal(kept, []string{"written late"}) {
		t.Errorf("kept: %q", kept)
	}
}
