//go:build linux || darwin

package restore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

// trouble is what happens to d, the folder of the target d/f, or beside it; lift makes
// well again what would keep anybody from settling it.
type trouble struct {
	users      string // a text that somebody saved at the target
	cause      func(p *place)
	lift       func(p *place)
	takesSaved bool // it may take what stood at the target along
}

func troubles() map[string]trouble {
	perm := func(name string, perm os.FileMode) func(p *place) {
		return func(p *place) { p.must(os.Chmod(filepath.Join(p.root, name), perm)) }
	}
	at := func(p *place) string { return filepath.Join(p.root, "d/f") }
	return map[string]trouble{
		"nothing may be written there": {"", perm("d", 0o500), perm("d", 0o700), false},
		"nobody may go there":          {"", perm("d", 0), perm("d", 0o700), false},
		"nothing may be kept":          {"", perm("../kept", 0o500), perm("../kept", 0o700), false},
		"nothing may be looked at":     {"", perm("../kept", 0), perm("../kept", 0o700), false},
		"the target goes":              {"", func(p *place) { p.must(os.RemoveAll(at(p))) }, nil, true},
		"somebody saves":               {"saved", func(p *place) { p.set("d/f", file(0o640, "saved")) }, nil, true},
		"a folder comes in its place":  {"saved", func(p *place) { p.set("d/f", none); p.set("d/f/in", file(0o640, "saved")) }, nil, true},
		"somebody links":               {"saved", func(p *place) { p.set("d/f", link("saved")) }, nil, true},
		"the new file goes":            {"", func(p *place) { p.clear() }, nil, true},
		"the folder goes elsewhere":    {"", func(p *place) { p.must(os.Rename(filepath.Join(p.root, "d"), filepath.Join(p.root, "e"))) }, nil, false},
		"another folder in its place": {"saved", func(p *place) {
			p.must(os.Rename(filepath.Join(p.root, "d"), filepath.Join(p.root, "e")))
			p.set("d/f", file(0o640, "saved"))
		}, nil, false},
		"the folder goes and all in it": {"", func(p *place) { p.must(os.RemoveAll(filepath.Join(p.root, "d"))) }, nil, true},
	}
}

// clear removes the files of overturn's own.
func (p *place) clear() {
	for _, name := range p.own() {
		p.must(os.Remove(name))
	}
}

// walk is one way through a step; whole tells whether the new file was durable.
type walk func(b *restore.Batch, s *restore.Step) (whole bool, err error)

func walks() map[string]walk {
	after := func(then func(b *restore.Batch, s *restore.Step) error) walk {
		return func(b *restore.Batch, s *restore.Step) (bool, error) {
			if err := errors.Join(b.Write(s), b.Sync([]*restore.Step{s})); err != nil {
				return false, err
			}
			if err := b.Swap(s); err != nil {
				return true, err
			}
			return true, then(b, s)
		}
	}
	back := func(b *restore.Batch, s *restore.Step) error {
		if err := b.Back(s); err != nil {
			return err
		}
		_, err := b.Discard(s)
		return err
	}
	return map[string]walk{"and back": after(back), "and kept": after((*restore.Batch).Keep)}
}

// TestTroubleAtEveryPoint: whatever happens between any two calls of a step that change
// the disk, the step is done, or is put back once the trouble is over, or says what
// differs; what somebody saved, and what stood there, is at the path or kept.
func TestTroubleAtEveryPoint(t *testing.T) {
	gittest.Unprivileged(t)
	both(t, func(t *testing.T, plain bool) {
		met := 0
		for _, kind := range []string{"write", "create", "delete", "retarget", "file to link"} {
			for way, walk := range walks() {
				points := pointsOf(t, plain, kind, walk)
				for n, point := range points {
					at := fmt.Sprintf("%s:%d", point, 1+len(slices.DeleteFunc(slices.Clone(points[:n]), func(p string) bool { return p != point })))
					for what, tr := range troubles() {
						met += meet(t, plain, kind, walk, at, fmt.Sprintf("%s %s, %s at %s", kind, way, what, at), tr)
					}
				}
			}
		}
		if met < 300 {
			t.Errorf("only %d troubles were met", met)
		}
	})
}

// pointsOf lists the fail points that a walk passes.
func pointsOf(t *testing.T, plain bool, kind string, walk walk) []string {
	p, b, s := newStep(t, plain, kind)
	list := filepath.Join(t.TempDir(), "list")
	t.Setenv("OVERTURN_FAIL_POINT", "list:"+list)
	_, err := walk(b, s)
	p.must(errors.Join(err, os.Unsetenv("OVERTURN_FAIL_POINT"), b.Close()))
	data, err := os.ReadFile(list)
	p.must(err)
	return strings.Fields(string(data))
}

func newStep(t *testing.T, plain bool, kind string) (*place, *restore.Batch, *restore.Step) {
	p := &place{t: t, root: t.TempDir()}
	p.root, p.kept = filepath.Join(p.root, "tree"), filepath.Join(p.root, "kept")
	p.must(os.MkdirAll(filepath.Join(p.root, "d"), 0o700))
	p.must(os.Mkdir(p.kept, 0o700))
	tree, err := worktree.Open(p.root)
	p.must(err)
	if p.tree = tree; plain {
		tree.WithoutExchange()
	}
	c := cases()[kind]
	p.set("d/f", c[0])
	return p, restore.New(p.tree, id, restore.Options{Kept: p.kept}), step("d/f", c)
}

// meet walks with the trouble at one point and unwinds the step; it tells
// whether (1) or not (0) the walk came by.
func meet(t *testing.T, plain bool, kind string, walk walk, point, what string, tr trouble) int {
	p, b, s := newStep(t, plain, kind)
	defer func() { p.must(errors.Join(b.Close(), p.tree.Close())) }()
	leave := filepath.Join(filepath.Dir(p.root), "leave")
	t.Setenv("OVERTURN_FAIL_POINT", point+"=wait:"+leave)
	came, ended := 0, make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		for ; came == 0; time.Sleep(50 * time.Microsecond) {
			if _, err := os.Lstat(leave + ".here"); err == nil {
				came = 1
				tr.cause(p)
				p.must(os.WriteFile(leave, nil, 0o600))
			}
			select {
			case <-ended:
				return
			default:
			}
		}
	})
	whole, err := walk(b, s)
	close(ended)
	other.Wait()
	p.must(os.Unsetenv("OVERTURN_FAIL_POINT"))
	if tr.lift != nil && came == 1 {
		tr.lift(p)
	}
	if err != nil {
		left := restore.BesidesCut
		if whole {
			left = restore.BesidesWhole
		}
		p.tidy(what, kind, left, tr.lift != nil)
	}
	p.account(what, kind, tr)
	if tr.lift != nil {
		if got := p.state("d/f"); got != s.From && got != s.To {
			t.Errorf("%s: it stands as %+v", what, got)
		}
		if own := p.own(); len(own) > 0 {
			t.Errorf("%s: left %v", what, own)
		}
	}
	return came
}

// tidy unwinds a step that was stopped, as a recovery does; it has to succeed where the
// trouble is over.
func (p *place) tidy(what, kind string, left restore.Besides, over bool) {
	p.t.Helper()
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
	c := cases()[kind]
	s := step("d/f", c)
	found, _, err := b.Tidy(s, true, left)
	if err == nil && found == s.To {
		back := &restore.Step{N: s.N, Path: s.Path, From: s.To, To: s.From, Content: c[0].Data}
		if err = run(b, back); err == nil {
			err = b.Keep(back)
		}
	}
	if differs := new(restore.Differs); over && err != nil && !errors.As(err, &differs) {
		p.t.Errorf("%s: it cannot be unwound: %v", what, err)
	}
	p.must(b.Close())
}

// account looks for what stood at the target, and for what somebody saved there.
func (p *place) account(what, kind string, tr trouble) {
	p.t.Helper()
	var texts []string
	for _, root := range []string{p.root, p.kept} {
		p.must(filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if text, err := os.Readlink(name); err == nil {
				texts = append(texts, text)
				return nil
			}
			data, err := os.ReadFile(name)
			texts = append(texts, string(data))
			return err
		}))
	}
	var want []string
	if c := cases()[kind]; c[0].Kind != model.KindAbsent && !tr.takesSaved {
		want = append(want, string(c[0].Data))
	}
	if tr.users != "" {
		want = append(want, tr.users)
	}
	for _, text := range want {
		if !slices.Contains(texts, text) {
			p.t.Errorf("%s: %q is lost; there are %q", what, text, texts)
		}
	}
}
