package themes

// Paper is the theme for light terminals.
func Paper() Theme {
	return Theme{
		Name: "paper", Paints: [Roles]Paint{
			Text:    {Fg: "#2b2f36", Bg: "#fcfcfa"},
			Muted:   {Fg: "#6a727d"},
			Strong:  {Fg: "#0d1117", Bold: true},
			Accent:  {Fg: "#0a53be", Bold: true},
			Rule:    {Fg: "#c4cad2"},
			Bar:     {Fg: "#434a54", Bg: "#e9ecf0"},
			BarKey:  {Fg: "#0a53be", Bg: "#e9ecf0", Bold: true},
			Title:   {Fg: "#5a626d", Bg: "#eef0f3"},
			TitleOn: {Fg: "#0d1117", Bg: "#d8dfe9", Bold: true},
			Cursor:  {Fg: "#0d1117", Bg: "#cfdcf2"},
			Shadow:  {Fg: "#2b2f36", Bg: "#e6e9ee"},

			Add:      {Fg: "#1f4d2b", Bg: "#e3f5e6"},
			AddMark:  {Fg: "#0c3317", Bg: "#a8e2b4"},
			Del:      {Fg: "#6b2029", Bg: "#fbe6e8"},
			DelMark:  {Fg: "#4d0d15", Bg: "#f3b4ba"},
			Plus:     {Fg: "#1a7f37"},
			Minus:    {Fg: "#b42332"},
			Number:   {Fg: "#949ca7"},
			Hunk:     {Fg: "#0a53be", Bg: "#e8effb"},
			Gap:      {Fg: "#949ca7"},
			Select:   {Fg: "#0d1117", Bg: "#ddd3f5"},
			Found:    {Fg: "#0d1117", Bg: "#ffd966"},
			Escape:   {Fg: "#b3440c", Bold: true},
			Overflow: {Fg: "#b3440c", Bold: true},

			Agent:   {Fg: "#0a53be", Bold: true},
			User:    {Fg: "#8a5a00", Bold: true},
			Mixed:   {Fg: "#7a3ea8", Bold: true},
			Unknown: {Fg: "#5a626d"},
			Staged:  {Fg: "#b3440c", Bold: true},

			Good: {Fg: "#1a7f37"},
			Warn: {Fg: "#8a5a00"},
			Bad:  {Fg: "#b42332", Bold: true},
			Box:  {Fg: "#2b2f36", Bg: "#f4f5f7"},
			Edge: {Fg: "#8794a8", Bg: "#f4f5f7"},
		}}
}
