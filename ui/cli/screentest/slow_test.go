//go:build linux || darwin

package screentest_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
	"overturn/ui/uitest/ptytest"
	"overturn/ui/uitest/vt"
)

// kernel is how much of what is written a pseudo-terminal holds until it is read, in
// bytes, on the systems that we know.
const kernel = 16 << 10

// TestSlowLink: over a link of 2 kB a second each frame is whole, frames that were
// overtaken are not sent, and what a key sends is bounded by the screen, not by how many
// keys came before it.
func TestSlowLink(t *testing.T) {
	d := &desk{gittest.New(t), t}
	d.Commit("first")
	d.turn("Write a long file", func() {
		var text strings.Builder
		for i := range 4000 {
			fmt.Fprintf(&text, "line %04d of a file that is long\n", i)
		}
		d.Write("long.txt", text.String())
	})
	const w, h, keys = 72, 20, 80
	burst := strings.Repeat("<c-d>", keys)

	fast := d.review(w, h)
	fast.press("", "long.txt")
	fast.press("<enter>g", "line 0000")
	fast.press(burst, "line 0640")
	fast.rest()
	want := fast.Text()
	fast.quit()

	session, err := ptytest.Start(ptytest.Options{Dir: d.Root, Env: d.environ(), Width: w, Height: h, Slow: 2000}, clitest.Bin(), "review")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	slow := &screen{session, t}
	slow.press("", "long.txt")
	slow.press("<enter>g", "line 0000")
	before := len(slow.Bytes())
	if err := slow.Send(burst); err != nil {
		t.Fatal(err)
	}
	if err := slow.WaitFor(limit, "the screen of a fast link", func(text string) bool {
		return text == want && bytes.HasSuffix(slow.Bytes(), []byte(frameEnd)) // all of the last frame
	}); err != nil {
		t.Fatal(err)
	}
	sent := slow.Bytes()
	largest := wholeFrames(t, sent, w, h)
	if n, most := len(sent)-before, kernel+3*largest; n > most {
		t.Errorf("%d keys sent %d bytes, more than what is under way and three frames: %d", keys, n, most)
	}

	// A key that moves the cursor sends two rows, whatever came before.
	before = len(sent)
	slow.press("j", "")
	if err := slow.WaitFor(limit, "another picture", func(string) bool { return len(slow.Bytes()) > before }); err != nil {
		t.Fatal(err)
	}
	slow.quit()
	frames := frameEnds(slow.Bytes()[before:])
	if most := 2 * largest / h * 3; len(frames) == 0 || frames[0] > most {
		t.Errorf("one row down sent %v bytes, more than %d", frames, most)
	}
}

// frameEnd is what a frame ends with.
const frameEnd = "\x1b[?2026l"

// frameEnds is where each frame in sent ends.
func frameEnds(sent []byte) (ends []int) {
	end := []byte(frameEnd)
	for at := 0; ; {
		i := bytes.Index(sent[at:], end)
		if i < 0 {
			return ends
		}
		at += i + len(end)
		ends = append(ends, at)
	}
}

// wholeFrames holds the picture after each frame against what the file holds: its lines
// follow each other, and header and status stand. It returns the size of the largest.
func wholeFrames(t *testing.T, sent []byte, w, h int) (largest int) {
	t.Helper()
	if opened := bytes.Count(sent, []byte("\x1b[?2026h")); opened != len(frameEnds(sent)) {
		t.Errorf("%d frames begin and %d end", opened, len(frameEnds(sent)))
	}
	term, number, from := vt.New(w, h), regexp.MustCompile(`line (\d{4}) of`), 0
	for _, end := range frameEnds(sent) {
		term.Feed(sent[from:end])
		largest, from = max(largest, end-from), end
		text := term.Text()
		if !strings.HasPrefix(strings.TrimSpace(text), "overturn") {
			t.Fatalf("a frame without its header:\n%s", text)
		}
		var lines []int
		for _, m := range number.FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, n)
		}
		if len(lines) > 0 && (!slices.IsSorted(lines) || lines[len(lines)-1]-lines[0] != len(lines)-1) {
			t.Fatalf("a frame of two pictures: lines %v\n%s", lines, text)
		}
	}
	return largest
}
