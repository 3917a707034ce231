package themes

// Dusk is the theme for dark terminals.
func Dusk() Theme {
	return Theme{
		Name: "dusk", About: "for dark terminals", Dark: true, Paints: [Roles]Paint{
			Text:    {Fg: "#c8ccd4", Bg: "#14171c", Bg256: "233"},
			Muted:   {Fg: "#98a2b1"},
			Strong:  {Fg: "#eceff4", Bold: true},
			Accent:  {Fg: "#82aaff", Bold: true},
			Rule:    {Fg: "#3a404b"},
			Bar:     {Fg: "#a9b1bd", Bg: "#1d2129", Bg256: "234"},
			BarKey:  {Fg: "#82aaff", Bg: "#1d2129", Bg256: "234", Bold: true},
			Title:   {Fg: "#9ba4b2", Bg: "#22262f", Bg256: "235"},
			TitleOn: {Fg: "#eceff4", Bg: "#2c3340", Bg256: "238", Bold: true},
			Cursor:  {Fg: "#eceff4", Bg: "#2b3345", Bg256: "237"},
			Shadow:  {Fg: "#c8ccd4", Bg: "#232832", Bg256: "235"},

			Add:      {Fg: "#c4dfb8", Bg: "#1c2b23", Bg256: "22"},
			AddMark:  {Fg: "#e6f7dd", Bg: "#2f5a3c", Bg256: "28"},
			Del:      {Fg: "#e6c1c4", Bg: "#301f24", Bg256: "52"},
			DelMark:  {Fg: "#ffe3e5", Bg: "#6b2f3a", Bg256: "88"},
			Plus:     {Fg: "#8ccf7e"},
			Minus:    {Fg: "#f08a8c"},
			Number:   {Fg: "#78818f"},
			Hunk:     {Fg: "#82aaff", Bg: "#1d2230", Bg256: "236"},
			Gap:      {Fg: "#78818f"},
			Select:   {Fg: "#eceff4", Bg: "#383252", Bg256: "53"},
			Found:    {Fg: "#1b1d23", Bg: "#e5c07b"},
			Escape:   {Fg: "#f78c6c", Bold: true},
			Overflow: {Fg: "#f78c6c", Bold: true},

			Keyword:  {Fg: "#c99af0"},
			Type:     {Fg: "#e5c07b"},
			Function: {Fg: "#82aaff"},
			String:   {Fg: "#9fd18b"},
			Value:    {Fg: "#f7956f"},
			Comment:  {Fg: "#98a2b1"},
			Meta:     {Fg: "#6cc3cf"},

			Agent:   {Fg: "#82aaff", Bold: true},
			User:    {Fg: "#e5c07b", Bold: true},
			Mixed:   {Fg: "#c792ea", Bold: true},
			Unknown: {Fg: "#a2abb8"},
			Staged:  {Fg: "#f78c6c", Bold: true},

			Good: {Fg: "#8ccf7e"},
			Warn: {Fg: "#e5c07b"},
			Bad:  {Fg: "#ff7a85", Bold: true},
			Box:  {Fg: "#c8ccd4", Bg: "#20242d", Bg256: "235"},
			Edge: {Fg: "#5a6b8c", Bg: "#20242d", Bg256: "235"},
		}}
}
