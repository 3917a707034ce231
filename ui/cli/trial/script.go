package trial

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
)

// What a round did is kept as a script that does it again in a new folder. Programs
// that ran beside others (Command) are not in it: a round that lives by them has none
// (Unscripted).

// scriptHead opens the script; what follows it runs with $YARD as the yard's folder.
const scriptHead = `#!/bin/sh
# Plays this round again: sh script.sh NEW-FOLDER, with overturn in the PATH.
[ $# = 1 ] || { echo "usage: sh script.sh NEW-FOLDER" >&2; exit 2; }
mkdir "$1" || exit
YARD=$(cd "$1" && pwd -P); export YARD
mkdir -p "$YARD/repo" "$YARD/home/.config"
# expect CODE COMMAND...: the command must exit with CODE, -1 being killed by a signal.
expect() {
	want=$1; shift
	"$@"; code=$?
	[ "$want" != -1 ] || [ "$code" -le 128 ] || code=-1
	[ "$code" = "$want" ] || { echo "exit code $code, not $want: $*" >&2; exit 1; }
}
`

// script is the whole script of what was done so far.
func (y *Yard) script() string {
	var b strings.Builder
	b.WriteString(scriptHead)
	for _, entry := range y.env[:len(y.env)-len(y.more)] {
		name, value, _ := strings.Cut(entry, "=")
		if name == "PATH" || name == "TMPDIR" || name == "YARD" || name == "GIT_CEILING_DIRECTORIES" {
			continue // the caller's, and the folder's own
		}
		fmt.Fprintf(&b, "export %s=%s\n", name, y.place(value))
	}
	b.WriteString(y.book.script.String())
	return b.String()
}

// note adds a command, with the exit code that it had.
func (y *Yard) note(code int, name string, args []string) {
	words := make([]string, 0, len(args))
	for _, a := range args {
		words = append(words, y.place(a))
	}
	exports := ""
	for _, entry := range y.more {
		key, value, _ := strings.Cut(entry, "=")
		exports += "export " + key + "=" + y.place(value) + "; "
	}
	if y.fed != "" {
		exports += "printf %s " + base64.StdEncoding.EncodeToString([]byte(y.fed)) + " | base64 -d | "
	}
	fmt.Fprintf(&y.book.script, "(cd %s && %sexpect %d %s %s) || exit\n", y.place(y.dir), exports, code, name, strings.Join(words, " "))
}

// place is a word of the script: a path in the yard is one in the new yard.
func (y *Yard) place(word string) string {
	if rest, ok := strings.CutPrefix(word, y.book.base); ok && (rest == "" || rest[0] == filepath.Separator) {
		if rest = strings.TrimPrefix(rest, string(filepath.Separator)); rest == "" {
			return `"$YARD"`
		}
		return `"$YARD"/` + quote(rest)
	}
	return quote(word)
}

// quote makes one word of a shell of s.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
