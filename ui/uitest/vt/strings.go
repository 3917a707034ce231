package vt

import (
	"fmt"
	"strconv"
	"strings"
)

func (t *Term) doStr() {
	s := string(t.str)
	switch t.strKind {
	case ']':
		num, rest, _ := strings.Cut(s, ";")
		switch num {
		case "0", "1", "2":
			t.Title = rest
			t.Notable["title: "+clip(rest)]++
		case "4", "10", "11", "12", "17", "19":
			if strings.HasSuffix(rest, "?") {
				t.Queries["colour OSC "+num]++
				col := map[string]string{"10": "c0c0/c0c0/c0c0", "11": "1010/1010/1010", "12": "ffff/ffff/ffff"}[num]
				if num == "4" {
					idx, _, _ := strings.Cut(rest, ";")
					n, _ := strconv.Atoi(idx)
					r, g, bb := Palette(clamp(n, 0, 255))
					t.reply(fmt.Sprintf("\x1b]4;%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", idx, r, r, g, g, bb, bb))
				} else if col != "" {
					t.reply("\x1b]" + num + ";rgb:" + col + "\x1b\\")
				}
				return
			}
			t.Notable["colour OSC "+num+" set"]++
		case "8":
			if _, uri, _ := strings.Cut(rest, ";"); uri != "" {
				t.Notable["hyperlink: "+clip(uri)]++
			}
		case "52":
			t.Notable["clipboard: "+clip(rest)]++
		case "104", "110", "111", "112", "133", "7", "66", "22":
		default:
			t.Notable["OSC "+num]++
		}
	case 'P':
		switch {
		case strings.HasPrefix(s, "+q"):
			t.Queries["termcap "+clip(s)]++
			t.reply("\x1bP0+r\x1b\\")
		case strings.HasPrefix(s, "$q"):
			t.Queries["setting "+clip(s)]++
			t.reply("\x1bP0$r\x1b\\")
		default:
			t.Notable["DCS "+clip(s)]++
		}
	case '_':
		if strings.HasPrefix(s, "G") {
			t.Queries["kitty graphics (not answered)"]++
		} else {
			t.Notable["APC "+clip(s)]++
		}
	}
}

func clip(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return strings.Trim(strconv.QuoteToASCII(s), `"`)
}
