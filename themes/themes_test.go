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

// glanced holds the roles that are seen rather than read, with the least contrast
// that they need all the same.
func glanced(r themes.Role) (least float64, ok bool) {
	switch r {
	case themes.Number, themes.Gap:
		return 3, true
	case themes.Rule, themes.Edge, themes.Select:
		return 0, true
	}
	return 0, false
}

// grounds are the roles that other roles are drawn upon. Marks and hits have a
// ground of their own wherever they stand.
func grounds() []themes.Role {
	return []themes.Role{themes.Text, themes.Cursor, themes.Shadow, themes.Select, themes.Bar, themes.Title, themes.TitleOn, themes.Box, themes.Hunk, themes.Add, themes.Del}
}

func marks(r themes.Role) bool {
	return r == themes.AddMark || r == themes.DelMark || r == themes.Found
}

// What is read can be read, wherever it stands: 4.5 to one is WCAG's AA, 7 its
// AAA, which the theme for high contrast keeps.
func TestContrast(t *testing.T) {
	for _, th := range themes.All() {
		if th.Name == "ansi" || th.Name == "mono" {
			continue
		}
		for role, p := range th.Paints {
			least, quiet := glanced(themes.Role(role))
			switch {
			case quiet:
			case th.Name == "contrast":
				least = 7
			default:
				least = 4.5
			}
			on := grounds()
			if marks(themes.Role(role)) {
				on = []themes.Role{themes.Role(role)}
			}
			for _, g := range on {
				if c := contrast(t, p.Fg, th.Paints[g].Bg); c < least {
					t.Errorf("%s: role %d (%s) on the ground of %d (%s) has a contrast of %.2f, %.1f is needed", th.Name, role, p.Fg, g, th.Paints[g].Bg, c, least)
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
