package effects

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const hidden = "***"

// maskWords hides what may be a secret among the words of a command: values of
// flags that name one, headers, bodies of requests, and what looks like a token
// wherever it stands. Hiding too much is right; hiding too little is not.
func maskWords(program string, args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		a := args[i]
		flag, value, joined := strings.Cut(a, "=")
		switch {
		case glued(program, a):
			out = append(out, a[:2]+hidden)
		case strings.HasPrefix(a, "-") && (secretName(flag) || bodyFlag(program, flag)):
			if joined {
				out = append(out, flag+"="+hidden)
				continue
			}
			out = append(out, flag)
			if i+1 < len(args) {
				i++
				out = append(out, hidden)
			}
		case joined && secretName(flag):
			out = append(out, flag+"="+hidden)
		case strings.HasPrefix(a, "-") && joined:
			out = append(out, flag+"="+maskText(value))
		default:
			out = append(out, maskText(a))
		}
	}
	return out
}

// plain keeps the first n words that can hold no secret: no flags, no assignments.
func plain(args []string, n int) []string {
	var list []string
	for _, a := range args {
		if len(list) == n || strings.HasPrefix(a, "-") || strings.Contains(a, "=") {
			break
		}
		list = append(list, maskText(a))
	}
	return list
}

func secretName(name string) bool {
	n := strings.ReplaceAll(strings.ToLower(strings.TrimLeft(name, "-")), "author", "")
	for _, part := range []string{"token", "secret", "passw", "passphrase", "pwd", "apikey", "api-key", "api_key", "credential", "authorization", "private-key", "access-key", "auth", "otp", "cookie"} {
		if strings.Contains(n, part) {
			return true
		}
	}
	return n == "pass" || n == "key"
}

// bodyFlag tells flags whose value is a body, a header or a user with password.
func bodyFlag(program, flag string) bool {
	switch program {
	case "curl":
		switch flag {
		case "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "-F", "--form", "-H", "--header", "-u", "--user", "-b", "--form-string", "--proxy-user", "-U":
			return true
		}
	case "wget":
		return flag == "--post-data" || flag == "--body-data" || flag == "--header" || flag == "--user"
	case "gh", "glab":
		return flag == "-f" || flag == "-F" || flag == "--field" || flag == "--raw-field" || flag == "-H" || flag == "--header" || flag == "-b" || flag == "--body"
	case "docker", "podman":
		return flag == "-e" || flag == "--env"
	case "redis-cli", "mongosh", "sshpass":
		return flag == "-a" || flag == "-p"
	}
	return false
}

// glued tells a flag with its secret in the same word: mysql -pSECRET, curl -uME:PW.
func glued(program, a string) bool {
	if len(a) < 3 || a[0] != '-' || a[1] == '-' {
		return false
	}
	switch program {
	case "mysql", "mysqldump", "mariadb", "mysqladmin", "sshpass":
		return a[1] == 'p'
	case "curl":
		return a[1] == 'u' || a[1] == 'd' || a[1] == 'H' || a[1] == 'F' || a[1] == 'b'
	}
	return false
}

// maskText hides tokens inside running text: user and password of a URL, values
// of telling query parameters, and the shapes that vendors give their tokens.
func maskText(s string) string {
	if len(s) < 6 {
		return s
	}
	for _, rule := range []struct{ pattern, with string }{
		{`([A-Za-z][A-Za-z0-9+.-]*://)[^/@\s'"]*@`, "${1}" + hidden + "@"},
		{`(?i)([?&][^=&\s]*(?:token|key|secret|passw|sig|auth|code|session)[^=&\s]*=)[^&\s'"]+`, "${1}" + hidden},
		{`(?i)((?:token|secret|passwor[dt]|passwd|api[-_]?key|authorization|bearer|identified by)["']?\s*[:= ]\s*)(?:'[^']*'|"[^"]*"|(?:Bearer |Basic )?\S+)`, "${1}" + hidden},
		{`(https?://hooks\.slack\.com/)\S+`, "${1}" + hidden},
		{`(https?://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/)\S+`, "${1}" + hidden},
		{`(https?://api\.telegram\.org/bot)[^/\s]+`, "${1}" + hidden},
		{`\b(?:gh[pousr]_|github_pat_|glpat-|npm_|sk-|sk_live_|rk_live_|xox[abeprs]-|pypi-|hf_|dop_v1_|AKIA|ASIA|AIza|SG\.)[A-Za-z0-9_.-]{8,}`, hidden},
		{`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]+`, hidden},
	} {
		s = regexp.MustCompile(rule.pattern).ReplaceAllString(s, rule.with)
	}
	return regexp.MustCompile(`\b[A-Za-z0-9+/_-]{40,}={0,2}`).ReplaceAllStringFunc(s, func(m string) string {
		if mixed(m) {
			return hidden
		}
		return m
	})
}

// mixed tells letters of both cases and digits together: a token, not a path, a
// name or a hash in hex.
func mixed(s string) bool {
	return strings.IndexFunc(s, unicode.IsUpper) >= 0 && strings.IndexFunc(s, unicode.IsLower) >= 0 &&
		strings.IndexFunc(s, unicode.IsDigit) >= 0
}

// clean makes one line of at most MaxSummary bytes, valid UTF-8.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= MaxSummary {
		return s
	}
	cut := MaxSummary - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// firstLine is the program and its masked words of the first command in text.
func firstLine(text string) string {
	for _, s := range split(text) {
		program, args, texts, _ := unwrap(s.words)
		switch {
		case len(texts) > 0:
			return firstLine(texts[0])
		case program != "":
			return strings.Join(append([]string{program}, maskWords(program, args)...), " ")
		}
	}
	return "a command"
}

// Line is what a shell command runs, on one line and without its secrets: programs
// with their words, without assignments, here-documents and grammar.
func Line(text string) string {
	var list []string
	for _, s := range split(text) {
		program, args, texts, _ := unwrap(s.words)
		for _, inner := range texts {
			list = append(list, Line(inner))
		}
		if len(texts) == 0 && program != "" {
			list = append(list, strings.Join(append([]string{program}, maskWords(program, args)...), " "))
		}
	}
	return clean(strings.Join(list, "; "))
}

// Masked is a command line on one line, without its secrets.
func Masked(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	program := argv[0]
	return clean(strings.Join(append([]string{program}, maskWords(program[strings.LastIndexByte(program, '/')+1:], argv[1:])...), " "))
}
