package terminal

import "strings"

// Synchronises tells whether the terminal may be sent frames as synchronised output
// (private mode 2026), by the environment alone: one that does not know it is not asked
// to. GNU screen and the consoles of Linux and the BSDs have no such mode; Apple's
// Terminal draws late what comes within it.
func Synchronises(getenv func(string) string) bool {
	name := getenv("TERM")
	switch {
	case name == "" || name == "dumb" || name == "linux" || name == "cons25" || name == "wsvt25" || strings.HasPrefix(name, "vt"):
		return false
	case getenv("STY") != "" && getenv("TMUX") == "":
		return false
	}
	return getenv("TERM_PROGRAM") != "Apple_Terminal"
}
