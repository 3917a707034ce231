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

// Fold breaks a line of words that width cells do not hold: the words that do not fit
// stand below, indented by indent cells, each filled like a text of its own. What it
// stands for, all of its rows do.
func Fold(l Line, indent, width int) []Line {
	out := []Line{{Tag: l.Tag}}
	col := 0
	for _, w := range l.Words {
		n := frame.Width(w.Text)
		if last := &out[len(out)-1]; col+n <= width || len(last.Words) == 0 || col <= indent {
			last.Words, col = append(last.Words, w), col+n
			continue
		}
		for _, row := range Fill(w.Role, strings.TrimLeft(w.Text, " ·"), indent, width+1) {
			row.Tag, col = l.Tag, 0
			for _, w := range row.Words {
				col += frame.Width(w.Text)
			}
			out = append(out, row)
		}
	}
	return out
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
