//go:build unix

package treetest

import (
	"os"
	"path/filepath"
	"strings"
)

func (m *Maker) ignoreRules() bool {
	rules := []string{"*.log\n", "/out/\n", "keep/\n", "!important.log\n", "lib/\n", "*.c\n", "f1*\n", "/a/b/\n", "!f11*\n", "z/*\n"}
	m.rnd.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	m.Write(".gitignore", strings.Join(rules[:3+m.rnd.IntN(5)], ""))
	return true
}

func (m *Maker) ignoreBelow() bool {
	return m.put("a/.gitignore", []string{"*.txt\n", "!*.log\n", "b/\n", ""}[m.rnd.IntN(4)])
}

func (m *Maker) exclude() bool {
	path := filepath.Join(m.CommonDir(), "info", "exclude")
	m.must(os.MkdirAll(filepath.Dir(path), 0o755))
	m.must(os.WriteFile(path, []byte([]string{"*.bin\n", "*.tmp\n", "new*\n"}[m.rnd.IntN(3)]), 0o644))
	return true
}

func (m *Maker) attributes() bool {
	lines := append(rules(), "*.c text\n", "* text=auto\n", "*.txt -text\n")
	m.rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	m.Write(".gitattributes", strings.Join(lines[:m.rnd.IntN(len(lines))], ""))
	return true
}
