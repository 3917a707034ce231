package themes

// Tide is for dark terminals and for eyes to which red and green look alike:
// what came is blue, what went is orange, and they differ in brightness too.
func Tide() Theme {
	return Theme{
		Name: "tide", About: "dark, for colour-blind eyes: blue and orange", Dark: true, Paints: [Roles]Paint{
			Text:    {Fg: "#ccd2da", Bg: "#12161b", Bg256: "233"},
			Muted:   {Fg: "#98a2b0"},
			Strong:  {Fg: "#f0f3f7", Bold: true},
			Accent:  {Fg: "#7cc4ff", Bold: true},
			Rule:    {Fg: "#3a424d"},
			Bar:     {Fg: "#b2bac5", Bg: "#1b2028", Bg256: "234"},
			BarKey:  {Fg: "#7cc4ff", Bg: "#1b2028", Bg256: "234", Bold: true},
			Title:   {Fg: "#a3acb9", Bg: "#20262e", Bg256: "235"},
			TitleOn: {Fg: "#f0f3f7", Bg: "#2a323e", Bg256: "238", Bold: true},
			Cursor:  {Fg: "#f0f3f7", Bg: "#2b3340", Bg256: "237"},
			Shadow:  {Fg: "#ccd2da", Bg: "#232932", Bg256: "235"},

			Add:      {Fg: "#bfdcf7", Bg: "#10253d", Bg256: "17"},
			AddMark:  {Fg: "#eef7ff", Bg: "#1d548f", Bg256: "25"},
			Del:      {Fg: "#f5d3b0", Bg: "#38230d", Bg256: "52"},
			DelMark:  {Fg: "#fff3e4", Bg: "#824a0a", Bg256: "94"},
			Plus:     {Fg: "#6cb8ff"},
			Minus:    {Fg: "#f2a54e"},
			Number:   {Fg: "#7a8492"},
			Hunk:     {Fg: "#b6a8ff", Bg: "#1e1f33", Bg256: "236"},
			Gap:      {Fg: "#7a8492"},
			Select:   {Fg: "#f0f3f7", Bg: "#352f50", Bg256: "53"},
			Found:    {Fg: "#15181d", Bg: "#f0e27a"},
			Escape:   {Fg: "#ff9ed2", Bold: true},
			Overflow: {Fg: "#ff9ed2", Bold: true},

			Keyword:  {Fg: "#b9abff"},
			Type:     {Fg: "#e8d283"},
			Function: {Fg: "#7cc4ff"},
			String:   {Fg: "#a9d8e8"},
			Value:    {Fg: "#f4b26a"},
			Comment:  {Fg: "#98a2b0"},
			Meta:     {Fg: "#e3a6cf"},

			Agent:   {Fg: "#7cc4ff", Bold: true},
			User:    {Fg: "#f0e27a", Bold: true},
			Mixed:   {Fg: "#d5a6f2", Bold: true},
			Unknown: {Fg: "#a3acb9"},
			Staged:  {Fg: "#ff9ed2", Bold: true},

			Good: {Fg: "#6cb8ff"},
			Warn: {Fg: "#f0e27a"},
			Bad:  {Fg: "#f2a54e", Bold: true},
			Box:  {Fg: "#ccd2da", Bg: "#1e232b", Bg256: "235"},
			Edge: {Fg: "#5f7390", Bg: "#1e232b", Bg256: "235"},
		}}
}
