package vt

import (
	"fmt"
	"unicode/utf8"
)

// Feed parses output.
func (t *Term) Feed(p []byte) {
	for _, c := range p {
		switch t.state {
		case ground:
			if len(t.u8) > 0 || c >= 0x80 {
				t.utf8(c)
				continue
			}
			t.ascii(c)
		case escape:
			t.esc(c)
		case escInter:
			if c >= 0x20 && c < 0x30 {
				t.params = append(t.params, c)
				continue
			}
			t.escInterDone(c)
			t.state = ground
		case csi:
			switch {
			case c == 0x1b:
				t.state = escape
				t.params = t.params[:0]
			case c == 0x18 || c == 0x1a:
				t.state = ground
			case c < 0x20:
				t.ctl(c)
			case c >= 0x40 && c < 0x7f:
				t.state = ground
				t.doCSI(c)
			case c < 0x7f:
				if len(t.params) < 4096 {
					t.params = append(t.params, c)
				}
			}
		case strState:
			switch {
			case c == 0x1b:
				t.state = strEsc
			case c == 7 && t.strKind == ']':
				t.state = ground
				t.doStr()
			case c == 0x18 || c == 0x1a:
				t.state = ground
			default:
				if len(t.str) < 1<<20 {
					t.str = append(t.str, c)
				}
			}
		case strEsc:
			t.state = ground
			t.doStr()
			if c != '\\' {
				t.state = escape
				t.params = t.params[:0]
				t.esc(c)
			}
		}
	}
}

func (t *Term) utf8(c byte) {
	if len(t.u8) > 0 && (c < 0x80 || c >= 0xC0) { // truncated sequence
		t.u8 = t.u8[:0]
		t.put(utf8.RuneError)
		if c < 0x80 {
			t.ascii(c)
			return
		}
	}
	t.u8 = append(t.u8, c)
	if len(t.u8) == 1 && (c < 0xC2 || c > 0xF4) {
		t.u8 = t.u8[:0]
		t.Notable[fmt.Sprintf("raw byte %02x", c)]++
		t.put(utf8.RuneError)
		return
	}
	if !utf8.FullRune(t.u8) {
		return
	}
	r, _ := utf8.DecodeRune(t.u8)
	t.u8 = t.u8[:0]
	if r >= 0x80 && r < 0xA0 { // C1 in UTF-8
		t.Notable[fmt.Sprintf("C1 U+%04X", r)]++
		switch r {
		case 0x9b:
			t.state, t.params = csi, t.params[:0]
		case 0x9d:
			t.state, t.str, t.strKind = strState, t.str[:0], ']'
		case 0x90:
			t.state, t.str, t.strKind = strState, t.str[:0], 'P'
		case 0x84:
			t.lf()
		case 0x85:
			t.b.x = 0
			t.lf()
		}
		return
	}
	t.put(r)
}

func (t *Term) ascii(c byte) {
	switch {
	case c == 0x1b:
		t.state = escape
		t.params = t.params[:0]
	case c < 0x20 || c == 0x7f:
		t.ctl(c)
	default:
		r := rune(c)
		if t.g[t.gl] == '0' && c >= 0x5f && c < 0x7f {
			r = []rune(" ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")[c-0x5f]
		}
		t.put(r)
	}
}

func (t *Term) ctl(c byte) {
	b := t.b
	switch c {
	case 7:
		t.Notable["bell"]++
	case 8:
		if b.x > 0 {
			b.x--
		}
		b.wrapNext = false
	case 9:
		for b.x < t.W-1 {
			b.x++
			if t.tabs[b.x] {
				break
			}
		}
	case 10, 11, 12:
		t.lf()
	case 13:
		b.x, b.wrapNext = 0, false
	case 14:
		t.gl = 1
	case 15:
		t.gl = 0
	default:
		t.Notable[fmt.Sprintf("control %02x", c)]++
	}
}

func (t *Term) esc(c byte) {
	t.state = ground
	switch c {
	case '[':
		t.state, t.params = csi, t.params[:0]
	case ']', 'P', '_', '^', 'X':
		t.state, t.str, t.strKind = strState, t.str[:0], c
	case '7':
		t.save()
	case '8':
		t.restore()
	case 'D':
		t.lf()
	case 'E':
		t.b.x = 0
		t.lf()
	case 'M':
		if t.b.y == t.b.top {
			t.scroll(-1)
		} else if t.b.y > 0 {
			t.b.y--
		}
	case 'H':
		t.tabs[t.b.x] = true
	case 'c':
		t.Notable["full reset"]++
		n := New(t.W, t.H)
		t.main, t.alt, t.b, t.st, t.g, t.gl = n.main, n.alt, n.main, Style{}, n.g, 0
		t.noWrap, t.origin, t.insert, t.CursorHidden, t.Sync = false, false, false, false, false
	case '=', '>', '\\':
	case 0x1b:
		t.state = escape
	default:
		if c >= 0x20 && c < 0x30 {
			t.state, t.params = escInter, append(t.params[:0], c)
			return
		}
		t.Unknown["ESC "+string(rune(c))]++
	}
}

func (t *Term) escInterDone(c byte) {
	switch t.params[0] {
	case '(':
		t.g[0] = c
	case ')':
		t.g[1] = c
	case '#', '%', ' ', '*', '+':
	default:
		t.Unknown["ESC "+string(t.params)+string(rune(c))]++
	}
}

func (t *Term) save()    { b := t.b; b.sx, b.sy, b.sst = b.x, b.y, t.st }
func (t *Term) restore() { b := t.b; b.x, b.y, t.st, b.wrapNext = b.sx, b.sy, b.sst, false }

func clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }
