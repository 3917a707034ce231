package redact

import "bytes"

// ownRules are shapes that the rule set does not have: passwords as programs and
// people write them, in addresses, headers, commands and files of settings.
func ownRules() []*rule {
	named := func(name, expr string, likely func([]byte, int) bool, keywords ...string) *rule {
		return &rule{name: name, rank: rankNamed, keywords: keywords, likely: likely, compiled: once(expr), allow: []allowance{placeholders()}}
	}
	list := []*rule{
		named("uri-password", `(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s/:@"'<>\x60\\]{0,100}:([^\s/@"'<>\x60\\]{1,256})@`, hasAt, "://"),
		named("uri-token", `(?i)\b[a-z][a-z0-9+.-]{1,30}://([\w.~-]{20,256})@`, hasAt, "://"),
		named("authorization-header", `(?i)\bauthorization["']?[ \t]*[:=][ \t]*["']?(?:(?:basic|bearer|token|digest|negotiate|apikey)[ \t]+)?([\w.~+/=:-]{8,})`, nil, "authorization"),
		named("cookie-header", `(?i)(?:^|[\s"'])(?:set-)?cookie:[ \t]*([\w.$-]+=[^\r\n"'\x60]{4,})`, nil, "cookie:"),
		named("netrc-password", `(?i)\blogin[ \t]+\S+[ \t]+password[ \t]+(\S+)`, nil, "password"),
		named("password-option", `(?i)(?:^|\s)--?(?:[a-z0-9-]{1,30}-)?(?:pass(?:word|wd|phrase)?|token|secret(?:-(?:access-)?key)?|api-?key)(?:[ \t]+|=)["']?([^\s"'\x60\\-][^\s"'\x60\\]{3,})`, nil, "-pass", "-token", "-secret", "-apikey", "-api-key"),
		named("password-element", `(?i)<[\w.:-]{0,40}(?:password|passwd|passphrase|secret|token)>([^\s<>]{4,256})</`, nil, "password>", "passwd>", "passphrase>", "secret>", "token>"),
		named("password-define", `\bdefine\([ \t]*["'][A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|_KEY|_SALT)["'][ \t]*,[ \t]*(?:"([^"\\]{4,256})"|'([^'\\]{4,256})')`, nil, "define("),
		named("password-sql", `(?i)\bidentified[ \t]+by[ \t]+(?:password[ \t]+)?(?:"([^"\\]{4,256})"|'([^'\\]{4,256})')`, nil, "identified"),
		named("password-variable", `(?:^|[\s"'\x60;])[A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|API_?KEY|ACCESS_KEY|TOKEN|_PASS|_PWD)[A-Z0-9_]*=["']?([^\s"'\x60;\\]{4,})`, isVariable, "passw", "passphrase", "secret", "key", "token", "_pass", "_pwd"),
		named("password-value", `(?i)\b["']?[\w.-]{0,40}(?:password|passwd|passphrase|pwd|_pass)["']?[ \t]*(?::|=>|=)[ \t]*(?:"([^"\s\\]{4,})"|'([^'\s\\]{4,})')`, assignsWord, "password", "passwd", "passphrase", "pwd", "_pass"),
		named("password-assignment", `(?i)\b[\w.-]{0,40}(?:password|passwd|passphrase|pwd|_pass)[ \t]*(?::|=)[ \t]*([\w!@#%^&*+.~/-]*(?:\d[\w!@#%^&*+.~/-]*[A-Za-z]|[A-Za-z][\w!@#%^&*+.~/-]*\d)[\w!@#%^&*+.~/-]*)(?:[\s;,]|$)`, assignsWord, "password", "passwd", "passphrase", "pwd", "_pass"),
		named("password-short-option", `(?:^|[\s;|&(])(?:sshpass[ \t]+-p[ \t]*|(?:mysql|mysqldump|mysqladmin|mariadb)[ \t](?:[^\r\n|;&]{0,200}[ \t])?-p|(?:docker|podman|buildah|skopeo|helm|az)[ \t][^\r\n|;&]{0,100}\blogin[ \t](?:[^\r\n|;&]{0,200}[ \t])?-p[ \t=]+)["']?([^\s"'\x60\\]{4,256})`, hasShortOption, "sshpass", "mysql", "mariadb", "login"),
		named("query-token", `(?i)[?&](?:(?:access|auth|private|refresh|id)_?token|token|api_?key|(?:client_)?secret|pass(?:word|wd)|(?:x-amz-)?signature|sig)=([^\s&#"'\x60<>\\]{8,})`, inQuery, "token=", "key=", "secret=", "password=", "passwd=", "signature=", "sig="),
	}
	drawn := func(r *rule) *rule { // of a name that programs give to other things too: the value tells
		r.entropy, r.digit = 3.5, true
		return r
	}
	return append(list,
		drawn(named("secret-value", `(?i)\b["']?[\w.-]{0,40}(?:secret|api|access|signing|encryption|auth)_?(?:key|token)["']?[ \t]*(?::|=>|=)[ \t]*(?:"([^"\s\\]{16,256})"|'([^'\s\\]{16,256})')`, assignsQuoted, "key", "token")),
		drawn(named("npm-auth", `(?:^|[\s/:"'])_auth["']?(?:[ \t]*[:=]|[ \t])[ \t]*["']?([A-Za-z0-9+/]{12,512}={0,2})(?:[\s"';,]|$)`, endsName, "_auth")),
	)
}

// hasAt: an address that names a user has an @ behind its scheme, before any white space.
func hasAt(line []byte, end int) bool {
	for _, c := range line[end:min(len(line), end+400)] {
		if c == '@' {
			return true
		}
		if isSpace(c) {
			return false
		}
	}
	return false
}

// hasShortOption: a -p follows, near enough.
func hasShortOption(line []byte, end int) bool {
	return bytes.Contains(line[end:min(len(line), end+210)], []byte(" -p"))
}

// inQuery: the name that the keyword ends is one of an address's query.
func inQuery(line []byte, end int) bool {
	at := end - 2 // before the sign of equality
	for at >= 0 && (isWord(line[at]) || line[at] == '-') {
		at--
	}
	return at >= 0 && (line[at] == '?' || line[at] == '&')
}

// endsName: the keyword is not the beginning of a longer name.
func endsName(line []byte, end int) bool { return end == len(line) || !isWord(line[end]) }

// assignsQuoted: a string is assigned to the name that the keyword ends.
func assignsQuoted(line []byte, end int) bool {
	rest := line[end:min(len(line), end+16)]
	quote := bytes.IndexAny(bytes.TrimLeft(rest, "\"'"), "\"'")
	return quote > 0 && len(bytes.Trim(bytes.TrimLeft(rest, "\"'")[:quote], " \t:=>")) == 0
}

// isVariable: the keyword is in capitals, and a sign of equality follows the name.
func isVariable(line []byte, end int) bool {
	if c := line[end-1]; c < 'A' || c > 'Z' {
		return false
	}
	for ; end < len(line); end++ {
		if c := line[end]; c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return c == '='
		}
	}
	return false
}

// isAirtable: 14 letters or digits and a dot follow.
func isAirtable(line []byte, end int) bool {
	if len(line) <= end+14 || line[end+14] != '.' {
		return false
	}
	for _, c := range line[end : end+14] {
		if !isWord(c) {
			return false
		}
	}
	return true
}

// assignsWord says whether the keyword that ends there can be a name to which something
// is assigned.
func assignsWord(line []byte, end int) bool { return len(valueOf(line[end:])) > 0 }

// assigns says so of a secret: it is true wherever the rules' own spelling of that (see
// assignment) matches with a value as long as the shortest of theirs.
func assigns(line []byte, end int) bool {
	value := valueOf(line[end:])
	if len(value) < secretLength {
		return false
	}
	return !bytes.ContainsAny(value[:secretLength], " \t\r\"'`;,<>{}()[]")
}

// secretLength is what the shortest secret has that the rule set knows by its name, in bytes.
const secretLength = 8

// valueOf is what follows the rest of a name, a sign that assigns, and quotes; empty where
// nothing is assigned.
func valueOf(rest []byte) []byte {
	i, quotes := 0, 0
	for ; i < len(rest) && i < 96 && (isWord(rest[i]) || rest[i] == ' ' || rest[i] == '\t' || rest[i] == '.' || rest[i] == '-'); i++ {
	}
	for ; i < len(rest) && quotes < 4 && (isSpace(rest[i]) || rest[i] == '\'' || rest[i] == '"'); i, quotes = i+1, quotes+1 {
	}
	if i == len(rest) || bytes.IndexByte([]byte("=>:|?,"), rest[i]) < 0 {
		return nil
	}
	for ; i < len(rest) && (isSpace(rest[i]) || bytes.IndexByte([]byte("=>:|?,`'\""), rest[i]) >= 0); i++ {
	}
	return rest[i:]
}

// placeholders are what stands where a secret would.
func placeholders() allowance {
	return newAllowance(allowanceData{Regexps: []string{
		`^[$<{%(\[]`, // a variable, a template, a call
		`(?i)^(?:\*+|x+|\.+|-+|_+|true|false|none|null|nil|undefined|empty|secret|password|passwd|pass|pwd|token|redacted|example|changeme|change-me|placeholder)$`,
		`(?i)^(?:your|my|the|some|process\.env|os\.environ|os\.getenv|env|config|settings|self|this)[._-]`,
		`^[A-Za-z_]+(?:\.[A-Za-z_]+)+$`, // a name of a program's
		`^[\w.]+(?:\[.*\])?\(.*$`,       // a call: what it returns stands elsewhere
	}})
}
