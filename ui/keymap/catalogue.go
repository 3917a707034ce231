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
}

// New makes the map of the catalogue.
func New() *Map {
	m := &Map{commands: catalogue(), byKey: map[Place]map[string]Intent{}}
	for _, c := range m.commands {
		if m.byKey[c.Place] == nil {
			m.byKey[c.Place] = map[string]Intent{}
		}
		for _, k := range c.Keys {
			m.byKey[c.Place][k] = c.Intent
		}
	}
	return m
}

// Find is the intent of a key as Bubble Tea spells it, in the first of the
// places that knows it.
func (m *Map) Find(k string, places ...Place) Intent {
	for _, p := range places {
		if i, ok := m.byKey[p][k]; ok {
			return i
		}
	}
	return None
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

func catalogue() []Command {
	return []Command{
		{ModeWorking, "working tree: HEAD to what is on disk", []string{"1"}, "1", Everywhere, Compare, ""},
		{ModeBranch, "branch: merge base to what is on disk", []string{"2"}, "2", Everywhere, Compare, ""},
		{BranchBase, "branch against another base", []string{"B"}, "B", Everywhere, Compare, ""},
		{ModeLatest, "latest turn", []string{"3"}, "3", Everywhere, Compare, ""},
		{ModeSelected, "selected turn", []string{"4"}, "4", Everywhere, Compare, ""},
		{TurnPrev, "previous turn", []string{"("}, "(", Everywhere, Compare, "turn"},
		{TurnNext, "next turn", []string{")"}, ")", Everywhere, Compare, ""},
		{Refresh, "refresh", []string{"R"}, "R", Everywhere, Compare, ""},

		{PaneNext, "other pane", []string{"tab", "shift+tab"}, "Tab", InReview, Move, ""},
		{Down, "down", []string{"j", "down"}, "j ↓", Everywhere, Move, ""},
		{Up, "up", []string{"k", "up"}, "k ↑", Everywhere, Move, ""},
		{HalfDown, "half a page down", []string{"ctrl+d"}, "ctrl+d", Everywhere, Move, ""},
		{HalfUp, "half a page up", []string{"ctrl+u"}, "ctrl+u", Everywhere, Move, ""},
		{PageDown, "a page down", []string{"pgdown"}, "PgDn", Everywhere, Move, ""},
		{PageUp, "a page up", []string{"pgup", "ctrl+b"}, "PgUp", Everywhere, Move, ""},
		{Top, "first row", []string{"g", "home"}, "g", Everywhere, Move, ""},
		{Bottom, "last row", []string{"G", "end"}, "G", Everywhere, Move, ""},
		{HunkNext, "next hunk", []string{"]", "alt+down"}, "]", InReview, Move, "hunk"},
		{HunkPrev, "previous hunk", []string{"[", "alt+up"}, "[", InReview, Move, ""},
		{FileNext, "next file", []string{"."}, ".", InReview, Move, ""},
		{FilePrev, "previous file", []string{","}, ",", InReview, Move, ""},
		{Left, "sideways, fold", []string{"h", "left"}, "h ←", Everywhere, Move, ""},
		{Right, "sideways, unfold", []string{"l", "right"}, "l →", Everywhere, Move, ""},
		{Open, "open, fold", []string{"enter"}, "Enter", Everywhere, Move, "open"},

		{Split, "split or unified", []string{"s"}, "s", InReview, View, "split"},
		{Wrap, "wrap long lines", []string{"w"}, "w", InReview, View, ""},
		{Space, "whitespace changes", []string{"W"}, "W", InReview, View, ""},
		{Expand, "show what the gap hides", []string{"z"}, "z", InReview, View, ""},
		{Whole, "whole file", []string{"Z"}, "Z", InReview, View, ""},
		{More, "more context", []string{"+", "="}, "+", InReview, View, ""},
		{Less, "less context", []string{"-"}, "-", InReview, View, ""},
		{Tree, "files as tree or list", []string{"t"}, "t", InReview, View, ""},
		{Theme, "next theme", []string{"T"}, "T", Everywhere, View, ""},

		{Search, "search in the file", []string{"/"}, "/", InReview, Find, "search"},
		{SearchNext, "next match", []string{"n"}, "n", InReview, Find, ""},
		{SearchPrev, "previous match", []string{"N"}, "N", InReview, Find, ""},
		{Pick, "pick a file", []string{"p"}, "p", InReview, Find, ""},
		{Palette, "commands", []string{":"}, ":", Everywhere, Find, ""},

		{Range, "range of lines", []string{"v"}, "v", InDiff, TakeOut, ""},
		{Stage, "stage hunk or range, unstage", []string{"x"}, "x", InReview, TakeOut, "stage"},
		{StageFile, "stage file or folder, unstage", []string{"X"}, "X", InReview, TakeOut, "stage file"},
		{Plan, "plan of what is staged", []string{"P"}, "P", Everywhere, TakeOut, "plan"},
		{Confirm, "roll back (asks)", []string{"P"}, "P", InPlan, TakeOut, "roll back"},
		{Drop, "take the path out of the plan", []string{"X"}, "X", InPlan, TakeOut, "take out"},
		{Undo, "undo the last rollback (asks)", []string{"u"}, "u", Everywhere, TakeOut, "undo"},
		{Redo, "redo it (asks)", []string{"U"}, "U", Everywhere, TakeOut, "redo"},
		{History, "history of rollbacks", []string{"o"}, "o", Everywhere, TakeOut, ""},

		{Card, "checkpoint card", []string{"i"}, "i", Everywhere, General, "card"},
		{Editor, "open in the editor", []string{"e"}, "e", InReview, General, ""},
		{Help, "help", []string{"?"}, "?", Everywhere, General, "help"},
		{Back, "one level up", []string{"esc"}, "Esc", Everywhere, General, "back"},
		{Quit, "quit", []string{"q"}, "q", Everywhere, General, ""},
		{Kill, "quit now", []string{"ctrl+c"}, "ctrl+c", Everywhere, General, ""},
		{Suspend, "suspend", []string{"ctrl+z"}, "ctrl+z", Everywhere, General, ""},
		{Redraw, "draw the screen again", []string{"ctrl+l"}, "ctrl+l", Everywhere, General, ""},
	}
}
