package main

import (
	"path/filepath"
	"strings"
)

// scene is a picture: how the review is opened, and what is pressed.
type scene struct {
	file, size, keys, theme, env string
}

// name is the file's, without folder and end.
func (s scene) name() string { return strings.TrimSuffix(filepath.Base(s.file), ".svg") }

// scenes are the pictures of the documentation.
func scenes() []scene {
	const truecolor = "COLORTERM=truecolor"
	picture := func(name, size, keys, theme, env string) scene {
		return scene{filepath.Join("docs", "pictures", name+".svg"), size, keys, theme, env}
	}
	return []scene{
		picture("review", "120x34", "(((<enter>]", "dusk", truecolor),
		picture("split", "150x34", "(((<enter>s]", "dusk", truecolor),
		picture("plan", "120x34", "(((<enter>x]]xP", "dusk", truecolor),
		picture("card", "120x34", "i", "dusk", truecolor),
		picture("writers", "120x34", "1pcart.py<enter><enter>b", "dusk", truecolor),
		picture("light", "120x34", "(((<enter>]", "paper", truecolor),
		picture("contrast", "120x34", "(((<enter>]", "contrast", truecolor),
		picture("tide", "120x34", "(((<enter>]", "tide", truecolor),
		picture("shore", "120x34", "(((<enter>]", "shore", truecolor),
		picture("256", "120x34", "(((<enter>]", "dusk", "COLORTERM="),
		picture("16", "120x34", "(((<enter>]", "", "TERM=xterm"),
		picture("plain", "120x34", "(((<enter>]", "", "NO_COLOR=1"),
	}
}
