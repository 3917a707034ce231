package help

import (
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/keymap"
	"overturn/ui/style"
)

// found is a command that a query means.
type found struct {
	keymap.Command
	mine bool // its keys are the user's
}

// Find shows what query means, "" everything again: commands that have it as a key
// first, then those whose title, intent and group hold all its words, and, when there
// is neither, those that come near.
func (p *Pane) Find(query string, m *keymap.Map) {
	p.query, p.found = strings.TrimSpace(query), nil
	p.win.Top = 0
	if p.query == "" {
		return
	}
	list := m.Commands()
	texts := make([]string, len(list))
	var worded []keymap.Command
	for i, c := range list {
		texts[i] = strings.ToLower(c.Title + " " + string(c.Intent) + " " + string(c.Group))
		switch {
		case slices.Contains(c.Keys, p.query) || slices.Contains(strings.Fields(c.Shown), p.query):
			p.found = append(p.found, found{c, m.Mine(c.Intent)})
		case holds(texts[i], strings.Fields(strings.ToLower(p.query))):
			worded = append(worded, c)
		}
	}
	for _, c := range worded {
		p.found = append(p.found, found{c, m.Mine(c.Intent)})
	}
	if len(p.found) > 0 {
		return
	}
	for _, hit := range fuzzy.Find(strings.ToLower(p.query), texts) {
		c := list[hit.Index]
		p.found = append(p.found, found{c, m.Mine(c.Intent)})
	}
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Query is what was searched for, "" when everything is shown.
func (p *Pane) Query() string { return p.query }

// keysWidth is the column of the keys, titleWidth that of the titles.
const keysWidth, titleWidth = 16, 44

func (p *Pane) drawFound(a frame.Area, st *style.Table) {
	text, muted := st.Of(themes.Text), st.Of(themes.Muted)
	p.win.Resize(len(p.found), a.H)
	for y := range a.H {
		out := a.Row(y)
		switch i := p.win.Top + y; {
		case i < len(p.found):
			f := p.found[i]
			keys := f.Shown
			if keys == "" {
				keys = "no key"
			}
			out.Text(text, " ").Cut(st.Of(themes.Accent), keys, keysWidth-2).To(text, keysWidth)
			out.Cut(text, f.Title, titleWidth-2).To(text, keysWidth+titleWidth)
			where := string(f.Intent)
			if f.mine {
				where += ", yours"
			}
			out.Text(muted, where)
		case y == 0:
			out.Text(muted, " nothing in the help is called "+p.query)
		}
		out.End(text)
	}
}
