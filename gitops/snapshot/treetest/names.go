//go:build unix

package treetest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// oddNames are beginnings of names that programs stumble over, by what they are.
func oddNames() map[string][]string {
	return map[string][]string{
		"name with a newline":                   {"new\nline", "\n"},
		"name with quotes":                      {`quo"te`, "it's", "`x`", `back\slash`},
		"name with a leading dash":              {"-f", "--", "--help"},
		"name with brackets":                    {"[a]", "{b,c}", "(d)", "*", "?"},
		"name that is not UTF-8":                {"h\xe9", "\xff", "\xc3"},
		"name in NFC":                           {"caf\u00e9"},
		"name in NFD":                           {"cafe\u0301"},
		"name that git's syntax takes for more": {":x", ":(top)y", "!bang", "#hash", "HEAD", "~", "@{1}"},
		"name with blanks":                      {"with space", "tab\t", "trail "},
		"name with control bytes":               {"\x1b[31m", "\x07", "\u202e"},
	}
}

// ruledEnds are the ends of names that rules() speaks of, and what these rules are.
func ruledEnds() map[string]string {
	return map[string]string{".up": "filter that loses bytes", ".id": "ident", ".crlf": "eol", ".u16": "encoding", ".lfs": "LFS-like pointer"}
}

// fresh is a new path; its name is at times an odd one.
func (m *Maker) fresh() string {
	m.names++
	dirs := []string{"", "", "a/", "a/b/", "a/b/c/", "lib/", "lib.d/", "z/", "-d/", "d\xe9/"}
	ends := []string{"", "", ".txt", ".txt", ".txt", ".crlf", ".id", ".up", ".bin", ".c", ".u16", ".lfs"}
	name := fmt.Sprintf("f%d", m.names)
	if m.rnd.IntN(4) == 0 {
		odd := oddNames()
		kind := slices.Sorted(maps.Keys(odd))[m.rnd.IntN(len(odd))]
		name = odd[kind][m.rnd.IntN(len(odd[kind]))] + fmt.Sprint(m.names)
		m.did(kind)
	}
	end := ends[m.rnd.IntN(len(ends))]
	if feature := ruledEnds()[end]; feature != "" {
		m.did(feature)
	}
	return dirs[m.rnd.IntN(len(dirs))] + name + end
}

// contentFor is content that the path's encoding can hold.
func (m *Maker) contentFor(path string) string { return encoded(path, m.content()) }

// encoded is text as UTF-16 where the end of the path says so.
func encoded(path, text string) string {
	if !strings.HasSuffix(path, ".u16") {
		return text
	}
	var wide strings.Builder
	for _, b := range []byte(text) {
		wide.WriteByte(max(b, 1))
		wide.WriteByte(0)
	}
	return wide.String()
}

// content is text, at times with other line ends, or binary.
func (m *Maker) content() string {
	var b strings.Builder
	eol := "\n"
	switch m.rnd.IntN(6) {
	case 0:
		eol = "\r\n"
		m.did("CRLF")
	case 1:
		b.WriteString("\x00\x01")
		m.did("binary")
	case 2:
		b.WriteString("mixed\r\n$Id$\n")
		m.did("mixed line ends")
	}
	for range m.rnd.IntN(8) {
		fmt.Fprintf(&b, "line %d%s", m.rnd.IntN(1000), eol)
	}
	if m.rnd.IntN(6) == 0 {
		b.WriteString("no end")
		m.did("no last newline")
	}
	return b.String()
}

// roomFor makes the folders above path; false where something is in the way.
func (m *Maker) roomFor(path string) bool {
	dir := ""
	for _, step := range strings.Split(filepath.Dir(path), "/") {
		dir = filepath.Join(dir, step)
		if info, err := os.Lstat(m.Path(dir)); err == nil && !info.IsDir() {
			return false
		}
	}
	dir = m.Path(filepath.Dir(path))
	if os.MkdirAll(dir, 0o755) != nil {
		return false
	}
	info, err := os.Lstat(dir)
	return err == nil && info.Mode()&0o700 == 0o700
}

// put makes or replaces a file, where no other thing stands.
func (m *Maker) put(path, content string) bool {
	if !m.roomFor(path) {
		return false
	}
	if info, err := os.Lstat(m.Path(path)); err == nil && !info.Mode().IsRegular() {
		return false
	}
	m.Write(path, content)
	return true
}

func (m *Maker) create() bool {
	path := m.fresh()
	return m.put(path, m.contentFor(path))
}

// twins makes two files whose names a file system may take for one.
func (m *Maker) twins(a, b string) bool {
	m.names++
	one, two := fmt.Sprintf("%s%d", a, m.names), fmt.Sprintf("%s%d", b, m.names)
	return m.put(one, m.content()) && m.put(two, m.content())
}
