package style

import (
	"math"
	"strconv"
)

// rgb is a colour by its parts, 0 to 255.
type rgb [3]int

// parse reads "#rrggbb" or a palette number from 16 on; the first sixteen are the
// user's own and not known.
func parse(c string) (rgb, bool) {
	if len(c) == 7 && c[0] == '#' {
		n, err := strconv.ParseUint(c[1:], 16, 32)
		return rgb{int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff)}, err == nil
	}
	n, err := strconv.Atoi(c)
	return palette(n), err == nil && n >= 16 && n <= 255
}

// palette is colour n of the 256, from 16 on: a cube of six steps, then greys.
func palette(n int) rgb {
	if n >= 232 {
		return rgb{8 + 10*(n-232), 8 + 10*(n-232), 8 + 10*(n-232)}
	}
	step := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	n -= 16
	return rgb{step(n / 36), step(n / 6 % 6), step(n % 6)}
}

// nearest is the number of the palette's colour that looks most like c: by the
// "redmean" distance, a cheap stand-in for one in a perceptual space.
func nearest(c rgb) int {
	best, at := math.MaxFloat64, 16
	for _, n := range candidates(c) {
		p := palette(n)
		mean := float64(c[0]+p[0]) / 2
		r, g, b := float64(c[0]-p[0]), float64(c[1]-p[1]), float64(c[2]-p[2])
		if d := (2+mean/256)*r*r + 4*g*g + (2+(255-mean)/256)*b*b; d < best {
			best, at = d, n
		}
	}
	return at
}

// candidates are the corners of the cube around c, and the grey of its lightness
// with its neighbours.
func candidates(c rgb) [11]int {
	var low [3]int
	for i, v := range c {
		low[i] = min(max((v-55)/40, 0), 4)
	}
	var list [11]int
	for k := range 8 {
		list[k] = 16 + 36*(low[0]+k&1) + 6*(low[1]+k>>1&1) + low[2] + k>>2
	}
	grey := min(max((2*c[0]+4*c[1]+c[2])/7-8, 0)/10, 22)
	list[8], list[9], list[10] = 232+max(grey-1, 0), 232+grey, 233+grey
	return list
}

// luminance and contrast are those of WCAG 2.
func (c rgb) luminance() float64 {
	lin := func(v int) float64 {
		if f := float64(v) / 255; f > 0.03928 {
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*lin(c[0]) + 0.7152*lin(c[1]) + 0.0722*lin(c[2])
}

func contrast(a, b rgb) float64 {
	la, lb := a.luminance(), b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// legible is WCAG's AA for text.
const legible = 4.5

// readable is the palette's colour for fg on the palette's bg: the nearest one,
// drawn towards white or black until it can be read. Themes are readable as they
// are; the palette's few dark grounds are not theirs.
func readable(fg rgb, bg int) int {
	ground, end := palette(bg), rgb{255, 255, 255}
	if contrast(end, ground) < contrast(rgb{}, ground) {
		end = rgb{}
	}
	const steps = 10
	for i := range steps + 1 {
		var c rgb
		for k := range c {
			c[k] = fg[k] + (end[k]-fg[k])*i/steps
		}
		if n := nearest(c); contrast(palette(n), ground) >= legible {
			return n
		}
	}
	return nearest(end)
}
