package themes_test

import (
	"fmt"
	"math"
	"testing"

	"overturn/themes"
)

// sights are how colours look to eyes that lack a kind of cone, as matrices on
// linear RGB: Machado, Oliveira and Fernandes 2009, severity 1.0.
func sights() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protan":    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deutan":    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritan":    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
}

// lab is a colour as it looks to a sight, in CIE L*a*b* under D65.
func lab(t *testing.T, hex string, sight [3][3]float64) [3]float64 {
	t.Helper()
	var c [3]int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		t.Fatalf("%q is not a colour", hex)
	}
	var linear, seen [3]float64
	for i, v := range c {
		if linear[i] = float64(v) / 255 / 12.92; float64(v)/255 > 0.04045 {
			linear[i] = math.Pow((float64(v)/255+0.055)/1.055, 2.4)
		}
	}
	for i, row := range sight {
		seen[i] = min(max(row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2], 0), 1)
	}
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124*seen[0] + 0.3576*seen[1] + 0.1805*seen[2]) / 0.95047)
	y := f(0.2126*seen[0] + 0.7152*seen[1] + 0.0722*seen[2])
	z := f((0.0193*seen[0] + 0.1192*seen[1] + 0.9505*seen[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// differ is the distance of two colours to a sight; 2.3 is just noticed side by side.
func differ(t *testing.T, a, b string, sight [3][3]float64) float64 {
	p, q := lab(t, a, sight), lab(t, b, sight)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// In the themes for colour-blind eyes what came and what went are told apart by
// every sight: as grounds, as marks and as signs; and both from untouched lines.
func TestColourBlind(t *testing.T) {
	for _, th := range []themes.Theme{themes.Tide(), themes.Shore()} {
		p := th.Paints
		for name, sight := range sights() {
			for _, pair := range []struct {
				what, a, b string
				least      float64
			}{
				{"added and removed lines", p[themes.Add].Bg, p[themes.Del].Bg, 15},
				{"added and plain lines", p[themes.Add].Bg, p[themes.Text].Bg, 5},
				{"removed and plain lines", p[themes.Del].Bg, p[themes.Text].Bg, 5},
				{"added and removed words", p[themes.AddMark].Bg, p[themes.DelMark].Bg, 20},
				{"signs", p[themes.Plus].Fg, p[themes.Minus].Fg, 25},
				{"good and bad", p[themes.Good].Fg, p[themes.Bad].Fg, 25},
				{"owners", p[themes.Agent].Fg, p[themes.User].Fg, 25},
			} {
				if d := differ(t, pair.a, pair.b, sight); d < pair.least {
					t.Errorf("%s, %s: %s differ by %.1f, %.0f is needed", th.Name, name, pair.what, d, pair.least)
				}
			}
		}
	}
}
