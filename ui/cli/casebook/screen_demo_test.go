package casebook_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/ui/uitest/vt"
)

// demoBook is the demo's repository: what its screens show was recorded.
func demoBook(t *testing.T) *book {
	t.Helper()
	b := openBook(t)
	dir := filepath.Join(t.TempDir(), "demo")
	b.ok("demo", "--no-tui", "--dir", dir)
	return bookOf(t, b.At(dir))
}

// look is a terminal: its size, what its environment says, and what every cell
// that it shows must be.
type look struct {
	name string
	w, h int
	env  []string
	cell func(vt.Cell) bool
}

func looks() []look {
	anything := func(vt.Cell) bool { return true }
	plain := func(c vt.Cell) bool { return c.Style.FG == 0 && c.Style.BG == 0 }
	sixteen := func(c vt.Cell) bool { return c.Style.FG <= 16 && c.Style.BG <= 16 }
	return []look{
		{"dark", 80, 24, nil, anything},
		{"light", 200, 60, []string{"COLORFGBG=0;15"}, anything},
		{"256 colours", 80, 24, []string{"COLORTERM="}, func(c vt.Cell) bool { return c.Style.FG <= 256 && c.Style.BG <= 256 }},
		{"16 colours", 200, 60, []string{"TERM=xterm", "COLORTERM="}, sixteen},
		{"16 colours", 80, 24, []string{"TERM=xterm", "COLORTERM="}, sixteen},
		{"NO_COLOR", 80, 24, []string{"NO_COLOR=1"}, plain},
		{"NO_COLOR", 200, 60, []string{"NO_COLOR=1"}, plain},
	}
}

// cells holds what stands on the screen against the look, and that it fills the
// terminal.
func (s *onScreen) cells(l look) {
	s.b.t.Helper()
	s.rest()
	rows := s.Cells()
	if len(rows) != l.h || len(rows[0]) != l.w {
		s.b.t.Fatalf("the screen has %d rows of %d", len(rows), len(rows[0]))
	}
	for y, row := range rows {
		for x, c := range row {
			if !l.cell(c) {
				s.b.t.Fatalf("row %d, column %d: %q is drawn in %+v\n%s", y, x, c.R, c.Style, s.Text())
			}
		}
	}
}

// TestScreenModes goes through everything that the review shows, on terminals of
// every kind; nothing is written on the way.
func TestScreenModes(t *testing.T) {
	for _, l := range looks() {
		t.Run(fmt.Sprintf("%s %dx%d", l.name, l.w, l.h), func(t *testing.T) {
			t.Parallel()     // they wait for their screens most of the time
			b := demoBook(t) // a review goes on where the last one of its work tree ended
			before := b.world()
			b.goThrough(l)
			b.same(before)
		})
	}
}

// goThrough shows every mode and pane on one terminal.
func (b *book) goThrough(l look) {
	b.t.Helper()
	s := b.review(l.w, l.h, l.env...)
	for _, step := range []struct {
		keys  string
		wants []string
	}{
		{"", []string{"3 Latest", "4 R ready", "interrupted", "4 files", "limits.txt", "turn 4, start → turn 4, end", "-orders a day: 100", "+orders a day: 500"}},
		{"1", []string{"HEAD", "13 files", "logo.bin", "notes.txt", "binary, 600 → 600 bytes"}},
		{"2", []string{"14 files", "customer.py", "uncommitted"}},
		{"4", []string{"4 Turn 3", "3 M missing", "was not captured"}},
		{"(", []string{"4 Turn 2", "turn 2, start → turn 2, end", "sender.py", "importer.py"}},
		{"(", []string{"4 Turn 1", "turn 1, start → turn 1, end", "2 files", "cart.py"}},
		{"(", []string{"no turn beyond this one"}},
		{")", []string{"4 Turn 2"}},
		{"3", []string{"turn 4, start → turn 4, end", "-orders a day: 100"}},
		{"/orders<enter>", []string{"1/"}},
		{"i", []string{"Checkpoint of turn 4", "refs/overturn/threads/ZGVtby1zZXNzaW9u/turn/4", "R ready  interrupted"}},
		{"<esc>o", []string{"Nothing was rolled back here yet"}},
		{"<esc>P", []string{"Nothing is staged"}},
		{"<esc>?", []string{"Help", "working tree: HEAD to what is on disk", "selected turn", "previous turn"}},
		{"<esc>", []string{"turn 4, start → turn 4, end", "limits.txt"}},
	} {
		s.press(step.keys, step.wants...)
		s.cells(l)
	}
	s.quit()
}

