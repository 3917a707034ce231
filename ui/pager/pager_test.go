package pager_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/keymap"
	"overturn/ui/pager"
)

const patch = `diff --git a/one.txt b/one.txt
index 1..2 100644
--- a/one.txt
+++ b/one.txt
@@ -1,3 +1,3 @@ func one
 same
--- removed, and no header
+++ added, and no header
 same too
@@ -20 +20 @@
-x
+y
diff --git a/two.txt b/two.txt
--- a/two.txt
+++ b/two.txt
@@ -1 +1 @@
-a
\ No newline at end of file
+b
`

type bench struct {
	t     *testing.T
	spool *pager.Spool
	model *pager.Model
	last  *frame.Frame
	quit  bool
}

func open(t *testing.T, text io.Reader, w, h int) *bench {
	t.Helper()
	spool, err := pager.NewSpool()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { spool.Close() })
	b := &bench{t: t, spool: spool}
	spool.Feed(text, func() {})
	b.model = pager.New(spool, func(f *frame.Frame) { b.last = f }, themes.Mono(), termenv.Ascii, keymap.New())
	b.send(tea.WindowSizeMsg{Width: w, Height: h})
	return b
}

func (b *bench) send(msg tea.Msg) {
	if _, cmd := b.model.Update(msg); cmd != nil {
		if _, ok := cmd().(tea.QuitMsg); ok {
			b.quit = true
		}
	}
}

func (b *bench) press(keys ...string) {
	for _, k := range keys {
		switch k {
		case "<enter>":
			b.send(tea.KeyMsg{Type: tea.KeyEnter})
		case "<esc>":
			b.send(tea.KeyMsg{Type: tea.KeyEsc})
		default:
			b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
		}
	}
}

func (b *bench) text() string {
	var out strings.Builder
	for y := range b.last.H {
		for _, p := range b.last.Parts(y) {
			out.Write(p.Text)
		}
		out.WriteByte('\n')
	}
	return ownStyle.ReplaceAllString(out.String(), "")
}

// ownStyle is what frames set styles with, and nothing else.
var ownStyle = regexp.MustCompile(`\x1b\[[0-9;]*[mK]`)

func (b *bench) want(texts ...string) {
	b.t.Helper()
	s := b.text()
	for _, text := range texts {
		if !strings.Contains(s, text) {
			b.t.Errorf("%q is not on the screen:\n%s", text, s)
		}
	}
}

func TestWalkingThroughAPatch(t *testing.T) {
	b := open(t, strings.NewReader(patch), 80, 8)
	b.want("diff --git a/one.txt b/one.txt", "line 1 of 19", "\n one.txt  ")
	b.press("]")
	b.want("@@ -1,3 +1,3 @@ func one", "line 5 of 19")
	b.press("]")
	b.want("line 10 of 19") // the lines that look like headers are none
	b.press("]]")           // both at once
	b.want("no hunk beyond this one", "@@ -1 +1 @@")
	b.press("[", ",")
	b.want("line 1 of 19")
	b.press(".")
	b.want("line 13 of 19", "\n two.txt  ")
	b.press("/")
	b.press("a", "d", "d", "e", "d", "<enter>")
	b.want("not found: added")
	b.press("N")
	b.want("line 8 of 19")
	b.press("G")
	b.want("line 19 of 19")
	b.press("?")
	b.want("q quits")
	if b.press("<esc>"); b.quit {
		t.Error("Esc left the pager, and not the keys alone")
	}
	b.want("line 19 of 19")
	if b.press("q"); !b.quit {
		t.Error("q does not quit")
	}
}

// Colours of the sender go, everything else that a terminal would obey is written out.
func TestControlSequences(t *testing.T) {
	b := open(t, strings.NewReader("\x1b[1mdiff --git a/x b/x\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-a\x1b[m\n\x1b[32m+\x1b[m\x1b[32mb\x1b[m\x1b[K\nafter \x1b[2J\x1b]0;t\x07 it\n\x1b[3"), 60, 8)
	b.want("diff --git a/x b/x", "\n-a\n", "\n+b\n", "line 1 of 6")
	if s := b.text(); strings.ContainsAny(s, "\x1b\x07") {
		t.Errorf("%q", s)
	}
	b.press("]")
	b.want("line 2 of 6")
}

