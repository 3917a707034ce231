package gitops

import (
	"bytes"
	"path/filepath"
	"strings"

	"overturn/model"
)

// configEntry is one line of `git config --list -z --show-origin`.
type configEntry struct {
	Origin string // as git prints it, e.g. "file:.git/config"
	Key    string
	Value  string // "true" for a variable without a value
}

// parseConfig reads the output of `git config --list -z --show-origin`: origin,
// NUL, key, newline, value, NUL. A variable without a value has no newline.
func parseConfig(out []byte) ([]configEntry, error) {
	var entries []configEntry
	for len(out) > 0 {
		origin, rest, ok := bytes.Cut(out, []byte{0})
		if !ok {
			return nil, model.Errorf(model.CodeFailed, "git's list of settings is cut short")
		}
		item, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			return nil, model.Errorf(model.CodeFailed, "git's list of settings is cut short")
		}
		key, value, valued := strings.Cut(string(item), "\n")
		if key == "" {
			return nil, model.Errorf(model.CodeFailed, "git's list of settings has a setting without a name")
		}
		if !valued {
			value = "true"
		}
		entries = append(entries, configEntry{string(origin), key, value})
		out = rest
	}
	return entries, nil
}

// effective keeps the last value of each key, without those that may hold
// secrets: they would be copied into the facts file.
func effective(entries []configEntry) map[string]string {
	config := make(map[string]string, len(entries))
	for _, e := range entries {
		if !secret(e.Key) {
			config[e.Key] = e.Value
		}
	}
	return config
}

// secret tells whether a setting may hold a password, a token or an address with one.
func secret(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	switch section {
	case "http", "https", "credential", "url", "sendemail", "imap":
		return true
	case "remote":
		return strings.HasSuffix(rest, ".url") || strings.HasSuffix(rest, ".pushurl") || strings.HasSuffix(rest, ".proxy")
	}
	for _, word := range []string{"token", "password", "passwd", "secret", "apikey"} {
		if strings.Contains(rest, word) {
			return true
		}
	}
	return false
}

// configFiles lists every file that the settings came from or would come from:
// those that git named, the includes whether taken or not, and the places where a
// file may yet appear. The second value is false when a place cannot be told, or
// when settings depend on something that no stamp sees.
func configFiles(entries []configEntry, r *Repo, execPath string) ([]string, bool) {
	home := r.env.Getenv("HOME")
	files := []string{
		filepath.Join(r.CommonDir, "config"), filepath.Join(r.GitDir, "config.worktree"), filepath.Join(r.GitDir, "commondir"),
	}
	files = append(files, globalFiles(r.env.Getenv, home)...)
	files = append(files, systemFiles(r.env.Getenv, execPath)...)
	for _, e := range entries {
		origin, isFile := strings.CutPrefix(e.Origin, "file:")
		if !isFile {
			return nil, false
		}
		if !filepath.IsAbs(origin) {
			origin = filepath.Join(r.Root, origin)
		}
		files = append(files, origin)
		if e.Key == "include.path" || strings.HasPrefix(e.Key, "includeif.") && strings.HasSuffix(e.Key, ".path") {
			target, ok := includeTarget(e.Value, origin, home)
			if !ok {
				return nil, false
			}
			files = append(files, target)
		}
		if strings.HasPrefix(e.Key, "includeif.onbranch:") {
			files = append(files, filepath.Join(r.GitDir, "HEAD"))
		}
	}
	return unique(files), true
}

func globalFiles(getenv func(string) string, home string) []string {
	if global := getenv("GIT_CONFIG_GLOBAL"); global != "" {
		return []string{global}
	}
	xdg := getenv("XDG_CONFIG_HOME")
	if xdg == "" {
		xdg = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(home, ".gitconfig"), filepath.Join(xdg, "git", "config")}
}

// systemFiles are the places of the system's file: git keeps it in <prefix>/etc,
// and in /etc when the prefix is /usr.
func systemFiles(getenv func(string) string, execPath string) []string {
	if system := getenv("GIT_CONFIG_SYSTEM"); system != "" {
		return []string{system}
	}
	prefix := filepath.Dir(filepath.Dir(execPath)) // <prefix>/libexec/git-core, <prefix>/lib/git-core
	return []string{"/etc/gitconfig", filepath.Join(prefix, "etc", "gitconfig")}
}

func includeTarget(value, origin, home string) (string, bool) {
	switch {
	case strings.HasPrefix(value, "~/"):
		return filepath.Join(home, value[2:]), true
	case strings.HasPrefix(value, "~"), strings.HasPrefix(value, "%("):
		return "", false // another user's home, the program's prefix
	case filepath.IsAbs(value):
		return value, true
	}
	return filepath.Join(filepath.Dir(origin), value), true
}

func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	out := list[:0]
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
