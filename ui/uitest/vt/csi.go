package vt

import (
	"fmt"
	"strconv"
	"strings"
)

func (t *Term) doCSI(final byte) {
	raw := string(t.params)
	pre, inter := "", ""
	s := raw
	if s != "" && strings.IndexByte("?><=", s[0]) >= 0 {
		pre, s = s[:1], s[1:]
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r >= 0x20 && r < 0x30 }); i >= 0 {
		inter, s = s[i:], s[:i]
	}
	var ps []int
	for _, f := range strings.Split(s, ";") {
		f, _, _ = strings.Cut(f, ":")
		n, _ := strconv.Atoi(f)
		ps = append(ps, clamp(n, 0, 1<<20))
	}
	arg := func(i, def int) int {
		if i < len(ps) && ps[i] != 0 {
			return ps[i]
		}
		return def
	}
	b := t.b
	n := arg(0, 1)
	key := pre + inter + string(rune(final))
	switch key {
	case "A", "F", "B", "e", "E", "G", "`", "C", "a", "D", "H", "f", "d":
		b.wrapNext = false
		top, bot := 0, t.H-1
		if b.y >= b.top && b.y <= b.bot {
			top, bot = b.top, b.bot
		}
		switch final {
		case 'A', 'F':
			b.y = max(b.y-n, top)
		case 'B', 'e', 'E':
			b.y = min(b.y+n, bot)
		case 'C', 'a':
			b.x = min(b.x+n, t.W-1)
		case 'D':
			b.x = max(b.x-n, 0)
		case 'G', '`':
			b.x = clamp(n-1, 0, t.W-1)
		case 'd':
			b.y = clamp(n-1+t.off(), 0, t.H-1)
		case 'H', 'f':
			b.y, b.x = clamp(n-1+t.off(), 0, t.H-1), clamp(arg(1, 1)-1, 0, t.W-1)
		}
		if final == 'E' || final == 'F' {
			b.x = 0
		}
	case "J", "?J":
		switch arg(0, 0) {
		case 0:
			t.erase(b.y, b.x, t.W)
			for y := b.y + 1; y < t.H; y++ {
				b.cells[y] = blank(t.W, t.st)
			}
		case 1:
			for y := 0; y < b.y; y++ {
				b.cells[y] = blank(t.W, t.st)
			}
			t.erase(b.y, 0, b.x+1)
		case 2, 3:
			for y := range b.cells {
				b.cells[y] = blank(t.W, t.st)
			}
		}
	case "K", "?K":
		b.wrapNext = false
		switch arg(0, 0) {
		case 0:
			t.erase(b.y, b.x, t.W)
		case 1:
			t.erase(b.y, 0, b.x+1)
		case 2:
			t.erase(b.y, 0, t.W)
		}
	case "X":
		t.erase(b.y, b.x, min(b.x+n, t.W))
	case "@":
		row := b.cells[b.y]
		n = min(n, t.W-b.x)
		copy(row[b.x+n:], row[b.x:t.W-n])
		t.erase(b.y, b.x, b.x+n)
	case "P":
		row := b.cells[b.y]
		n = min(n, t.W-b.x)
		copy(row[b.x:], row[b.x+n:])
		t.erase(b.y, t.W-n, t.W)
	case "L", "M":
		if b.y >= b.top && b.y <= b.bot {
			n = min(n, b.bot-b.y+1)
			if final == 'L' {
				n = -n
			}
			t.scrollIn(b.y, b.bot, n)
			b.x = 0
		}
	case "S":
		t.scroll(min(n, b.bot-b.top+1))
	case "T":
		t.scroll(-min(n, b.bot-b.top+1))
	case "b":
		for i := 0; i < min(n, t.W*t.H); i++ {
			t.put(t.last)
		}
	case "I":
		for i := 0; i < min(n, t.W); i++ {
			t.ctl(9)
		}
	case "Z":
		for i := 0; i < min(n, t.W); i++ {
			for b.x > 0 {
				b.x--
				if t.tabs[b.x] {
					break
				}
			}
		}
	case "g":
		if arg(0, 0) == 3 {
			t.tabs = map[int]bool{}
		} else {
			delete(t.tabs, b.x)
		}
	case "r":
		top, bot := n-1, arg(1, t.H)-1
		if top < bot && bot < t.H {
			b.top, b.bot = top, bot
		} else if arg(0, 0) == 0 {
			b.top, b.bot = 0, t.H-1
		}
		b.x, b.y = 0, t.off()
	case "s":
		t.save()
	case "u":
		t.restore()
	case "m":
		t.sgr(s)
	case "h", "l":
		if arg(0, 0) == 4 {
			t.insert = final == 'h'
		}
	case "?h", "?l":
		for _, p := range ps {
			t.mode(p, final == 'h')
		}
	case "c", ">c", "=c":
		t.Queries["device attributes "+pre]++
		t.reply(map[string]string{"": "\x1b[?62;22c", ">": "\x1b[>1;10;0c", "=": "\x1bP!|00000000\x1b\\"}[pre])
	case "n", "?n":
		t.Queries["status "+raw]++
		switch arg(0, 0) {
		case 5:
			t.reply("\x1b[0n")
		case 6:
			t.reply(fmt.Sprintf("\x1b[%s%d;%dR", pre, b.y+1, b.x+1))
		case 996:
			t.reply("\x1b[?997;" + map[bool]string{false: "1", true: "2"}[t.Light] + "n")
		}
	case "?$p", "$p":
		t.Queries["mode "+raw]++
		v := 0
		switch p := arg(0, 0); p {
		case 1, 6, 7, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2031:
			v = 2
			if t.Modes[p] || (p == 25 && !t.CursorHidden) || (p == 7 && !t.noWrap) {
				v = 1
			}
		}
		t.reply(fmt.Sprintf("\x1b[%s%d;%d$y", pre, arg(0, 0), v))
	case ">q":
		t.Queries["version"]++
		t.reply("\x1bP>|tuilab(1)\x1b\\")
	case "?u":
		t.Queries["kitty keyboard (not answered)"]++
	case "t":
		switch arg(0, 0) {
		case 14:
			t.Queries["size in pixels"]++
			t.reply(fmt.Sprintf("\x1b[4;%d;%dt", t.H*16, t.W*8))
		case 16:
			t.Queries["cell in pixels"]++
			t.reply("\x1b[6;16;8t")
		case 18:
			t.Queries["size"]++
			t.reply(fmt.Sprintf("\x1b[8;%d;%dt", t.H, t.W))
		case 22, 23:
		default:
			t.Notable["window operation "+raw]++
		}
	case " q", ">u", "<u", "=u", ">m", ">n", "?m", ">p", "!p", "\"p", "?s", "?r", "x", "?S":
	default:
		t.Unknown["CSI "+raw+string(rune(final))]++
	}
}

func (t *Term) off() int {
	if t.origin {
		return t.b.top
	}
	return 0
}

func (t *Term) erase(y, from, to int) {
	row := t.b.cells[y]
	if from < len(row) {
		t.unwide(row, from)
	}
	st := Style{BG: t.st.BG}
	for x := from; x < to && x < t.W; x++ {
		row[x] = Cell{R: ' ', Style: st}
	}
}

func (t *Term) mode(p int, on bool) {
	t.Modes[p] = on
	switch p {
	case 6:
		t.origin = on
		t.b.x, t.b.y = 0, t.off()
	case 7:
		t.noWrap = !on
	case 25:
		t.CursorHidden = !on
	case 47, 1047, 1049:
		if on == (t.b == t.alt) {
			return
		}
		if on {
			if p == 1049 {
				t.save()
				t.alt = newBuffer(t.W, t.H)
				t.alt.x, t.alt.y = t.main.x, t.main.y
			}
			t.b = t.alt
		} else {
			t.b = t.main
			if p == 1049 {
				t.restore()
			}
		}
	case 2026:
		t.Sync = on
		if on {
			t.Syncs++
		}
	}
}
