//go:build linux || darwin

package rollback_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// TestRollbackAndUndoAreIdentities: on random trees and random turns, a rollback
// of a random choice of paths followed by undo gives the same bytes and modes; the
// rollback itself changes the chosen paths and none other, and of the whole turn
// it gives the state before.
func TestRollbackAndUndoAreIdentities(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := &generator{w: newWorld(t), r: rand.New(rand.NewPCG(seed, 7))}
			g.tree()
			before := g.w.files()
			g.w.turn(g.edit)
			after := g.w.files()
			whole := g.w.stage()
			if len(whole.Targets) == 0 {
				t.Fatal("the turn changed nothing: the generator is broken")
			}
			var chosen []string
			for _, target := range whole.Targets {
				if g.r.IntN(2) == 0 {
					chosen = append(chosen, string(target.Path))
				}
			}
			g.scoped(chosen, before, after)
			g.w.done(g.w.stage())
			g.w.same("whole turn", g.w.files(), before)
			_, err := g.w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			g.w.must(err)
			g.w.same("whole turn undone", g.w.files(), after)
			g.w.settled()
		})
	}
}

// generator makes random trees and edits from one seed.
type generator struct {
	w *world
	r *rand.Rand
}

func (g *generator) name() string {
	parts := []string{"a", "b", "c d", "e\xff", "-f", "\"g\"", "h\nh"}
	depth := 1 + g.r.IntN(3)
	var name []string
	for range depth {
		name = append(name, parts[g.r.IntN(len(parts))])
	}
	// Files end in a name that is never a folder's, so that trees stay trees.
	return filepath.Join(append(name, fmt.Sprintf("x%d", g.r.IntN(9)))...)
}

func (g *generator) put(name string) {
	switch g.r.IntN(8) {
	case 0:
		g.w.link(name, []string{"nowhere", "../up", "a"}[g.r.IntN(3)])
	case 1:
		g.file(name, "\x00bin"+fmt.Sprint(g.r.Uint64()))
	case 2:
		g.file(name, "")
	default:
		lines := strings.Repeat(fmt.Sprintf("line %d\n", g.r.IntN(5)), g.r.IntN(20))
		g.file(name, lines+fmt.Sprint(g.r.Uint64()))
	}
}

func (g *generator) file(name, text string) {
	file := g.w.Path(name)
	g.w.must(os.MkdirAll(filepath.Dir(file), 0o755))
	g.w.must(os.RemoveAll(file))
	g.w.must(os.WriteFile(file, []byte(text), 0o600))
	g.w.must(os.Chmod(file, []os.FileMode{0o644, 0o755, 0o600, 0o664, 0o440}[g.r.IntN(5)]))
}

func (g *generator) tree() {
	for range 15 {
		g.put(g.name())
	}
	g.w.Git("add", "-A")
	g.w.Commit("base")
	g.put(g.name())
}

// edit is what the agent does: write, remove, chmod, make.
func (g *generator) edit() {
	for name, state := range g.w.files() {
		if strings.HasPrefix(state, "d") {
			continue
		}
		switch g.r.IntN(5) {
		case 0:
			g.put(name)
		case 1:
			g.w.must(os.Remove(g.w.Path(name)))
		case 2:
			if !strings.HasPrefix(state, "->") {
				g.w.must(os.Chmod(g.w.Path(name), 0o750))
			}
		}
	}
	for range 4 {
		g.put(g.name())
	}
	g.prune(g.w.Root)
}

// prune removes folders that the edits emptied: git knows of none.
func (g *generator) prune(dir string) {
	entries, err := os.ReadDir(dir)
	g.w.must(err)
	for _, e := range entries {
		if e.IsDir() && e.Name() != ".git" {
			g.prune(filepath.Join(dir, e.Name()))
			os.Remove(filepath.Join(dir, e.Name())) // stays where it is not empty
		}
	}
}

// scoped rolls the chosen paths back, looks at every path, and undoes it.
func (g *generator) scoped(chosen []string, before, after map[string]string) {
	w := g.w
	w.t.Helper()
	_, err := w.engine.Unstage(w.t.Context(), nil)
	w.must(err)
	if len(chosen) == 0 {
		return
	}
	r := w.done(w.stage(chosen...))
	if r.ID == "" {
		w.t.Error("nothing was rolled back")
	}
	want := clone(after)
	for _, name := range chosen {
		if state, ok := before[name]; ok {
			want[name] = state
		} else {
			delete(want, name)
		}
	}
	w.same("scoped", onlyFiles(w.files()), onlyFiles(want))
	u, err := w.engine.Undo(w.t.Context(), r.ID, rollback.ExecuteOptions{})
	w.must(err)
	if u.Outcome != model.OutcomeUndone {
		w.t.Errorf("undo: %s", u.Outcome)
	}
	w.same("scoped undone", w.files(), after)
}

func onlyFiles(all map[string]string) map[string]string {
	files := map[string]string{}
	for name, state := range all {
		if !strings.HasPrefix(state, "d") {
			files[name] = state
		}
	}
	return files
}
