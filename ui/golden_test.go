package ui_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/uitest"
	"overturn/ui/uitest/vt"
)

// TestMain knows -update, which writes the golden frames anew.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "write the golden frames of testdata/golden anew")
	os.Exit(m.Run())
}

func updates() bool { return flag.Lookup("update").Value.String() == "true" }

// goldenLooks are two themes and none.
func goldenLooks() map[string]uitest.Option {
	return map[string]uitest.Option{
		"dusk":  uitest.WithTheme(themes.Dusk(), termenv.TrueColor),
		"paper": uitest.WithTheme(themes.Paper(), termenv.TrueColor),
		"none":  uitest.WithTheme(themes.Mono(), termenv.Ascii),
	}
}

// goldenScenes are what is pressed after the start.
func goldenScenes() map[string][]string {
	return map[string][]string{
		"files": {},
		"diff":  {"j", "j", "j", "<enter>", "]", "v", "j", "j"},
		"plan":  {"X", "P", "P"},
	}
}

// TestGoldenFrames holds what the review looks like, cell by cell, at three sizes, in
// two themes and without colour. The files are what a terminal shows: look at one with
// cat. `go test ./ui -run Golden -update` writes them anew; what differs is to be looked
// at before it is committed.
func TestGoldenFrames(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		for look, option := range goldenLooks() {
			for scene, keys := range goldenScenes() {
				name := fmt.Sprintf("%s-%dx%d-%s", scene, size[0], size[1], look)
				t.Run(name, func(t *testing.T) {
					r := uitest.Open(t, uitest.Shop(), size[0], size[1], option)
					r.Press(keys...)
					golden(t, filepath.Join("testdata", "golden", name+".ans"), picture(r.Term))
				})
			}
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if updates() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\ngo test ./ui -run Golden -update writes it", err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for y := range max(len(g), len(w)) {
		if y >= len(g) || y >= len(w) || g[y] != w[y] {
			t.Fatalf("%s differs from row %d on:\n%s\nwant\n%s\n%q\nwant\n%q", file, y, row(g, y), row(w, y), row(g, y), row(w, y))
		}
	}
}

func row(rows []string, y int) string {
	if y < len(rows) {
		return rows[y] + "\x1b[m"
	}
	return ""
}

// picture is the cells of a screen as a terminal is told them: styles where they
// change, every row to its last cell.
func picture(term *vt.Term) []byte {
	var b bytes.Buffer
	for _, cells := range term.Cells() {
		style := vt.Style{}
		for _, c := range cells {
			if c.Wide == 2 { // the right half of the one before
				continue
			}
			if c.Style != style {
				style = c.Style
				b.WriteString(sequence(style))
			}
			b.WriteRune(c.R)
			b.WriteString(c.Comb)
		}
		if style != (vt.Style{}) {
			b.WriteString("\x1b[m")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func sequence(s vt.Style) string {
	codes := []string{"0"}
	for i, code := range []string{"1", "2", "3", "4", "7", "9", "8"} { // vt's bits, in order
		if s.Attr&(1<<i) != 0 {
			codes = append(codes, code)
		}
	}
	return "\x1b[" + strings.Join(append(codes, colourCodes(s.FG, 30), colourCodes(s.BG, 40)), ";") + "m"
}

// colourCodes selects a colour: base is 30 for letters, 40 for the ground.
func colourCodes(c uint32, base int) string {
	switch {
	case c == 0:
		return fmt.Sprint(base + 9)
	case c>>24 != 0:
		return fmt.Sprintf("%d;2;%d;%d;%d", base+8, c>>16&0xff, c>>8&0xff, c&0xff)
	}
	return fmt.Sprintf("%d;5;%d", base+8, c-1)
}
