package style_test

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/style"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for _, p := range pairs {
		k, v, _ := strings.Cut(p, "=")
		m[k] = v
	}
	return func(k string) string { return m[k] }
}

func TestProfile(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want termenv.Profile
	}{
		{nil, termenv.Ascii},
		{[]string{"TERM=dumb", "COLORTERM=truecolor"}, termenv.Ascii},
		{[]string{"TERM=xterm-256color"}, termenv.ANSI256},
		{[]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, termenv.TrueColor},
		{[]string{"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=1"}, termenv.Ascii},
		{[]string{"TERM=xterm-256color", "NO_COLOR="}, termenv.ANSI256},
		{[]string{"TERM=screen-256color", "COLORTERM=truecolor"}, termenv.ANSI256},
		{[]string{"TERM=screen-256color", "COLORTERM=truecolor", "TERM_PROGRAM=tmux"}, termenv.TrueColor},
		{[]string{"TERM=xterm"}, termenv.ANSI},
		{[]string{"TERM=linux"}, termenv.ANSI},
		{[]string{"TERM=vt100"}, termenv.Ascii},
		{[]string{"TERM=xterm-kitty"}, termenv.TrueColor},
		{[]string{"TERM=xterm-256color", "CI=true"}, termenv.ANSI256},
	} {
		if got := style.Profile(env(c.env...)); got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got.Name(), c.want.Name())
		}
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		setting string
		profile termenv.Profile
		fgbg    string
		want    string
	}{
		{"", termenv.TrueColor, "", "dusk"},
		{"", termenv.TrueColor, "0;15", "paper"},
		{"", termenv.TrueColor, "15;default;0", "dusk"},
		{"", termenv.TrueColor, "0;7", "paper"},
		{"dark", termenv.TrueColor, "0;15", "dusk"},
		{"light", termenv.ANSI256, "", "paper"},
		{"ansi", termenv.TrueColor, "", "ansi"},
		{"paper", termenv.ANSI, "", "ansi"},
		{"paper", termenv.Ascii, "", "mono"},
		{"nosuch", termenv.TrueColor, "", "dusk"},
	} {
		if got := style.Choose(c.setting, c.profile, env("COLORFGBG="+c.fgbg)); got.Name != c.want {
			t.Errorf("%+v: %s", c, got.Name)
		}
	}
}

// Every sequence begins with a reset and holds colours only where the profile
// has them, none deeper than it.
func TestSequences(t *testing.T) {
	for _, th := range themes.All() {
		for _, p := range []termenv.Profile{termenv.Ascii, termenv.ANSI, termenv.ANSI256, termenv.TrueColor} {
			st := style.New(th, p)
			for role := range themes.Roles {
				for g := style.Plain; g <= style.OnDel; g++ {
					s := st.On(role, g)
					if !strings.HasPrefix(s, "\x1b[0") || !strings.HasSuffix(s, "m") || strings.Count(s, "\x1b") != 1 {
						t.Fatalf("%s: role %d on %d is %q", th.Name, role, g, s)
					}
					deep := strings.Contains(s, ";2;") && (strings.Contains(s, "38;2") || strings.Contains(s, "48;2"))
					if deep && p != termenv.TrueColor || strings.Contains(s, "8;5;") && p >= termenv.ANSI || p == termenv.Ascii && strings.ContainsAny(strings.TrimPrefix(s, "\x1b[0"), "35689") {
						t.Errorf("%s at %s: role %d on %d is %q", th.Name, p.Name(), role, g, s)
					}
				}
			}
		}
	}
}

// What is marked by its ground is told apart from what is not, in every theme.
func TestGroundsDiffer(t *testing.T) {
	for _, th := range themes.All() {
		st := style.New(th, termenv.TrueColor)
		for _, g := range []style.Ground{style.OnCursor, style.OnSelect, style.OnTitleOn} {
			if st.On(themes.Text, g) == st.Of(themes.Text) {
				t.Errorf("%s: ground %d does not show", th.Name, g)
			}
		}
		if st.On(themes.Text, style.OnCursor) == st.On(themes.Text, style.OnShadow) {
			t.Errorf("%s: the focus does not show", th.Name)
		}
	}
}
