package ui

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/keymap"
	"overturn/ui/panes/prompt"
	"overturn/ui/view"
)

// typed gives a key to the prompt.
func (m *Model) typed(k tea.KeyMsg) tea.Cmd {
	verdict := m.prompt.Key(k)
	if m.typing != nil {
		m.typing()
	}
	switch verdict {
	case prompt.Closed:
		if m.where == inHelp {
			m.help.Find("", m.keys)
		}
		m.prompt, m.chosen, m.typing = nil, nil, nil
	case prompt.Chosen:
		chosen := m.chosen // it may open another prompt
		m.prompt, m.chosen, m.typing = nil, nil, nil
		return chosen()
	}
	return nil
}

// askSearch asks what to search for.
func (m *Model) askSearch() tea.Cmd {
	p := prompt.Line("/", "")
	m.prompt, m.chosen = p, func() tea.Cmd {
		if p.Text() != "" {
			m.diff.SetQuery(p.Text())
		}
		m.finding.local = true
		return m.search(1, true)
	}
	return nil
}

// askBase asks what the branch is compared with; nothing is what git would take.
func (m *Model) askBase() tea.Cmd {
	p := prompt.Line("base of the branch: ", m.base)
	m.prompt, m.chosen = p, func() tea.Cmd {
		m.base = strings.TrimSpace(p.Text())
		return m.compare(model.Scope{Kind: model.ScopeBranch, Base: m.base})
	}
	return nil
}

// found is the answer of a search: a row, or -1.
type found struct {
	row   int
	round bool // it came round the end of the file
	d     int
	query string
	doc   *view.Document
}

// search looks for the next match in the file, forward or back, from the row
// under the cursor on (here) or after it.
func (m *Model) search(d int, here bool) tea.Cmd {
	if cmd, ok := m.walkFound(d); ok && !here {
		return cmd
	}
	if m.diff.Query() == "" {
		m.say("/ searches")
		return nil
	}
	m.wait()
	find, query, doc := m.diff.Finder(d, here), m.diff.Query(), m.diff.Document()
	return jobs.Start(m.jobs, jobSearch, func(ctx context.Context, _ jobs.Report) (found, error) {
		row, round, err := find(ctx)
		return found{row, round, d, query, doc}, err
	})
}

func (m *Model) gotFound(d jobs.Done[found]) tea.Cmd {
	f := d.Value
	switch {
	case d.Err != nil || f.doc != m.diff.Document() || f.query != m.diff.Query():
	case f.row < 0:
		m.warn("no match for " + f.query)
		m.message.stays = false
	default:
		m.away()
		m.inDiff = true
		m.diff.GoTo(f.row)
		switch {
		case f.round && f.d > 0:
			m.say("from the top again: there are no more matches below")
		case f.round:
			m.say("from the end again: there are no more matches above")
		}
	}
	return nil
}

// pickFile asks for a file by a few of its letters.
func (m *Model) pickFile() tea.Cmd {
	if m.cmp == nil || len(m.cmp.Files) == 0 {
		return nil
	}
	items := make([]prompt.Item, len(m.cmp.Files))
	for i, f := range m.cmp.Files {
		items[i] = prompt.Item{Title: string(f.Path), Note: string(f.Change), ID: i}
	}
	p := prompt.Paths("file: ", items)
	m.prompt, m.chosen = p, func() tea.Cmd {
		id, ok := p.Choice()
		if !ok {
			return m.unmatched("file", p)
		}
		m.away()
		m.files.Select(id)
		return tea.Batch(m.open(1), m.summaries())
	}
	return nil
}

// palette asks for a command by its name. Only what a key could do here is in it.
func (m *Model) palette() tea.Cmd {
	var items []prompt.Item
	var intents []keymap.Intent
	places := m.places()
	for _, c := range m.keys.Commands() {
		hidden := len(c.Keys) > 0 && m.keys.Find(c.Keys[0], places...) != c.Intent // by a nearer place's key
		if c.Intent == keymap.Palette || hidden || !slices.Contains(places, c.Place) {
			continue
		}
		items = append(items, prompt.Item{Title: c.Title, Note: strings.TrimSpace(c.Shown), ID: len(intents)})
		intents = append(intents, c.Intent)
	}
	p := prompt.List(":", items)
	m.prompt, m.chosen = p, func() tea.Cmd {
		if id, ok := p.Choice(); ok {
			return m.do(intents[id])
		}
		return m.unmatched("command", p)
	}
	return nil
}

// unmatched says that nothing in a list is like what was typed.
func (m *Model) unmatched(what string, p *prompt.Prompt) tea.Cmd {
	m.warn("no " + what + " here matches " + p.Text())
	m.message.stays = false
	return nil
}