// TestScreenThemes: lines that came and went differ from plain ones by their
// letter alone without colour, else by colour too, and light and dark differ.
func TestScreenThemes(t *testing.T) {
	t.Parallel()
	b := demoBook(t)
	seen := map[string]string{}
	for _, l := range looks() {
		if len(seen) > 0 && seen[l.name] != "" {
			continue // the same at another size
		}
		s := b.review(l.w, l.h, l.env...)
		s.wait("-orders a day: 100", "+orders a day: 500", "items an order")
		s.rest()
		var styles []string
		for _, text := range []string{"-orders", "+orders", "items an"} {
			c, ok := s.find(text)
			if !ok {
				t.Fatalf("%s: %q is not there\n%s", l.name, text, s.Text())
			}
			styles = append(styles, fmt.Sprint(c.Style.FG, "/", c.Style.BG))
		}
		coloured := styles[0] != styles[1] && styles[0] != styles[2] && styles[1] != styles[2]
		if coloured == (l.name == "NO_COLOR") {
			t.Errorf("%s: lines are drawn in %v", l.name, styles)
		}
		for name, other := range seen {
			if other == fmt.Sprint(styles) {
				t.Errorf("%s looks like %s: %v", l.name, name, styles)
			}
		}
		seen[l.name] = fmt.Sprint(styles)
		s.quit()
	}
}

// TestScreenRollback: a hunk is staged, shown as a plan, confirmed, undone, redone.
func TestScreenRollback(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b := demoBook(t)
			const path = "shop/limits.txt"
			was := b.Read(path)
			before := b.world()
			s := b.review(size[0], size[1])
			s.press("", "+orders a day: 500")
			s.press("<enter>x", "● 1 staged", "● staged")
			s.keys("x")
			s.until("nothing staged", func(screen string) bool { return !strings.Contains(screen, "1 staged") })
			s.press("x", "● 1 staged")
			s.press("P", "Plan of what is staged", "1 path · 1 clean", "fingerprint "+b.plan().Fingerprint[:50], "-orders a day: 500", "+orders a day: 100", "ignored files are never touched")
			s.press("P", "Roll back 1 path?", "Cancel", "y roll back")
			b.same(before)
			time.Sleep(300 * time.Millisecond)
			s.press("y", "rolled back: 1 restored · verified · u undoes it")
			s.until("nothing staged", func(screen string) bool {
				return !strings.Contains(screen, "Roll back 1 path?") && !strings.Contains(screen, "1 staged")
			})
			if now := b.Read(path); now != strings.Replace(was, "500", "100", 1) {
				t.Errorf("after y %s is %q", path, now)
			}
			b.same(before, path)
			rolled := b.world()
			s.press("u", "Undo the rollback of 1 path", "y undo")
			b.same(rolled)
			time.Sleep(300 * time.Millisecond)
			s.press("y", "undone: 1 restored")
			b.restored(before)
			s.press("o", "History", "rollback", "undo")
			s.press("U", "Redo the rollback of 1 path")
			time.Sleep(300 * time.Millisecond)
			s.press("y", "redone")
			b.restored(rolled)
			s.press("<esc>1", "HEAD")
			s.quit()
			if h := b.ok("history"); strings.Count(h, "\n") != 3 {
				t.Errorf("history: %s", h)
			}
			b.restored(rolled)
		})
	}
}
