package model

import (
	"os"
	"strings"
)

// ShellWord is s as one word for a POSIX shell, quoted where that is needed: for command
// lines that are shown to be typed, or written where a shell reads them.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return r > 127 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// GlobSafe takes from a path what patterns of file names give a meaning, where that can
// be taken.
func GlobSafe(path string) string {
	if os.PathSeparator == '\\' {
		return path // nothing can be quoted there
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
