package themes

// Contrast is for eyes and rooms that need the most of it: black ground, and
// nothing that is read below seven to one.
func Contrast() Theme {
	return Theme{
		Name: "contrast", About: "dark, high contrast", Dark: true, Paints: [Roles]Paint{
			Text:    {Fg: "#ffffff", Bg: "#000000"},
			Muted:   {Fg: "#c8c8c8"},
			Strong:  {Fg: "#ffffff", Bold: true},
			Accent:  {Fg: "#8fd0ff", Bold: true},
			Rule:    {Fg: "#8a8a8a"},
			Bar:     {Fg: "#ffffff", Bg: "#1c1c1c", Bg256: "234"},
			BarKey:  {Fg: "#8fd0ff", Bg: "#1c1c1c", Bg256: "234", Bold: true},
			Title:   {Fg: "#dcdcdc", Bg: "#1c1c1c", Bg256: "234"},
			TitleOn: {Fg: "#ffffff", Bg: "#12365a", Bg256: "24", Bold: true},
			Cursor:  {Fg: "#ffffff", Bg: "#003263", Bg256: "18"},
			Shadow:  {Fg: "#ffffff", Bg: "#2a2a2a", Bg256: "236"},

			Add:      {Fg: "#d5ffd5", Bg: "#00290f", Bg256: "22"},
			AddMark:  {Fg: "#000000", Bg: "#7dff9b", Bold: true},
			Del:      {Fg: "#ffdcdc", Bg: "#3a0008", Bg256: "52"},
			DelMark:  {Fg: "#000000", Bg: "#ffb3b3", Bold: true},
			Plus:     {Fg: "#7dff9b"},
			Minus:    {Fg: "#ffb3b3"},
			Number:   {Fg: "#b0b0b0"},
			Hunk:     {Fg: "#8fd0ff", Bg: "#101c2c", Bg256: "235"},
			Gap:      {Fg: "#b0b0b0"},
			Select:   {Fg: "#ffffff", Bg: "#3b1c63", Bg256: "53"},
			Found:    {Fg: "#000000", Bg: "#ffe14a"},
			Escape:   {Fg: "#ffb995", Bold: true},
			Overflow: {Fg: "#ffb995", Bold: true},

			Keyword:  {Fg: "#e3bdff", Bold: true},
			Type:     {Fg: "#ffe08a"},
			Function: {Fg: "#a8d8ff"},
			String:   {Fg: "#b4f5a8"},
			Value:    {Fg: "#ffc39e"},
			Comment:  {Fg: "#c8c8c8"},
			Meta:     {Fg: "#8deef0"},

			Agent:   {Fg: "#8fd0ff", Bold: true},
			User:    {Fg: "#ffe08a", Bold: true},
			Mixed:   {Fg: "#e3bdff", Bold: true},
			Unknown: {Fg: "#d0d0d0"},
			Staged:  {Fg: "#ffb995", Bold: true},

			Good: {Fg: "#7dff9b"},
			Warn: {Fg: "#ffe08a"},
			Bad:  {Fg: "#ffb3b3", Bold: true},
			Box:  {Fg: "#ffffff", Bg: "#141414", Bg256: "233"},
			Edge: {Fg: "#ffffff", Bg: "#141414", Bg256: "233"},
		}}
}
