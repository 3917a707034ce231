package themes

// Paper is the theme for light terminals.
func Paper() Theme {
	return Theme{
		Name: "paper", About: "for light terminals", Paints: [Roles]Paint{
			Text:    {Fg: "#2b2f36", Bg: "#fcfcfa"},
			Muted:   {Fg: "#575f6a"},
			Strong:  {Fg: "#0d1117", Bold: true},
			Accent:  {Fg: "#0a53be", Bold: true},
			Rule:    {Fg: "#c4cad2"},
			Bar:     {Fg: "#434a54", Bg: "#e9ecf0", Bg256: "255"},
			BarKey:  {Fg: "#0a53be", Bg: "#e9ecf0", Bg256: "255", Bold: true},
			Title:   {Fg: "#545c67", Bg: "#eef0f3", Bg256: "255"},
			TitleOn: {Fg: "#0d1117", Bg: "#d8dfe9", Bg256: "253", Bold: true},
			Cursor:  {Fg: "#0d1117", Bg: "#d9e4f6", Bg256: "189"},
			Shadow:  {Fg: "#2b2f36", Bg: "#e6e9ee", Bg256: "254"},

			Add:      {Fg: "#1f4d2b", Bg: "#e3f5e6", Bg256: "194"},
			AddMark:  {Fg: "#0c3317", Bg: "#a8e2b4", Bg256: "157"},
			Del:      {Fg: "#6b2029", Bg: "#fbe6e8", Bg256: "224"},
			DelMark:  {Fg: "#4d0d15", Bg: "#f3b4ba"},
			Plus:     {Fg: "#136229"},
			Minus:    {Fg: "#b42332"},
			Number:   {Fg: "#777f8a"},
			Hunk:     {Fg: "#0a53be", Bg: "#e8effb", Bg256: "195"},
			Gap:      {Fg: "#777f8a"},
			Select:   {Fg: "#0d1117", Bg: "#e4dcf7", Bg256: "225"},
			Found:    {Fg: "#0d1117", Bg: "#ffd966"},
			Escape:   {Fg: "#993a0a", Bold: true},
			Overflow: {Fg: "#993a0a", Bold: true},

			Keyword:  {Fg: "#7a3ea8"},
			Type:     {Fg: "#744b00"},
			Function: {Fg: "#0a4fb4"},
			String:   {Fg: "#0f6027"},
			Value:    {Fg: "#973a0a"},
			Comment:  {Fg: "#575f6a"},
			Meta:     {Fg: "#05606e"},

			Agent:   {Fg: "#0a53be", Bold: true},
			User:    {Fg: "#744b00", Bold: true},
			Mixed:   {Fg: "#7a3ea8", Bold: true},
			Unknown: {Fg: "#545c67"},
			Staged:  {Fg: "#993a0a", Bold: true},

			Good: {Fg: "#136229"},
			Warn: {Fg: "#744b00"},
			Bad:  {Fg: "#b42332", Bold: true},
			Box:  {Fg: "#2b2f36", Bg: "#f4f5f7", Bg256: "255"},
			Edge: {Fg: "#8794a8", Bg: "#f4f5f7", Bg256: "255"},
		}}
}
