package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
)

// attrState is what the table keeps of the rules for conversions.
type attrState struct {
	Sources string   `json:"sources"` // stamps of files outside the tree, and settings
	Active  bool     `json:"active"`  // there are rules at all; else nothing is converted
	Filters []string `json:"filters,omitempty"`
	Drivers string   `json:"drivers,omitempty"` // settings of these filters
}

func writeFields(b *strings.Builder, fields ...any) { fmt.Fprintln(b, fields...) }

// attrSources are the files outside the tree that give attributes.
func (c *capture) attrSources() []string {
	return []string{filepath.Join(c.e.repo.CommonDir, "info", "attributes"), c.userFile("core.attributesfile", "attributes"), "/etc/gitattributes", "/usr/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes"}
}

func (c *capture) setting(key string) string {
	value, _ := c.e.repo.Config(key)
	return strings.ToLower(value)
}

// drivers is the state of the filters' settings.
func (c *capture) drivers(names []string) string {
	var b strings.Builder
	for _, name := range names {
		for _, key := range []string{"clean", "smudge", "process", "required"} {
			value, ok := c.e.repo.Config("filter." + name + "." + key)
			writeFields(&b, name, key, ok, value)
		}
	}
	return b.String()
}

// autocrlf is core.autocrlf: "true", "input" or "false".
func (c *capture) autocrlf() string {
	switch v := c.setting("core.autocrlf"); v {
	case "true", "yes", "on", "1":
		return "true"
	case "input":
		return v
	}
	return "false"
}

// readAttrs finds out which files git converts, as far as that is not known, and
// marks those to be read again whose conversion changed.
func (c *capture) readAttrs() error {
	a := &c.t.aux.Attrs
	var b strings.Builder
	sources := c.attrSources()
	b.WriteString(c.stampSources(sources))
	writeFields(&b, c.autocrlf())
	drivers := c.drivers(a.Filters)
	moved := c.attrsMoved || a.Sources != b.String() || a.Drivers != drivers
	active := c.autocrlf() != "false" || slices.ContainsFunc(sources, func(path string) bool {
		st, ok := stampOf(path)
		return ok && st.size > 0
	}) || c.hasAttrsFile()
	if moved || a.Active != active {
		a.Sources, a.Drivers, a.Active, c.t.changed, c.rulesMoved = b.String(), drivers, active, true, true
	}
	c.attrsMoved = false
	if !active {
		if moved {
			c.forgetAttrs()
		}
		return nil
	}
	if moved { // what git itself converts may be converted otherwise by rules of the same class
		c.eachEntry(func(_ int32, e *entry) {
			switch {
			case !e.is(fIn|fTodo) || e.is(fAbsent) || e.mode&typeMask != typeFile: // asked when it is there again
				e.conv = convUnasked
			case e.conv.byGit() && e.is(fIn):
				e.flags |= fTodo
			}
		})
	}
	return c.classify(func(e *entry) bool { return moved || e.conv == convUnasked })
}

// forgetAttrs is for when there are no rules any more: what was converted is read
// again as it is.
func (c *capture) forgetAttrs() {
	for d := range c.t.dirs {
		for k := range c.t.dirs[d].ents {
			e := &c.t.dirs[d].ents[k]
			if (e.conv.converts() || e.is(fRaw)) && e.is(fIn) && !e.is(fAbsent) {
				e.flags |= fTodo
				c.todo = append(c.todo, int32(d))
			}
			e.conv = convUnasked
		}
	}
}

// hasAttrsFile tells whether there is a .gitattributes on disk, or in the index
// for what is left out of the work tree.
func (c *capture) hasAttrsFile() bool {
	found := false
	c.eachEntry(func(_ int32, e *entry) {
		if e.nlen == uint16(len(attrsFile)) && (e.is(fIn|fIgnored|fTodo) || !e.is(fAbsent)) && c.t.name(e) == attrsFile {
			found = true
		}
	})
	return found
}

// classify asks git for the attributes of the files that which picks.
func (c *capture) classify(which func(*entry) bool) error {
	type place struct {
		d int32
		k int
	}
	var places []place
	var in bytes.Buffer
	for d := range c.t.dirs {
		dir := &c.t.dirs[d]
		for k := range dir.ents {
			e := &dir.ents[k]
			if !mayBeFile(e) || e.is(fAbsent) || !which(e) {
				continue
			}
			places = append(places, place{int32(d), k})
			in.WriteString(join(dir.path, c.t.name(e)))
			in.WriteByte(0)
		}
	}
	if len(places) == 0 {
		return nil
	}
	if err := c.attrFilesAnswer(); err != nil {
		return err
	}
	answers, err := c.askAttrs(in.Bytes(), len(places))
	if err != nil {
		return err
	}
	for i, p := range places {
		e := &c.t.dirs[p.d].ents[p.k]
		if old := e.conv; old != answers[i] {
			e.conv = answers[i]
			c.t.changed = true
			if old != convUnasked || e.conv != convNone {
				e.flags |= fTodo
			}
		}
		if e.is(fTodo) {
			c.todo = append(c.todo, p.d)
		}
	}
	return nil
}

// mayBeFile tells whether a file stands there; what is to be read was something else
// when it was seen last, maybe.
func mayBeFile(e *entry) bool {
	return e.is(fTodo) && e.dir < 0 || e.is(fIn) && e.mode&typeMask == typeFile
}

// attrFilesAnswer finds a FIFO where git reads attributes: it would wait for ever.
func (c *capture) attrFilesAnswer() error {
	paths := c.attrSources()
	c.eachEntry(func(d int32, e *entry) {
		if e.mode&typeMask == typeFIFO && !e.is(fAbsent|fIgnored) && c.t.name(e) == attrsFile {
			paths = append(paths, filepath.Join(c.e.repo.Root, c.t.dirs[d].path, attrsFile))
		}
	})
	for _, path := range paths {
		if st, ok := stampOf(path); ok && st.mode&typeMask == typeFIFO {
			return model.Errorf(model.CodeFailed, "cannot tell how git converts files: %s is no file", path).WithHint("remove it, then try again")
		}
	}
	return nil
}

// askAttrs runs check-attr over n paths, each ended by NUL.
func (c *capture) askAttrs(paths []byte, n int) ([]conversion, error) {
	out, err := c.e.repo.GitInput(c.ctx, paths, append([]string{"check-attr", "--stdin", "-z"}, attrNames()...)...)
	if err != nil {
		return nil, model.Failf(err, "cannot ask git for attributes")
	}
	list := make([]conversion, 0, n)
	err = parseAttrs(out, func(values []string) { list = append(list, c.conversion(values)) })
	if err == nil && len(list) != n {
		err = errors.New("git check-attr left paths unanswered")
	}
	return list, err
}

func attrNames() []string {
	return []string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}
}
