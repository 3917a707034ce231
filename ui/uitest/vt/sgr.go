package vt

import (
	"strconv"
	"strings"
)

func (t *Term) sgr(s string) {
	fs := strings.Split(s, ";")
	for i := 0; i < len(fs); i++ {
		sub := strings.Split(fs[i], ":")
		n, _ := strconv.Atoi(sub[0])
		a := &t.st.Attr
		switch {
		case n == 0:
			t.st = Style{}
		case n == 1:
			*a |= Bold
		case n == 2:
			*a |= Faint
		case n == 3:
			*a |= Italic
		case n == 4:
			*a |= Underline
			if len(sub) > 1 && sub[1] == "0" {
				*a &^= Underline
			}
		case n == 7:
			*a |= Reverse
		case n == 8:
			*a |= Hidden
		case n == 9:
			*a |= Strike
		case n == 21:
			*a |= Underline
		case n == 22:
			*a &^= Bold | Faint
		case n == 23:
			*a &^= Italic
		case n == 24:
			*a &^= Underline
		case n == 27:
			*a &^= Reverse
		case n == 28:
			*a &^= Hidden
		case n == 29:
			*a &^= Strike
		case n >= 30 && n < 38:
			t.st.FG = uint32(n - 30 + 1)
		case n >= 40 && n < 48:
			t.st.BG = uint32(n - 40 + 1)
		case n >= 90 && n < 98:
			t.st.FG = uint32(n - 90 + 9)
		case n >= 100 && n < 108:
			t.st.BG = uint32(n - 100 + 9)
		case n == 39:
			t.st.FG = 0
		case n == 49:
			t.st.BG = 0
		case n == 38 || n == 48 || n == 58:
			args := sub[1:]
			if len(args) == 0 {
				k := 0
				if i+1 < len(fs) {
					switch fs[i+1] {
					case "5":
						k = 2
					case "2":
						k = 4
					}
				}
				k = min(k, len(fs)-i-1)
				args = fs[i+1 : i+1+k]
				i += k
			} else if len(args) == 5 { // 2::r:g:b
				args = append([]string{args[0]}, args[2:]...)
			}
			var v []int
			for _, x := range args {
				k, _ := strconv.Atoi(x)
				v = append(v, k&255)
			}
			var col uint32
			switch {
			case len(v) == 2 && v[0] == 5:
				col = uint32(v[1] + 1)
			case len(v) == 4 && v[0] == 2:
				col = 1<<24 | uint32(v[1])<<16 | uint32(v[2])<<8 | uint32(v[3])
			}
			switch n {
			case 38:
				t.st.FG = col
			case 48:
				t.st.BG = col
			}
		}
	}
}

// Palette is xterm's 256-colour palette.
func Palette(n int) (r, g, b uint8) {
	base := [16][3]uint8{{0, 0, 0}, {205, 49, 49}, {13, 188, 121}, {229, 229, 16}, {36, 114, 200}, {188, 63, 188}, {17, 168, 205}, {204, 204, 204}, {102, 102, 102}, {241, 76, 76}, {35, 209, 139}, {245, 245, 67}, {59, 142, 234}, {214, 112, 214}, {41, 184, 219}, {255, 255, 255}}
	switch {
	case n < 16:
		return base[n][0], base[n][1], base[n][2]
	case n < 232:
		n -= 16
		f := func(v int) uint8 {
			if v == 0 {
				return 0
			}
			return uint8(55 + 40*v)
		}
		return f(n / 36), f(n / 6 % 6), f(n % 6)
	}
	v := uint8(8 + 10*(n-232))
	return v, v, v
}