// Half a million lines cost their places, not their bytes, and a screen its rows.
func TestMemoryDoesNotGrowWithTheText(t *testing.T) {
	const n = 500_000
	r, w := io.Pipe()
	go func() {
		line := strings.Repeat("x", 200)
		for i := range n {
			fmt.Fprintf(w, "%d %s\n", i, line)
		}
		w.Close()
	}()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b := open(t, r, 80, 24)
	b.press("G")
	b.want("499999 xxx", "line 500000 of 500000")
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 24<<20 {
		t.Errorf("%d bytes for %d lines", grown, n)
	}
	runtime.KeepAlive(b)
}

// What has come is shown while the rest is waited for.
func TestWhatHasComeIsShown(t *testing.T) {
	spool, err := pager.NewSpool()
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Close()
	r, w := io.Pipe()
	news := make(chan struct{}, 8)
	go spool.Feed(r, func() { news <- struct{}{} })
	if _, err := w.Write([]byte("first\nsecond\nhalf a li")); err != nil {
		t.Fatal(err)
	}
	<-news
	if n, whole, err := spool.Lines(); n != 2 || whole || err != nil {
		t.Errorf("%d lines, whole %t, %v", n, whole, err)
	}
	w.CloseWithError(io.ErrUnexpectedEOF)
	<-news
	if n, whole, err := spool.Lines(); n != 3 || !whole || err == nil {
		t.Errorf("%d lines, whole %t, %v", n, whole, err)
	}
}

func TestOddTexts(t *testing.T) {
	for _, text := range []string{"", "\n", "one", "\x00\xff\xfe\n", strings.Repeat("long ", 1<<19) + "\n", "@@ -1,5 +1,5 @@\n\n-\n", "@@ -9999999999999999999 +1 @@\n-\n", "@@ -1,-3 +1,4 @@\nx\n", "@@ -1,2 +1,2 @@\n a\n\x1b[m"} {
		for _, size := range [][2]int{{1, 1}, {3, 2}, {80, 24}} {
			b := open(t, strings.NewReader(text), size[0], size[1])
			b.press("j", "]", ".", "G", "g", "l", "/", "x", "<enter>", "n", " ")
			for y := range b.last.H {
				if b.last.Parts(y) == nil {
					t.Errorf("%.20q at %v: row %d is empty", text, size, y)
				}
			}
		}
	}
}

// A line that is longer than what is kept of it says so, and costs no more than that.
func TestALineWithoutEnd(t *testing.T) {
	const size = 64 << 20
	spool, err := pager.NewSpool()
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	spool.Feed(io.MultiReader(io.LimitReader(endless{}, size), strings.NewReader("\nlast")), func() {})
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d bytes for a line of %d", grown, size)
	}
	line, _ := spool.Line(0)
	if end := fmt.Sprintf("x … %d more bytes", size-1<<20); !bytes.HasSuffix(line, []byte(end)) {
		t.Errorf("it ends with %q, want %q", line[max(len(line)-40, 0):], end)
	}
	if line, _ := spool.Line(1); string(line) != "last" {
		t.Errorf("after it comes %.20q", line)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Whatever comes, every byte but colours is kept, and lines are told apart.
func FuzzSpool(f *testing.F) {
	f.Add([]byte(patch))
	f.Add([]byte("@@ -1,2 +1 @@\n\x1b[31m-a\x1b[m\r\n\\ No\n\x1b["))
	f.Add([]byte("@@ -1 +1 @@\n\x1b[m"))
	f.Fuzz(func(t *testing.T, text []byte) {
		spool, err := pager.NewSpool()
		if err != nil {
			t.Fatal(err)
		}
		defer spool.Close()
		spool.Feed(bytes.NewReader(text), func() {})
		n, whole, err := spool.Lines()
		if err != nil || !whole {
			t.Fatal(whole, err)
		}
		var back []byte
		for i := range n {
			line, _ := spool.Line(i)
			back = append(append(back, line...), '\n')
		}
		if bytes.IndexByte(text, 0x1b) < 0 && !bytes.Equal(bytes.TrimSuffix(back, []byte("\n")), bytes.TrimSuffix(text, []byte("\n"))) {
			t.Fatalf("%q became %q", text, back)
		}
	})
}

// The end of a path stays where the row is narrow, and so does the way out.
func TestNarrowStatus(t *testing.T) {
	const long = "diff --git a/some/where/deep/one.txt b/some/where/deep/one.txt\n@@ -1 +1 @@\n-a\n+b\n"
	b := open(t, strings.NewReader(long), 40, 8)
	b.want(" …/one.txt line 1 of 4", "line 1 of 4  ? keys  q quits")
	b = open(t, strings.NewReader("diff --git a/old b/new name\n"), 80, 8)
	b.want("\n a/old b/new name  ")
	b = open(t, strings.NewReader("diff --git a/\n"), 80, 8)
	b.want("\n a/  ")
}
