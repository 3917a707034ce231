package themes

// Shore is Tide's like for light terminals.
func Shore() Theme {
	return Theme{
		Name: "shore", About: "light, for colour-blind eyes: blue and orange", Paints: [Roles]Paint{
			Text:    {Fg: "#272c33", Bg: "#fdfcf9"},
			Muted:   {Fg: "#565e69"},
			Strong:  {Fg: "#0b0f14", Bold: true},
			Accent:  {Fg: "#0a4fa3", Bold: true},
			Rule:    {Fg: "#c6ccd3"},
			Bar:     {Fg: "#3f4650", Bg: "#eaedf1", Bg256: "255"},
			BarKey:  {Fg: "#0a4fa3", Bg: "#eaedf1", Bg256: "255", Bold: true},
			Title:   {Fg: "#545c67", Bg: "#eff1f4", Bg256: "255"},
			TitleOn: {Fg: "#0b0f14", Bg: "#dbe2eb", Bg256: "253", Bold: true},
			Cursor:  {Fg: "#0b0f14", Bg: "#dde5ee", Bg256: "254"},
			Shadow:  {Fg: "#272c33", Bg: "#eaedf0", Bg256: "255"},

			Add:      {Fg: "#123f6e", Bg: "#deecfb", Bg256: "195"},
			AddMark:  {Fg: "#06294d", Bg: "#a3cdf5", Bg256: "153"},
			Del:      {Fg: "#6b3a05", Bg: "#fdeacf", Bg256: "223"},
			DelMark:  {Fg: "#4a2600", Bg: "#f6c283", Bg256: "215"},
			Plus:     {Fg: "#0a4fa3"},
			Minus:    {Fg: "#8a4500"},
			Number:   {Fg: "#788089"},
			Hunk:     {Fg: "#5a3aa0", Bg: "#eeeafa", Bg256: "189"},
			Gap:      {Fg: "#788089"},
			Select:   {Fg: "#0b0f14", Bg: "#e5def6", Bg256: "225"},
			Found:    {Fg: "#0b0f14", Bg: "#f5e26b"},
			Escape:   {Fg: "#96206b", Bold: true},
			Overflow: {Fg: "#96206b", Bold: true},

			Keyword:  {Fg: "#5a3aa0"},
			Type:     {Fg: "#6b5200"},
			Function: {Fg: "#0a4fa3"},
			String:   {Fg: "#0a5b73"},
			Value:    {Fg: "#8a4500"},
			Comment:  {Fg: "#565e69"},
			Meta:     {Fg: "#8a2a66"},

			Agent:   {Fg: "#0a4fa3", Bold: true},
			User:    {Fg: "#6b5200", Bold: true},
			Mixed:   {Fg: "#7a3a9a", Bold: true},
			Unknown: {Fg: "#545c67"},
			Staged:  {Fg: "#96206b", Bold: true},

			Good: {Fg: "#0a4fa3"},
			Warn: {Fg: "#6b5200"},
			Bad:  {Fg: "#8a4500", Bold: true},
			Box:  {Fg: "#272c33", Bg: "#f4f5f6", Bg256: "255"},
			Edge: {Fg: "#8492a4", Bg: "#f4f5f6", Bg256: "255"},
		}}
}
