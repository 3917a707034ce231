package style_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/style"
	"overturn/ui/uitest/vt"
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

// With 256 colours the grounds are still told apart, and everything that is read
// can be.
func TestPalette(t *testing.T) {
	for _, th := range themes.All() {
		if th.Paints[themes.Add].Bg == "" {
			continue
		}
		st := style.New(th, termenv.ANSI256)
		if _, bg := palette(t, st.Of(themes.Muted)); !strings.HasSuffix(st.Of(themes.Text), ";48;5;"+bg+"m") {
			t.Errorf("%s: plain text and muted text stand on different grounds", th.Name)
		}
		if fg, bg := palette(t, st.Of(themes.BarKey)); !strings.Contains(st.Lipgloss(themes.BarKey).Render("x"), "38;5;"+fg+";48;5;"+bg+"m") {
			t.Errorf("%s: lipgloss paints a key as %q, not as %q", th.Name, st.Lipgloss(themes.BarKey).Render("x"), st.Of(themes.BarKey))
		}
		seen := map[string]themes.Role{}
		for _, r := range []themes.Role{themes.Text, themes.Add, themes.AddMark, themes.Del, themes.DelMark, themes.Cursor, themes.Select, themes.Found} {
			_, bg := palette(t, st.Of(r))
			if other, ok := seen[bg]; ok {
				t.Errorf("%s: roles %d and %d share the ground %s", th.Name, r, other, bg)
			}
			seen[bg] = r
		}
		for r := range themes.Roles {
			for g := style.Plain; g <= style.OnDel; g++ {
				fg, bg := palette(t, st.On(r, g))
				least := 4.5
				switch r {
				case themes.Rule, themes.Edge:
					least = 1
				case themes.Number, themes.Gap:
					least = 2
				}
				if c := ratio(fg, bg); c < least {
					t.Errorf("%s: role %d on ground %d is %s on %s: %.2f", th.Name, r, g, fg, bg, c)
				}
			}
		}
	}
}

// palette reads the colour and the ground of a sequence.
func palette(t *testing.T, sgr string) (fg, bg string) {
	t.Helper()
	codes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(sgr, "\x1b["), "m"), ";")
	for i := 0; i+2 < len(codes); i++ {
		if codes[i+1] == "5" && codes[i] == "38" {
			fg = codes[i+2]
		} else if codes[i+1] == "5" && codes[i] == "48" {
			bg = codes[i+2]
		}
	}
	if fg == "" || bg == "" {
		t.Fatalf("%q has no colour or no ground", sgr)
	}
	return fg, bg
}

// ratio is WCAG's contrast of two colours of the palette.
func ratio(a, b string) float64 {
	light := func(s string) float64 {
		n, _ := strconv.Atoi(s)
		r, g, b := vt.Palette(n)
		sum := 0.0
		for i, v := range []float64{float64(r), float64(g), float64(b)} {
			c := v / 255 / 12.92
			if v/255 > 0.03928 {
				c = math.Pow((v/255+0.055)/1.055, 2.4)
			}
			sum += c * [3]float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum + 0.05
	}
	return max(light(a), light(b)) / min(light(a), light(b))
}
