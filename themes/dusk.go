package themes

// Dusk is the theme for dark terminals.
func Dusk() Theme {
	return Theme{
		Name: "dusk", Dark: true, Paints: [Roles]Paint{
			Text:    {Fg: "#c8ccd4", Bg: "#14171c"},
			Muted:   {Fg: "#7d8590"},
			Strong:  {Fg: "#eceff4", Bold: true},
			Accent:  {Fg: "#82aaff", Bold: true},
			Rule:    {Fg: "#3a404b"},
			Bar:     {Fg: "#a9b1bd", Bg: "#1d2129"},
			BarKey:  {Fg: "#82aaff", Bg: "#1d2129", Bold: true},
			Title:   {Fg: "#8b939f", Bg: "#22262f"},
			TitleOn: {Fg: "#eceff4", Bg: "#2c3340", Bold: true},
			Cursor:  {Fg: "#eceff4", Bg: "#343e52"},
			Shadow:  {Fg: "#c8ccd4", Bg: "#272c36"},

			Add:      {Fg: "#c4dfb8", Bg: "#1c2b23"},
			AddMark:  {Fg: "#e6f7dd", Bg: "#2f5a3c"},
			Del:      {Fg: "#e6c1c4", Bg: "#301f24"},
			DelMark:  {Fg: "#ffe3e5", Bg: "#6b2f3a"},
			Plus:     {Fg: "#8ccf7e"},
			Minus:    {Fg: "#e67e80"},
			Number:   {Fg: "#5c6470"},
			Hunk:     {Fg: "#82aaff", Bg: "#1d2230"},
			Gap:      {Fg: "#5c6470"},
			Select:   {Fg: "#eceff4", Bg: "#4a4468"},
			Found:    {Fg: "#1b1d23", Bg: "#e5c07b"},
			Escape:   {Fg: "#f78c6c", Bold: true},
			Overflow: {Fg: "#f78c6c", Bold: true},

			Agent:   {Fg: "#82aaff", Bold: true},
			User:    {Fg: "#e5c07b", Bold: true},
			Mixed:   {Fg: "#c792ea", Bold: true},
			Unknown: {Fg: "#9aa2ae"},
			Staged:  {Fg: "#f78c6c", Bold: true},

			Good: {Fg: "#8ccf7e"},
			Warn: {Fg: "#e5c07b"},
			Bad:  {Fg: "#ff7a85", Bold: true},
			Box:  {Fg: "#c8ccd4", Bg: "#20242d"},
			Edge: {Fg: "#5a6b8c", Bg: "#20242d"},
		}}
}
