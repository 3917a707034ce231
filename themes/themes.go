package themes

// Paint is how a role looks. Colours are "#rrggbb", a palette number "0" to
// "255", or "" for the terminal's own. Bg256 is the ground where there are 256
// colours, "" for the one nearest to Bg: dark tints have no near one.
type Paint struct {
	Fg, Bg, Bg256                           string
	Bold, Faint, Italic, Underline, Reverse bool
}

// Role is what a piece of the screen is for.
type Role int

// The roles.
const (
	Text    Role = iota // plain text
	Muted               // what is read last: ages, hints
	Strong              // what is read first
	Accent              // the active mode, the present turn
	Rule                // lines between panes
	Bar                 // header and status rows
	BarKey              // a key named in a bar
	Title               // a pane's title row
	TitleOn             // the same of the pane with the focus
	Cursor              // the row under the cursor, in the pane with the focus
	Shadow              // the same in a pane without the focus

	Add      // an added line
	AddMark  // the words that differ in it
	Del      // a removed line
	DelMark  // the words that differ in it
	Plus     // counts and signs of additions
	Minus    // the same of removals
	Number   // line numbers
	Hunk     // hunk headers
	Gap      // hidden lines
	Select   // a visual range
	Found    // a search hit
	Escape   // bytes of the content that are shown, not obeyed
	Overflow // marks where a line goes on

	Keyword  // source text: words of the language
	Type     // types and classes
	Function // functions and what is built in
	String   // strings
	Value    // numbers, constants, escapes in strings
	Comment  // comments
	Meta     // attributes, directives, variables of shells

	Agent // owner letters
	User
	Mixed
	Unknown
	Staged // staged marks

	Good // ready, clean, verified
	Warn // missing, merged, interrupted
	Bad  // error, conflict
	Box  // dialogs
	Edge // their borders

	Roles // how many there are
)

// Theme gives a paint to every role.
type Theme struct {
	Name   string
	About  string // what it is for, in a few words
	Dark   bool
	Paints [Roles]Paint
}

// All lists the themes that a user can choose, in the order in which T walks them.
func All() []Theme {
	return []Theme{Dusk(), Paper(), Contrast(), Tide(), Shore(), Ansi(), Mono()}
}

// Named returns the theme of that name.
func Named(name string) (Theme, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}
