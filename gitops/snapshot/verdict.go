package snapshot

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"overturn/gitops"
	"overturn/gitops/ignore"
)

// askSome asks git about those of the names that are open.
func (c *capture) askSome(names []ask, open []int, out []verdict) error {
	some := make([]ask, len(open))
	for i, at := range open {
		some[i] = names[at]
	}
	verdicts, err := c.askAll(pathsOf(some))
	for i, v := range verdicts {
		out[open[i]] = v
	}
	return err
}

func pathsOf(names []ask) []string {
	paths := make([]string, len(names))
	for i := range names {
		paths[i] = names[i].path
	}
	return paths
}

// agree tells whether git gave the same answers, and at least one: only beside a
// git that did is package ignore believed. Another git, or a wrapper around it, in
// its place is asked again.
func agree(ours, gits []verdict, open []int) bool {
	for _, at := range open {
		ours[at] = gits[at]
	}
	return len(open) < len(gits) && slices.Equal(ours, gits)
}

// plainly answers without git what leaves no doubt (package ignore), and returns
// the names that git must be asked about, by their place in names. A failure to read
// rules here is doubt: git says what it makes of them.
func (c *capture) plainly(names []ask, out []verdict) (open []int) {
	rules, plain := c.rules()
	for i, name := range names {
		if plain {
			var is bool
			if is, plain = rules.Ignored(name.path, name.isDir); plain {
				if out[i] = free; is {
					out[i] = ignored
				}
				continue
			}
		}
		open = append(open, i)
		plain = rules != nil // the doubt is this name's own, or that of its folder
	}
	return open
}

// rules reads the rules from outside the tree; those inside are read as names ask
// for them. nil where not all of it is plain: a case that git folds, or a rule.
func (c *capture) rules() (*ignore.Stack, bool) {
	if fold, ok := c.e.repo.Config("core.ignorecase"); ok && fold != "false" {
		return nil, false
	}
	s := &ignore.Stack{Read: c.rulesIn}
	sources := c.ignoreSources()
	for i := len(sources) - 1; i >= 0; i-- { // the strongest is named first
		if sources[i] == "" {
			continue
		}
		data, err := gitops.ReadFile(sources[i])
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		r, plain := ignore.Parse("", data)
		if err != nil || !plain {
			return nil, false
		}
		s.Outer = append(s.Outer, r)
	}
	return s, true
}

func (c *capture) rulesIn(dir string) (ignore.Rules, bool) {
	data, _, err := c.root.readFile(filepath.Join(dir, ignoreFile), c.e.opts.MaxFileSize, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return ignore.Rules{}, true
	}
	if err != nil {
		return ignore.Rules{}, false
	}
	return ignore.Parse(dir, data)
}
