package uitest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"overturn/ui/frame"
)

// Check tells whether f fits a screen of w×h: every row covers every column and none
// beyond, each part is as wide as it says, and its text holds nothing that a terminal
// obeys but what a frame is made of.
func Check(t testing.TB, f *frame.Frame, w, h int) {
	t.Helper()
	if f.W != w || f.H != h {
		t.Errorf("the frame is %d×%d on a screen of %d×%d", f.W, f.H, w, h)
	}
	if f.CursorX >= w || f.CursorY >= h {
		t.Errorf("the cursor is shown at %d, %d of %d×%d", f.CursorX, f.CursorY, w, h)
	}
	for y := range f.H {
		col := 0
		for _, p := range f.Parts(y) {
			if err := checkPart(p, f.W); err != nil {
				t.Errorf("row %d: %v\n%q", y, err, p.Text)
			}
			if p.Over {
				if p.Col < 0 || p.End > f.W {
					t.Errorf("row %d: an overlay goes from %d to %d of %d", y, p.Col, p.End, f.W)
				}
				continue
			}
			if p.Col != col {
				t.Errorf("row %d: a part begins at %d, the one before ends at %d", y, p.Col, col)
			}
			col = p.End
		}
		if col != f.W {
			t.Errorf("row %d covers %d of %d columns", y, col, f.W)
		}
	}
}

// checkPart follows the text of a part as a terminal would and says what is wrong
// with it.
func checkPart(p frame.Part, width int) error {
	text := string(p.Text)
	if !utf8.ValidString(text) {
		return fmt.Errorf("the text is not UTF-8")
	}
	col := p.Col
	for text != "" {
		if text[0] == '\x1b' {
			n, to, err := sequence(text, col, width)
			if err != nil {
				return err
			}
			text, col = text[n:], to
			continue
		}
		end := strings.IndexByte(text, '\x1b')
		if end < 0 {
			end = len(text)
		}
		for _, r := range text[:end] {
			if drives(r) {
				return fmt.Errorf("%U reaches the terminal", r)
			}
		}
		col += frame.Width(text[:end])
		text = text[end:]
	}
	if col != p.End {
		return fmt.Errorf("a part from %d to %d ends at %d", p.Col, p.End, col)
	}
	return nil
}

// sequence reads one of the sequences that a frame is made of: a style, an erase to
// the end of the row, a column. It returns its length and where the cursor is then.
func sequence(text string, col, width int) (n, to int, err error) {
	end := strings.IndexFunc(text, func(r rune) bool { return r >= 'A' && r <= 'z' && r != '[' })
	if end < 2 || text[1] != '[' || strings.Trim(text[2:end], "0123456789;:") != "" {
		return 0, 0, fmt.Errorf("%.12q is no sequence of a frame", text)
	}
	switch text[end] {
	case 'm':
		return end + 1, col, nil
	case 'K':
		if end != 2 {
			break
		}
		return end + 1, width, nil
	case 'G':
		to, err := strconv.Atoi(text[2:end])
		return end + 1, to - 1, err
	}
	return 0, 0, fmt.Errorf("%.12q is no sequence of a frame", text)
}

// drives tells the runes that act on a terminal, or on its reader, without being seen.
// Joiners and selectors may stand within a cluster: frame sets the column after it.
func drives(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0x200B, r == 0x200E, r == 0x200F, r == 0x61C, r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r == 0xAD:
		return true
	}
	return false
}
