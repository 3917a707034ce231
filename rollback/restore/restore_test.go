//go:build linux || darwin

package restore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

const id = model.ID("01h455vb4pex5vsknk084sn02q")

// place is a work tree with one target at p and a kept folder beside it.
type place struct {
	t          *testing.T
	root, kept string
	tree       *worktree.Tree
}

func newPlace(t *testing.T, plain bool) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir()}
	p.kept = filepath.Join(t.TempDir(), "kept")
	tree, err := worktree.Open(p.root)
	p.must(err)
	t.Cleanup(func() { p.must(tree.Close()) })
	if plain {
		tree.WithoutExchange()
	}
	p.tree = tree
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// set puts c at path as its only state.
func (p *place) set(path model.Path, c worktree.Content) {
	p.t.Helper()
	file := filepath.Join(p.root, string(path))
	p.must(os.RemoveAll(file))
	p.must(os.MkdirAll(filepath.Dir(file), 0o755))
	switch c.Kind {
	case model.KindFile:
		p.must(os.WriteFile(file, c.Data, 0o600))
		p.must(os.Chmod(file, os.FileMode(c.Perm)))
	case model.KindLink:
		p.must(os.Symlink(string(c.Data), file))
	}
}

func (p *place) state(path model.Path) model.FileState {
	p.t.Helper()
	s, err := p.tree.State(path)
	p.must(err)
	return s
}

// own lists what is left of overturn's own files in the work tree.
func (p *place) own() []string {
	var found []string
	p.must(filepath.WalkDir(p.root, func(name string, _ os.DirEntry, err error) error {
		if strings.Contains(filepath.Base(name), ".overturn-") {
			found = append(found, name)
		}
		return err
	}))
	return found
}

// keptBytes is the contents of all kept files.
func (p *place) keptBytes() []string {
	var all []string
	entries, err := os.ReadDir(p.kept)
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(p.kept, e.Name())
		if text, err := os.Readlink(name); err == nil {
			all = append(all, text)
			continue
		}
		data, err := os.ReadFile(name)
		p.must(err)
		all = append(all, string(data))
	}
	return all
}

func (p *place) holds(name string, want model.FileState) (bool, error) {
	p.t.Helper()
	shelf, err := restore.OpenShelf(p.kept)
	p.must(err)
	defer shelf.Close()
	return shelf.Holds(name, want)
}

func file(perm uint32, data string) worktree.Content {
	return worktree.Content{Kind: model.KindFile, Perm: perm, Data: []byte(data)}
}

func link(text string) worktree.Content {
	return worktree.Content{Kind: model.KindLink, Data: []byte(text)}
}

var none = worktree.Content{Kind: model.KindAbsent}

func stateOf(c worktree.Content) model.FileState {
	if c.Kind == model.KindAbsent {
		return model.Absent()
	}
	return worktree.StateOf(c)
}

// cases is every kind of change that a step can make.
func cases() map[string][2]worktree.Content {
	return map[string][2]worktree.Content{
		"write":          {file(0o644, "old"), file(0o644, "new")},
		"write and mode": {file(0o600, "old"), file(0o755, "new")},
		"mode":           {file(0o644, "same"), file(0o755, "same")},
		"create":         {none, file(0o664, "new")},
		"create empty":   {none, file(0o644, "")},
		"create link":    {none, link("to/nowhere")},
		"delete":         {file(0o640, "old"), none},
		"delete link":    {link("to"), none},
		"retarget":       {link("a"), link("b")},
		"file to link":   {file(0o644, "x"), link("x")},
		"link to file":   {link("x"), file(0o644, "x")},
	}
}

func step(path model.Path, c [2]worktree.Content) *restore.Step {
	return &restore.Step{N: 3, Path: path, From: stateOf(c[0]), To: stateOf(c[1]), Content: c[1].Data}
}

// both runs a test with and without exchange.
func both(t *testing.T, test func(t *testing.T, plain bool)) {
	for _, plain := range []bool{false, true} {
		t.Run(fmt.Sprintf("plain=%v", plain), func(t *testing.T) { test(t, plain) })
	}
}

func run(b *restore.Batch, s *restore.Step) error {
	if err := b.Write(s); err != nil {
		return err
	}
	if err := b.Sync([]*restore.Step{s}); err != nil {
		return err
	}
	return b.Swap(s)
}

