package keymap

import "github.com/charmbracelet/bubbles/key"

// Command is one entry of the catalogue.
type Command struct {
	Intent Intent
	Title  string // what it does, in a few words
	Keys   []string
	Shown  string // how help spells the keys
	Place  Place
	Group  Group
	Brief  string // the title in a word or two, for bars; "" where it never stands in one
}

// Binding is the command as bubbles/key has it.
func (c Command) Binding() key.Binding {
	return key.NewBinding(key.WithKeys(c.Keys...), key.WithHelp(c.Shown, c.Title))
}

// Short is the binding for bars.
func (c Command) Short() key.Binding {
	title := c.Brief
	if title == "" {
		title = c.Title
	}
	return key.NewBinding(key.WithKeys(c.Keys...), key.WithHelp(c.Shown, title))
}

// Map finds the intent of a key.
type Map struct {
	commands []Command
	byKey    map[Place]map[string]Intent
	mine     map[Intent][]string
}

// New makes the map of the catalogue.
func New() *Map {
	m, _ := Remap(nil)
	return m
}

// index enters every key.
func (m *Map) index() {
	for _, c := range m.commands {
		if m.byKey[c.Place] == nil {
			m.byKey[c.Place] = map[string]Intent{}
		}
		for _, k := range c.Keys {
			m.byKey[c.Place][k] = c.Intent
		}
	}
}

// Find is the intent of a key as Bubble Tea spells it, in the first of the places that
// knows it. A Cyrillic or Greek letter that none knows means what is on its key in
// Latin letters.
func (m *Map) Find(k string, places ...Place) Intent {
	if i := m.find(k, places); i != None {
		return i
	}
	if l := Latin(k); l != "" {
		return m.find(l, places)
	}
	return None
}

func (m *Map) find(k string, places []Place) Intent {
	for _, p := range places {
		if i, ok := m.byKey[p][k]; ok {
			return i
		}
	}
	return None
}

// Mine tells whether the keys of an intent are the user's.
func (m *Map) Mine(i Intent) bool {
	_, ok := m.mine[i]
	return ok
}

// Commands lists the catalogue in the order of the help.
func (m *Map) Commands() []Command { return m.commands }

// Command returns the entry of an intent.
func (m *Map) Command(i Intent) (Command, bool) {
	for _, c := range m.commands {
		if c.Intent == i {
			return c, true
		}
	}
	return Command{}, false
}
