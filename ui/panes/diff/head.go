package diff

import (
	"fmt"
	"slices"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// word is something that the header of a hunk says; the higher its rank, the sooner
// it goes where there is no room.
type word struct {
	role themes.Role
	text string
	rank int
}

// What goes first of a header: the number, which the title has as well, then the
// turns, then the owner; what happened to the hunk is said as long as anything is.
const (
	rankState = iota
	rankOwner
	rankTurns
	rankNumber
)

// head draws a hunk's header: its ranges as git counts them and the heading at
// the left; its number, owner, turns and whether it is staged at the right.
func (c *canvas) head(out *frame.Row, r row, g style.Ground) {
	if g == style.Plain {
		g = style.OnHunk
	}
	doc := c.p.lay.doc
	h := doc.Hunks[r.hunk]
	const least = 13 // cells of the ranges
	info, width := fitting(c.headWords(r, h), out.Room()-least)
	base := c.st.On(themes.Hunk, g)
	out.Cut(base, " "+Ranges(doc, h)+" "+h.Section, max(out.Room()-width, 0))
	if len(info) > 0 {
		out.To(base, out.Col()+out.Room()-width)
		for _, s := range info {
			out.Text(base, "  ").Text(c.st.On(s.role, g), s.text)
		}
	}
	out.End(base)
}

// headWords are all that is known of a hunk, in the order in which it is said.
func (c *canvas) headWords(r row, h view.Hunk) []word {
	var info []word
	if c.p.whole || c.p.staged[h.Number] {
		info = append(info, word{themes.Staged, "● staged", rankState})
	}
	if c.p.back[h.Number] {
		info = append(info, word{themes.Good, "already back", rankState})
	}
	if len(c.p.remarks.of(r)) > 0 {
		info = append(info, word{themes.Accent, remarkMark + " comment", rankState})
	}
	switch {
	case h.Read:
		info = append(info, word{themes.Good, "✓ read", rankState})
	case len(h.Since) > 0:
		info = append(info, word{themes.Warn, "changed since you read it (D)", rankState})
	}
	info = append(info, word{themes.Muted, fmt.Sprintf("hunk %d", h.Number), rankNumber})
	if why, ok := c.p.shape.hidden[h.Number]; ok {
		info = append(info, word{themes.Muted, "▸ " + why, rankState})
	}
	if h.Owner != "" {
		info = append(info, word{OwnerRole(h.Owner), string(h.Owner), rankOwner})
	}
	switch turns := view.TurnsOf(h.Turns, h.In, c.p.thread); {
	case turns == "" && h.Thread != "" && h.Thread != c.p.thread:
		info = append(info, word{themes.Warn, "of thread " + view.ShortThread(h.Thread), rankTurns})
	case turns == "":
	case h.In != c.p.thread: // in one word: the number alone would be that of a turn of this thread
		info = append(info, word{themes.Warn, turns, rankTurns})
	default:
		info = append(info, word{themes.Muted, turns, rankTurns})
	}
	return info
}

// fitting leaves out words until the rest takes no more than room cells, each with the
// two before it and one at the end.
func fitting(info []word, room int) (fits []word, width int) {
	for len(info) > 0 {
		width = 1
		for _, s := range info {
			width += frame.Width(s.text) + 2
		}
		if width <= room {
			return info, width
		}
		last := 0
		for i, s := range info {
			if s.rank >= info[last].rank {
				last = i
			}
		}
		info = slices.Delete(info, last, last+1)
	}
	return nil, 0
}