func TestSwapThenBackIsIdentity(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		for name, c := range cases() {
			p := newPlace(t, plain)
			p.set("d/f", c[0])
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			before, _ := os.Lstat(filepath.Join(p.root, "d/f"))
			s := step("d/f", c)
			p.must(run(b, s))
			if got := p.state("d/f"); got != s.To || !s.Swapped() {
				t.Errorf("%s: swapped to %+v, want %+v", name, got, s.To)
			}
			p.must(b.Back(s))
			if _, err := b.Discard(s); err != nil {
				t.Errorf("%s: discard: %v", name, err)
			}
			if got := p.state("d/f"); got != s.From || s.Swapped() {
				t.Errorf("%s: back at %+v, want %+v", name, got, s.From)
			}
			if after, err := os.Lstat(filepath.Join(p.root, "d/f")); err == nil && !os.SameFile(before, after) {
				t.Errorf("%s: the file that came back is another one", name)
			}
			var stood []string // a program may have opened it while it stood there
			if s.To.Kind != model.KindAbsent {
				stood = []string{string(s.Content)}
			}
			if own, kept := p.own(), p.keptBytes(); len(own) > 0 || !slices.Equal(kept, stood) {
				t.Errorf("%s: left %v, kept %q, want %q", name, own, kept, stood)
			}
		}
	})
}

func TestSwapThenKeepHoldsTheOldFile(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		for name, c := range cases() {
			p := newPlace(t, plain)
			p.set("f", c[0])
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			s := step("f", c)
			p.must(run(b, s))
			p.must(b.Keep(s))
			kept := ""
			for _, f := range b.Shelved() {
				kept = f.Name
			}
			if (kept != "") != (c[0].Kind != model.KindAbsent) {
				t.Errorf("%s: kept as %q", name, kept)
			}
			if kept != "" {
				same, err := p.holds(filepath.Base(kept), s.From)
				if err != nil || !same {
					t.Errorf("%s: kept file differs: %v", name, err)
				}
			}
			if own := p.own(); len(own) > 0 {
				t.Errorf("%s: left %v", name, own)
			}
		}
	})
}

// TestDifferenceIsLeftAlone: whatever stands there instead of the expected state
// stands there afterwards, to the byte and the mode.
func TestDifferenceIsLeftAlone(t *testing.T) {
	others := map[string]worktree.Content{
		"other bytes": file(0o644, "the user's"), "as many other bytes": file(0o644, "OLD"), "other mode": file(0o604, "old"), "a link": link("users"), "nothing": none,
	}
	both(t, func(t *testing.T, plain bool) {
		for name, c := range cases() {
			for what, other := range others {
				if stateOf(other) == stateOf(c[0]) {
					continue
				}
				p := newPlace(t, plain)
				p.set("f", other)
				b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
				s := step("f", c)
				err := run(b, s)
				var differs *restore.Differs
				if !errors.As(err, &differs) || s.Swapped() {
					t.Errorf("%s over %s: %v; want *Differs", name, what, err)
				}
				if _, err := b.Discard(s); err != nil {
					t.Error(err)
				}
				if got := p.state("f"); got != stateOf(other) {
					t.Errorf("%s over %s: now %+v", name, what, got)
				}
				kept := slices.DeleteFunc(p.keptBytes(), func(text string) bool { return text == string(s.Content) })
				if own := p.own(); len(own)+len(kept) > 0 {
					t.Errorf("%s over %s: left %v, kept %q", name, what, own, kept)
				}
			}
		}
	})
}

// TestBackLeavesALaterSave: who saved after the swap keeps that save, and the
// displaced file is kept outside.
func TestBackLeavesALaterSave(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
		for name, c := range cases() {
			p := newPlace(t, plain)
			p.set("f", c[0])
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			s := step("f", c)
			p.must(run(b, s))
			later := file(0o644, "saved later")
			p.set("f", later)
			err := b.Back(s)
			var differs *restore.Differs
			if !errors.As(err, &differs) {
				t.Errorf("%s: %v; want *Differs", name, err)
			}
			if _, err := b.Discard(s); err != nil {
				t.Error(err)
			}
			if got := p.state("f"); got != stateOf(later) {
				t.Errorf("%s: the later save is %+v", name, got)
			}
			if c[0].Kind != model.KindAbsent && name != "mode" {
				if kept := p.keptBytes(); len(kept) != 1 || kept[0] != string(c[0].Data) {
					t.Errorf("%s: kept %q, want the old file", name, kept)
				}
			}
			if own := p.own(); len(own) > 0 {
				t.Errorf("%s: left %v", name, own)
			}
		}
	})
}
