package main

import (
	"fmt"
	"html"
	"strings"

	"overturn/ui/uitest/vt"
)

// The size of a cell in the picture, for a font of 14 pixels.
const (
	cellWidth  = 8.43
	cellHeight = 17.0
	paper      = "#14161b"
	ink        = "#c8ccd4"
)

func colour(c uint32, plain string) string {
	switch {
	case c == 0:
		return plain
	case c>>24 == 1:
		return fmt.Sprintf("#%06x", c&0xffffff)
	}
	r, g, b := vt.Palette(int(c - 1))
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

func colours(c vt.Cell) (fg, bg string) {
	fg, bg = colour(c.Style.FG, ink), colour(c.Style.BG, paper)
	if c.Style.Attr&vt.Reverse != 0 {
		fg, bg = bg, fg
	}
	return fg, bg
}

// sheet is the ground that most cells have: it is drawn once, under all others, so
// that no seam between cells shows another one.
func sheet(cells [][]vt.Cell) string {
	count, most := map[string]int{}, paper
	for _, row := range cells {
		for _, c := range row {
			_, bg := colours(c)
			if count[bg]++; count[bg] > count[most] {
				most = bg
			}
		}
	}
	return most
}

// svg draws the screen. A run of plain cells of one style is one text element, so
// that the grid holds whatever font draws the rest.
func svg(cells [][]vt.Cell) string {
	var b strings.Builder
	under := sheet(cells)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" xml:space="preserve"><rect width="100%%" height="100%%" fill="%s"/>`+"\n",
		cellWidth*float64(len(cells[0])), cellHeight*float64(len(cells)), under)
	for y, row := range cells {
		backgrounds(&b, y, row, under)
		texts(&b, y, row)
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func backgrounds(b *strings.Builder, y int, row []vt.Cell, under string) {
	for x := 0; x < len(row); {
		end := x + 1
		for end < len(row) && row[end].Style == row[x].Style {
			end++
		}
		if _, bg := colours(row[x]); bg != under {
			fmt.Fprintf(b, `<rect x="%.2f" y="%.0f" width="%.2f" height="%.1f" fill="%s"/>`,
				cellWidth*float64(x), cellHeight*float64(y), cellWidth*float64(end-x)+.3, cellHeight+.3, bg)
		}
		x = end
	}
}

func texts(b *strings.Builder, y int, row []vt.Cell) {
	for x := 0; x < len(row); {
		c := row[x]
		if c.Wide == 2 || c.R == ' ' && c.Comb == "" {
			x++
			continue
		}
		text, end := string(c.R)+c.Comb, x+1
		for plain(c) && end < len(row) && plain(row[end]) && row[end].Style == c.Style {
			text += string(row[end].R)
			end++
		}
		fg, _ := colours(c)
		fmt.Fprintf(b, `<text x="%.2f" y="%.1f" fill="%s" textLength="%.2f"%s>%s</text>`, cellWidth*float64(x), cellHeight*float64(y)+13, fg, cellWidth*float64(cellsOf(c, end-x)),
			attributes(c.Style.Attr), html.EscapeString(strings.ReplaceAll(text, " ", "\u00a0")))
		x = end
	}
}

// cellsOf is the width of a run of n cells that begins with c.
func cellsOf(c vt.Cell, n int) int {
	if c.Wide == 1 {
		return 2
	}
	return n
}

func plain(c vt.Cell) bool { return c.R >= 0x20 && c.R < 0x7f && c.Comb == "" && c.Wide == 0 }

func attributes[T ~uint8 | ~uint16 | ~uint32 | ~int](attr T) string {
	var s string
	if attr&vt.Bold != 0 {
		s += ` font-weight="bold"`
	}
	if attr&vt.Italic != 0 {
		s += ` font-style="italic"`
	}
	if attr&vt.Faint != 0 {
		s += ` opacity="0.6"`
	}
	if attr&vt.Underline != 0 {
		s += ` text-decoration="underline"`
	}
	return s
}
