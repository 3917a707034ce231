package themes_test

import (
	"fmt"
	"math"
	"testing"

	"overturn/themes"
)

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var r, g, b int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatalf("%q is not a colour", hex)
	}
	lin := func(v int) float64 {
		c := float64(v) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// contrast is that of WCAG 2: 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// What is read must be readable: 4.5 for text, 3 for what is only glanced at.
func TestContrast(t *testing.T) {
	quiet := map[themes.Role]bool{themes.Number: true, themes.Gap: true, themes.Muted: true}
	for _, th := range []themes.Theme{themes.Dusk(), themes.Paper()} {
		ground := th.Paints[themes.Text].Bg
		for role, p := range th.Paints {
			if role == int(themes.Rule) || role == int(themes.Edge) {
				continue
			}
			bg := p.Bg
			if bg == "" {
				bg = ground
			}
			least := 4.5
			if quiet[themes.Role(role)] {
				least = 2.6
			}
			if c := contrast(t, p.Fg, bg); c < least {
				t.Errorf("%s: role %d has a contrast of %.1f, %.1f is needed", th.Name, role, c, least)
			}
		}
		for _, on := range []themes.Role{themes.Cursor, themes.Shadow, themes.Select, themes.Bar, themes.TitleOn, themes.Box} {
			for _, role := range []themes.Role{themes.Text, themes.Strong, themes.Add, themes.Del, themes.Good, themes.Warn, themes.Bad} {
				if c := contrast(t, th.Paints[role].Fg, th.Paints[on].Bg); c < 3 {
					t.Errorf("%s: role %d on %d has a contrast of %.1f", th.Name, role, on, c)
				}
			}
		}
	}
}

// Without colours and with sixteen, no hexadecimal colour is left.
func TestPlainThemesKeepToThePalette(t *testing.T) {
	for _, th := range []themes.Theme{themes.Ansi(), themes.Mono()} {
		for role, p := range th.Paints {
			for _, c := range []string{p.Fg, p.Bg} {
				if len(c) > 2 || th.Name == "mono" && c != "" {
					t.Errorf("%s: role %d uses %q", th.Name, role, c)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, th := range themes.All() {
		if got, ok := themes.Named(th.Name); !ok || got != th {
			t.Errorf("%q is not found by its name", th.Name)
		}
	}
	if _, ok := themes.Named("nosuch"); ok {
		t.Errorf("a theme that is not there was found")
	}
}
