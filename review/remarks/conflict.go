package remarks

import "bytes"

// Conflict is the lines, from 1 and inclusive, between the first and the last marker
// of a merge that was left in a text.
type Conflict struct{ From, To int }

// Conflicts finds what a merge left in a text: "<<<<<<<", "=======" and ">>>>>>>" at
// the start of lines, in that order. At most limit of them are listed.
func Conflicts(text []byte, limit int) []Conflict {
	var list []Conflict
	if !bytes.Contains(text, []byte("<<<<<<<")) {
		return nil
	}
	from, middle := 0, false
	for n := 1; len(text) > 0 && len(list) < limit; n++ {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		switch Marker(line) {
		case '<':
			from, middle = n, false
		case '=':
			middle = from > 0
		case '>':
			if middle {
				list = append(list, Conflict{from, n})
			}
			from, middle = 0, false
		}
	}
	return list
}

// markerLength is git's: conflict-marker-size is seven unless an attribute says more.
const markerLength = 7

// Marker is the sign of a conflict marker, one of <|=>, or 0 where line is none.
func Marker(line []byte) byte {
	if len(line) < markerLength {
		return 0
	}
	c := line[0]
	if c != '<' && c != '|' && c != '=' && c != '>' {
		return 0
	}
	for _, d := range line[:markerLength] {
		if d != c {
			return 0
		}
	}
	switch rest := line[markerLength:]; {
	case len(rest) == 0, rest[0] == '\r':
		return c
	case rest[0] == ' ':
		return c
	}
	return 0
}
