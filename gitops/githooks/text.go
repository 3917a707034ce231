package githooks

import "strings"

// The first and the last of our lines in a hook.
const (
	begin = "# overturn: begin (taken out by: overturn disable --git-hooks)"
	end   = "# overturn: end"
)

// shebang begins a hook of our own, and ownHead one in which nothing else was before: a
// user's may have a first line and no more.
const (
	shebang = "#!/bin/sh\n"
	ownHead = shebang + "# made by overturn\n"
)

// block is what stands in a hook: nothing of the hook's input is read, and nothing
// that happens fails it.
func block(line string) string {
	return begin + "\n" + line + "\n" + end + "\n"
}

// Line is the call of program in the hook of the given name. A program that is gone
// is passed over.
func Line(program, name string) string {
	quoted := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	return "if command -v " + quoted + " >/dev/null 2>&1; then " + quoted + " git-hook " + name + ` "$@" </dev/null || :; fi`
}

// cut finds our lines in a hook.
func cut(text string) (before, ours, after string, ok bool) {
	from := strings.Index(text, begin+"\n")
	if from < 0 || from > 0 && text[from-1] != '\n' {
		return text, "", "", false
	}
	length := strings.Index(text[from:], "\n"+end+"\n")
	if length < 0 {
		return text, "", "", false
	}
	to := from + length + len("\n"+end+"\n")
	return text[:from], text[from:to], text[to:], true
}

// put adds our lines behind the first line of a shell script.
func put(text, line string) string {
	if before, _, after, ok := cut(text); ok {
		return before + block(line) + after
	}
	if !strings.HasPrefix(text, "#!") {
		return block(line) + text
	}
	first, rest, whole := strings.Cut(text, "\n")
	if !whole {
		return first + "\n" + block(line) // without a newline at its end it has nothing to run
	}
	return first + "\n" + block(line) + rest
}

// isShell tells whether text is a script that the shell reads: by its first line, or
// without one, as git has it.
func isShell(text string) bool {
	if strings.ContainsRune(text, 0) {
		return false
	}
	first, _, _ := strings.Cut(text, "\n")
	command, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return !strings.HasPrefix(text, "\x7f")
	}
	if strings.HasSuffix(first, "\r") {
		return false
	}
	words := strings.Fields(command)
	for i, word := range words {
		name := word[strings.LastIndexByte(word, '/')+1:]
		switch name {
		case "sh", "bash", "dash", "ash", "ksh", "zsh":
			return true
		case "env":
			continue
		}
		if i > 0 && strings.HasPrefix(word, "-") {
			continue // env -S
		}
		return false
	}
	return false
}

// wrapper stands in the place of a hook that is no shell script.
func wrapper(line, kept string) string {
	return shebang + block(line) + `exec "$(dirname "$0")/` + kept + `" "$@"` + "\n"
}
