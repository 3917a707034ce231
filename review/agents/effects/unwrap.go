package effects

import (
	"path"
	"strings"
)

// unwrap takes off what stands before the program proper: words of the shell's
// grammar, assignments, and programs that run another (sudo, env, timeout …). It
// returns the program's bare name with its arguments, and texts that are command
// lines themselves (bash -c TEXT, eval TEXT).
func unwrap(words []string) (program string, args []string, texts []string, detached bool) {
	for len(words) > 0 {
		w := words[0]
		name := path.Base(w)
		switch {
		case w == "" || isAssignment(w) || isGrammar(w):
			words = words[1:]
			continue
		}
		switch name {
		case "sudo", "doas":
			words = afterFlags(words[1:], "-u", "-g", "-h", "-p", "-C", "-T", "-U", "--user", "--group")
		case "env":
			words = afterFlags(words[1:], "-u", "-C", "-S", "--unset", "--chdir")
		case "nice", "ionice", "stdbuf", "time", "command", "builtin", "exec", "caffeinate", "chronic", "unbuffer":
			words = afterFlags(words[1:], "-n", "-c", "-o", "-i", "-e", "-a")
		case "nohup", "setsid":
			words, detached = afterFlags(words[1:]), true
		case "timeout":
			words = afterFlags(words[1:], "-s", "-k", "--signal", "--kill-after")
			if len(words) > 0 {
				words = words[1:]
			}
		case "xargs":
			words = afterFlags(words[1:], "-n", "-P", "-I", "-L", "-d", "-a", "-s", "-E")
		case "bash", "sh", "zsh", "dash", "ksh", "fish":
			if text, ok := shellText(words[1:]); ok {
				return "", nil, []string{text}, detached
			}
			return name, words[1:], nil, detached
		case "find", "fd":
			return name, words[1:], executed(words[1:]), detached
		case "eval":
			return "", nil, []string{strings.Join(words[1:], " ")}, detached
		default:
			return strings.TrimSuffix(name, ".exe"), words[1:], nil, detached
		}
	}
	return "", nil, nil, detached
}

// executed are the commands that find -exec and its kin run, as texts.
func executed(args []string) []string {
	var texts []string
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec":
			var words []string
			for i++; i < len(args) && args[i] != ";" && args[i] != "+"; i++ {
				words = append(words, quote(args[i]))
			}
			texts = append(texts, strings.Join(words, " "))
		}
	}
	return texts
}

// quote writes a word so that it is read as that word again.
func quote(w string) string { return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'" }

func isGrammar(w string) bool {
	switch w {
	case "then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "fi", "done", "esac":
		return true
	}
	return false
}

// isAssignment tells NAME=VALUE.
func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// afterFlags skips flags; those in valued take the next word with them.
func afterFlags(words []string, valued ...string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		flag := words[0]
		words = words[1:]
		if flag == "--" {
			break
		}
		for _, v := range valued {
			if flag == v && len(words) > 0 {
				words = words[1:]
			}
		}
	}
	return words
}

// shellText is the TEXT of bash -c TEXT, with the flags in any usual spelling.
func shellText(args []string) (string, bool) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") {
			return "", false
		}
		if !strings.HasPrefix(a, "--") && strings.Contains(a, "c") && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return "", false
}

// operands are the words that are no flags; flags in valued take the next word
// with them.
func operands(args []string, valued ...string) []string {
	var list []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(list, args[i+1:]...)
		}
		if len(a) > 1 && a[0] == '-' {
			for _, v := range valued {
				if a == v {
					i++
					break
				}
			}
			continue
		}
		list = append(list, a)
	}
	return list
}

func hasFlag(args []string, flags ...string) bool {
	for _, a := range args {
		for _, f := range flags {
			if a == f || strings.HasPrefix(f, "--") && strings.HasPrefix(a, f+"=") {
				return true
			}
		}
	}
	return false
}
