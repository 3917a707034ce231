//go:build linux || darwin

package restore_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

// text is what stands at a path by its bytes, "" for nothing.
func (p *place) text(path model.Path) string {
	data, _, err := p.tree.Read(path, 0)
	var blocked *worktree.Blocked
	if errors.As(err, &blocked) {
		return "blocked"
	}
	p.must(err)
	return string(data)
}

// moves are what somebody does to the folder "d" while a target in it is replaced:
// it goes to the name that is returned.
func moves() map[string]func(p *place) string {
	gone := func(p *place) string {
		p.must(os.Rename(filepath.Join(p.root, "d"), filepath.Join(p.root, "was")))
		return filepath.Join(p.root, "was")
	}
	return map[string]func(p *place) string{
		"away": gone,
		"a link in its place": func(p *place) string {
			was, outside := gone(p), filepath.Join(p.root, "outside")
			p.must(os.Mkdir(outside, 0o755))
			p.must(os.WriteFile(filepath.Join(outside, "f"), []byte("outside"), 0o644))
			p.must(os.Symlink(outside, filepath.Join(p.root, "d")))
			return was
		},
		"another folder in its place": func(p *place) string {
			was := gone(p)
			p.set("d/f", file(0o644, "another"))
			return was
		},
	}
}

// TestFolderThatMovesTakesNothingAlong: what was begun in a folder is put back in it,
// wherever it is by then, and nothing of overturn's own stays there.
func TestFolderThatMovesTakesNothingAlong(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		for how, move := range moves() {
			for name, c := range cases() {
				for _, swapped := range []bool{false, true} {
					p := newPlace(t, plain)
					p.must(os.MkdirAll(filepath.Join(p.root, "d"), 0o755))
					p.set("d/f", c[0])
					b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
					s := step("d/f", c)
					p.must(b.Write(s))
					if swapped {
						p.must(b.Swap(s))
					}
					was := move(p)
					atPath := p.text("d/f")
					reason, err := "", error(nil)
					if swapped {
						reason, err = b.Moved(s)
						p.must(err)
						p.must(b.Back(s))
					} else {
						differs := new(restore.Differs)
						if err := b.Swap(s); errors.As(err, &differs) {
							reason = differs.Reason
						}
					}
					if _, err := b.Discard(s); err != nil {
						t.Error(err)
					}
					p.must(b.Close())
					if reason == "" || s.Swapped() {
						t.Errorf("%s, %s, swapped %v: %q, swapped now %v", how, name, swapped, reason, s.Swapped())
					}
					moved, err := worktree.Open(was)
					p.must(err)
					if got, err := moved.State("f"); err != nil || got != s.From {
						t.Errorf("%s, %s, swapped %v: in the moved folder now: %+v, %v", how, name, swapped, got, err)
					}
					p.must(moved.Close())
					if own := p.own(); len(own) > 0 || p.text("d/f") != atPath {
						t.Errorf("%s, %s, swapped %v: left %v, the path holds %q, not %q", how, name, swapped, own, p.text("d/f"), atPath)
					}
				}
			}
		}
	})
}

// TestFolderThatIsRemovedIsADifference: nothing can be put back, and nothing fails.
func TestFolderThatIsRemovedIsADifference(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		for name, c := range cases() {
			for _, swapped := range []bool{false, true} {
				p := newPlace(t, plain)
				p.must(os.MkdirAll(filepath.Join(p.root, "d"), 0o755))
				p.set("d/f", c[0])
				b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
				s := step("d/f", c)
				p.must(b.Write(s))
				act := b.Swap
				if swapped {
					p.must(b.Swap(s))
					act = b.Back
				}
				p.must(os.RemoveAll(filepath.Join(p.root, "d")))
				differs := new(restore.Differs)
				if err := act(s); !errors.As(err, &differs) {
					t.Errorf("%s, swapped %v: %v", name, swapped, err)
				}
				if _, err := b.Discard(s); err != nil {
					t.Errorf("%s, swapped %v: discard: %v", name, swapped, err)
				}
			}
		}
	})
}

// TestWhoOpenedOurFileLosesNothing: a program opens the new file while it is at the
// path, and writes to it when it was taken out again.
func TestWhoOpenedOurFileLosesNothing(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		for _, c := range [][2]worktree.Content{{file(0o644, "old"), file(0o644, "new")}, {none, file(0o644, "new")}} {
			p := newPlace(t, plain)
			p.set("f", c[0])
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			s := step("f", c)
			p.must(run(b, s))
			handle, err := os.OpenFile(filepath.Join(p.root, "f"), os.O_WRONLY|os.O_APPEND, 0)
			p.must(err)
			defer handle.Close()
			p.must(b.Back(s))
			if kept, err := b.Discard(s); err != nil || kept != "" {
				t.Errorf("our own file is named: %q, %v", kept, err)
			}
			files := b.Shelved()
			if len(files) != 1 || files[0].Path != "f" {
				t.Fatalf("shelved: %+v", files)
			}
			if same, err := p.holds(filepath.Base(files[0].Name), files[0].Left); err != nil || !same {
				t.Errorf("before the write: %v, %v", same, err)
			}
			_, err = handle.WriteString(" and more")
			p.must(err)
			if kept := p.keptBytes(); !slices.Equal(kept, []string{"new and more"}) {
				t.Errorf("kept: %q", kept)
			}
			if same, err := p.holds(filepath.Base(files[0].Name), files[0].Left); err != nil || same {
				t.Errorf("after the write: %v, %v", same, err)
			}
		}
	})
}

// TestSecondNameKeepsItsMode: the mode of a path goes back, that of the other name
// of the same file stays, for it may lie outside the work tree.
func TestSecondNameKeepsItsMode(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		p := newPlace(t, plain)
		c := [2]worktree.Content{file(0o755, "same"), file(0o644, "same")}
		p.set("f", c[0])
		outside := filepath.Join(t.TempDir(), "second")
		p.must(os.Link(filepath.Join(p.root, "f"), outside))
		b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
		p.must(run(b, step("f", c)))
		st, err := os.Stat(outside)
		p.must(err)
		if got := p.state("f"); got.Mode != "100644" || st.Mode().Perm() != 0o755 {
			t.Errorf("the path is %s, the other name %v", got.Mode, st.Mode())
		}
	})
}
