package style

import (
	"strconv"
	"strings"

	"github.com/muesli/termenv"

	"overturn/themes"
)

// Profile decides the colour depth from the environment alone: NO_COLOR (when
// not empty) and TERM=dumb mean none, COLORTERM and TERM the rest.
func Profile(getenv func(string) string) termenv.Profile {
	term := getenv("TERM")
	switch colorterm := strings.ToLower(getenv("COLORTERM")); {
	case getenv("NO_COLOR") != "" || term == "dumb" || term == "":
		return termenv.Ascii
	case (colorterm == "truecolor" || colorterm == "24bit") && (!strings.HasPrefix(term, "screen") || getenv("TERM_PROGRAM") == "tmux"):
		return termenv.TrueColor
	case strings.HasSuffix(term, "-direct") || term == "xterm-kitty" || term == "xterm-ghostty" || term == "alacritty" || term == "wezterm":
		return termenv.TrueColor
	case strings.Contains(term, "256color") || colorterm != "":
		return termenv.ANSI256
	case term == "linux" || strings.Contains(term, "color") || strings.HasPrefix(term, "xterm") ||
		strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "rxvt") || term == "ansi" || term == "cygwin":
		return termenv.ANSI
	}
	return termenv.Ascii
}

// Choose returns the theme for the profile: the one that setting names, else
// one by COLORFGBG ("15;0": the last number is the background), dark when it is
// silent. Without colours it is always mono, with sixteen always ansi.
func Choose(setting string, p termenv.Profile, getenv func(string) string) themes.Theme {
	switch p {
	case termenv.Ascii:
		return themes.Mono()
	case termenv.ANSI:
		return themes.Ansi()
	}
	if t, ok := themes.Named(setting); ok {
		return t
	}
	if setting == "light" || setting != "dark" && lightBackground(getenv("COLORFGBG")) {
		return themes.Paper()
	}
	return themes.Dusk()
}

// Follows tells whether the terminal may say what it is, dark or light: COLORFGBG
// does not, and there are themes for both; with few colours, the one theme is
// readable on either.
func Follows(p termenv.Profile, getenv func(string) string) bool {
	return (p == termenv.TrueColor || p == termenv.ANSI256) && getenv("COLORFGBG") == ""
}

// Choices are the themes that the terminal's colours allow.
func Choices(p termenv.Profile) []themes.Theme {
	switch p {
	case termenv.Ascii:
		return []themes.Theme{themes.Mono()}
	case termenv.ANSI:
		return []themes.Theme{themes.Ansi(), themes.Mono()}
	}
	return themes.All()
}

// lightBackground reads COLORFGBG as rxvt and konsole set it: palette 7 and 9
// to 15 are light.
func lightBackground(v string) bool {
	n, err := strconv.Atoi(v[strings.LastIndexByte(v, ';')+1:])
	return err == nil && (n == 7 || n >= 9 && n <= 15)
}
