package doctor

import (
	"overturn/model"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// quote makes one word of a shell of s.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// globSafe takes the meaning out of what a pattern would make of a folder's name.
func globSafe(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// join is the path of a name in a folder of the work tree, "" being its root.
func join(folder model.Path, name string) model.Path {
	if folder == "" {
		return model.Path(name)
	}
	return folder + "/" + model.Path(name)
}
