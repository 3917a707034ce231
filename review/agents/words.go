package agents

import "strconv"

// Count is a number of things in words: 1 turn, 2 turns.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
