package keymap

import (
	"strings"
	"unicode/utf8"
)

// latin is what the keys of a US keyboard write in other layouts, row by row, each key
// with what it writes in that layout. Ukrainian and Belarusian letters stand beside the
// Russian ones of their keys. Sources: the xkb layouts ru, ua, by and gr.
func layouts() [][2]string {
	return [][2]string{
		{"йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"},
		{"ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ", "QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>~"},
		{"ґіїєўҐІЇЄЎ", "\\s]'o|S}\"O"},
		{"ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"},
		{"ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ", "ERTYUIOPASDFGHJKLZXCVBNM"},
	}
}

// Latin is the key as a US keyboard would write it, for one that wrote a Cyrillic or
// Greek letter; "" for all others.
func Latin(key string) string {
	alt := ""
	if rest, ok := strings.CutPrefix(key, "alt+"); ok {
		alt, key = "alt+", rest
	}
	r, size := utf8.DecodeRuneInString(key)
	if r < 0x370 || size != len(key) {
		return ""
	}
	for _, l := range layouts() {
		at := 0
		for _, c := range l[0] {
			if c == r {
				return alt + l[1][at:at+1]
			}
			at++
		}
	}
	return ""
}
