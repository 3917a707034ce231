package themes

// Ansi keeps to the sixteen colours that the user chose for the terminal, and
// to its own background, so it is readable on dark and on light.
func Ansi() Theme {
	return Theme{
		Name: "ansi", About: "the terminal's own sixteen colours", Dark: true, Paints: [Roles]Paint{
			Text:    {},
			Muted:   {Faint: true},
			Strong:  {Bold: true},
			Accent:  {Fg: "4", Bold: true},
			Rule:    {Faint: true},
			Bar:     {},
			BarKey:  {Fg: "4", Bold: true},
			Title:   {Underline: true},
			TitleOn: {Bold: true, Reverse: true},
			Cursor:  {Reverse: true},
			Shadow:  {Underline: true},

			Add:      {Fg: "2"},
			AddMark:  {Fg: "2", Bold: true, Reverse: true},
			Del:      {Fg: "1"},
			DelMark:  {Fg: "1", Bold: true, Reverse: true},
			Plus:     {Fg: "2"},
			Minus:    {Fg: "1"},
			Number:   {Faint: true},
			Hunk:     {Fg: "6"},
			Gap:      {Faint: true},
			Select:   {Fg: "5", Reverse: true},
			Found:    {Fg: "3", Reverse: true},
			Escape:   {Fg: "5", Bold: true},
			Overflow: {Fg: "5", Bold: true},

			Keyword:  {Fg: "5"},
			Type:     {Fg: "6"},
			Function: {Fg: "4"},
			String:   {Fg: "2"},
			Value:    {Fg: "3"},
			Comment:  {Faint: true},
			Meta:     {Fg: "6"},

			Agent:   {Fg: "4", Bold: true},
			User:    {Fg: "3", Bold: true},
			Mixed:   {Fg: "5", Bold: true},
			Unknown: {},
			Staged:  {Fg: "5", Bold: true},

			Good: {Fg: "2"},
			Warn: {Fg: "3"},
			Bad:  {Fg: "1", Bold: true},
			Box:  {},
			Edge: {Fg: "4"},
		}}
}

// Mono uses weight alone: for NO_COLOR and for terminals without colours.
func Mono() Theme {
	return Theme{
		Name: "mono", About: "no colour: weight alone", Paints: [Roles]Paint{
			Muted:   {Faint: true},
			Strong:  {Bold: true},
			Accent:  {Bold: true, Underline: true},
			Rule:    {Faint: true},
			BarKey:  {Bold: true},
			Title:   {Underline: true},
			TitleOn: {Bold: true, Reverse: true},
			Cursor:  {Reverse: true},
			Shadow:  {Underline: true},

			AddMark:  {Bold: true, Underline: true},
			DelMark:  {Bold: true, Underline: true},
			Number:   {Faint: true},
			Hunk:     {Bold: true},
			Gap:      {Faint: true},
			Select:   {Reverse: true, Bold: true},
			Found:    {Reverse: true},
			Escape:   {Reverse: true},
			Overflow: {Bold: true},

			Comment: {Faint: true},

			Agent:  {Bold: true},
			User:   {Bold: true},
			Mixed:  {Bold: true},
			Staged: {Bold: true},

			Warn: {Bold: true},
			Bad:  {Bold: true, Reverse: true},
		}}
}
