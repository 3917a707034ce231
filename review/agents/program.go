package agents

import (
	"strings"

	"overturn/model"
)

// HookPrograms are the programs that the hooks of an agent call in a settings file,
// each once, as they are written there: whatever the file's format, a command line
// that HookCommand made stands in it. Words with escapes of that format come out as
// they are.
func HookPrograms(src []byte, agent string) []string {
	text, call := string(src), " hook "+agent
	var list []string
	seen := map[string]bool{}
	for {
		at := strings.Index(text, call)
		if at < 0 {
			return list
		}
		before, after := text[:at], text[at+len(call):]
		text = after
		flags := after
		if end := strings.IndexAny(after, "\"'`\\\n,)]}"); end >= 0 {
			flags = after[:end]
		}
		if flags != "" && flags[0] != ' ' {
			continue // another agent, whose name begins like this one's
		}
		word := lastWord(before)
		if line := model.ShellWord(word) + call; word != "" && !seen[word] && (IsHookCommand(line, agent) || IsHookCommand(line+flags, agent)) {
			seen[word] = true
			list = append(list, word)
		}
	}
}

// lastWord is the word that a text ends in: to the quote before it, or to the blank.
func lastWord(s string) string {
	if strings.HasSuffix(s, "'") {
		s = strings.TrimSuffix(s, "'")
		return s[strings.LastIndexByte(s, '\'')+1:]
	}
	return s[strings.LastIndexAny(s, " \t\n\"'`=")+1:]
}
