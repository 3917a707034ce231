package redact

import "strings"

// automaton finds all keywords of all rules in one pass over a text, whatever their
// case (A. V. Aho, M. J. Corasick, "Efficient string matching", CACM 18, 1975, as a
// table with a row a state).
type automaton struct {
	class   [256]uint8 // bytes that no keyword has are class 0
	classes int
	next    []uint16 // state × class → state
	found   [][]int  // state → rules that have a keyword ending there
}

func newAutomaton(rules []*rule) *automaton {
	a := &automaton{classes: 1}
	for _, r := range rules {
		for _, word := range r.keywords {
			a.admit(strings.ToLower(word))
		}
	}
	a.addState()
	for i, r := range rules {
		for _, word := range r.keywords {
			a.add(strings.ToLower(word), i)
		}
	}
	a.link()
	return a
}

func (a *automaton) admit(word string) {
	for _, c := range []byte(word) {
		if a.class[c] == 0 {
			a.class[c] = uint8(a.classes)
			a.class[upper(c)] = uint8(a.classes)
			a.classes++
		}
	}
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func (a *automaton) addState() uint16 {
	a.next = append(a.next, make([]uint16, a.classes)...)
	a.found = append(a.found, nil)
	return uint16(len(a.found) - 1)
}

func (a *automaton) add(word string, rule int) {
	state := uint16(0)
	for _, c := range []byte(word) {
		at := int(state)*a.classes + int(a.class[c])
		if a.next[at] == 0 {
			fresh := a.addState()
			a.next[at] = fresh
		}
		state = a.next[at]
	}
	a.found[state] = append(a.found[state], rule)
}

// link fills in where a state goes when the word that it stands for does not go on:
// breadth first, so that the shorter suffix is finished before it is used.
func (a *automaton) link() {
	fail := make([]uint16, len(a.found))
	var queue []uint16
	for c := range a.classes {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		a.found[s] = append(a.found[s], a.found[fail[s]]...)
		for c := range a.classes {
			at, other := int(s)*a.classes+c, a.next[int(fail[s])*a.classes+c]
			if t := a.next[at]; t != 0 {
				fail[t] = other
				queue = append(queue, t)
			} else {
				a.next[at] = other
			}
		}
	}
}

// hit is a keyword of a rule, by the byte after its last.
type hit struct{ end, rule int }

func (a *automaton) hits(text []byte) []hit {
	var list []hit
	state := 0
	for i, c := range text {
		state = int(a.next[state*a.classes+int(a.class[c])])
		for _, rule := range a.found[state] {
			list = append(list, hit{i + 1, rule})
		}
	}
	return list
}
