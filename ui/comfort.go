package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/keymap"
	"overturn/ui/panes/prompt"
)

// mapped is the catalogue with the user's keys, and what of the user's settings does
// not hold.
func mapped(cfg Config) (*keymap.Map, []string) {
	keys, problems := keymap.Remap(cfg.Keys)
	notes := append([]string{}, cfg.Notes...)
	for _, p := range problems {
		notes = append(notes, "keys."+p.String())
	}
	return keys, notes
}

// tellNotes says what of the user's settings does not hold, until Esc; the help keeps it.
func (m *Model) tellNotes(notes []string) {
	if len(notes) == 0 {
		return
	}
	m.help.SetNotes(notes)
	m.warn("settings: " + strings.Join(notes, "; ") + " — Esc closes this, the help keeps it")
}

// openHelp opens the help, or closes it.
func (m *Model) openHelp() tea.Cmd {
	m.help.Find("", m.keys)
	m.toggle(inHelp)
	return nil
}

// searchHelp asks what to look for in the help; what is found follows each letter.
func (m *Model) searchHelp() tea.Cmd {
	p := prompt.Line("/", m.help.Query())
	m.prompt = p
	m.typing = func() { m.help.Find(p.Text(), m.keys) }
	m.chosen = func() tea.Cmd { return nil }
	return nil
}

// suspend stops the process; what changed until it goes on is read then.
func (m *Model) suspend() tea.Cmd {
	if m.cfg.Stop == nil || m.cfg.Lend == nil {
		m.say("not suspended: no shell waits that could go on with it")
		return nil
	}
	return tea.Exec(m.cfg.Lend(m.cfg.Stop), func(error) tea.Msg { return edited{} })
}

// toggleMouse takes the mouse, or leaves it to the terminal, which can select text with
// it then.
func (m *Model) toggleMouse() tea.Cmd {
	if m.cfg.Mouse == nil {
		m.say("the mouse cannot be taken here")
		return nil
	}
	m.noMouse = !m.noMouse
	m.cfg.Mouse(!m.noMouse)
	m.say("the mouse scrolls and selects here")
	if m.noMouse {
		m.say("the mouse is the terminal's")
	}
	return nil
}
