package sheet

import (
	"strings"

	"overturn/themes"
	"overturn/ui/frame"
)

// Fill breaks a text at blanks into lines of at most width cells, indented by
// indent cells; a word longer than that is cut. Line feeds of the text count as
// blanks.
func Fill(role themes.Role, text string, indent, width int) []Line {
	room := max(width-indent-1, 8)
	var lines []Line
	var cur string
	flush := func() {
		if cur != "" {
			lines = append(lines, L(W(themes.Text, strings.Repeat(" ", indent)), W(role, cur)))
			cur = ""
		}
	}
	for _, word := range strings.Fields(text) {
		if cur != "" && frame.Width(cur)+1+frame.Width(word) > room {
			flush()
		}
		for frame.Width(word) > room {
			starts, _ := frame.Breaks([]byte(word), room, 0, 2)
			if len(starts) < 2 {
				break
			}
			cur, word = word[:starts[1]], word[starts[1]:]
			flush()
		}
		if cur != "" {
			cur += " "
		}
		cur += word
	}
	flush()
	return lines
}

// Field is a name and its value on one line.
func Field(name string, value ...Word) Line {
	const column = 14
	pad := max(column-len(name), 1)
	return L(append([]Word{W(themes.Muted, "  "+name+strings.Repeat(" ", pad))}, value...)...)
}

// Heading is a line that heads a section, after a blank one.
func Heading(text string) []Line {
	return []Line{L(), L(W(themes.Accent, " "+text))}
}
