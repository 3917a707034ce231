package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// parseAttrs reads "path NUL attribute NUL value NUL", one for each of
// attrNames, for each path.
func parseAttrs(b []byte, yield func(values []string)) error {
	names := attrNames()
	values := make([]string, len(names))
	for i := 0; len(b) > 0; i = (i + 1) % len(names) {
		var field [3][]byte
		for k := range field {
			end := bytes.IndexByte(b, 0)
			if end < 0 {
				return errors.New("git check-attr printed half an answer")
			}
			field[k], b = b[:end], b[end+1:]
		}
		if string(field[1]) != names[i] {
			return fmt.Errorf("git check-attr answered for %q instead of %q", field[1], names[i])
		}
		values[i] = string(field[2])
		if i == len(names)-1 {
			yield(values)
		}
	}
	return nil
}

// conversion works out what git does with a file of these attributes (convert.c,
// convert_attrs).
func (c *capture) conversion(values []string) conversion {
	ends := c.lineEnds(values[0], values[1], values[2])
	switch {
	case c.needsGit(values[3], values[4], values[5]):
	case ends == convNone && isNamed(values[4]):
		return convIdle
	default:
		return ends
	}
	if ends == convAuto {
		return convGitAuto
	}
	return convGit
}

// needsGit tells whether ident, a filter or an encoding is at work.
func (c *capture) needsGit(ident, filter, encoding string) bool {
	if ident == "set" || c.hasFilter(filter) {
		return true
	}
	switch strings.ToLower(encoding) {
	case "unspecified", "unset", "set", "utf-8", "utf8", "":
		return false
	}
	return true
}

// lineEnds is conversion for the attributes of line ends alone.
func (c *capture) lineEnds(text, crlf, eol string) conversion {
	if text == "unspecified" {
		text = crlf
	}
	switch text {
	case "unset":
		return convNone
	case "set", "input":
		return convText
	case "auto":
		return convAuto
	}
	switch {
	case eol == "lf" || eol == "crlf":
		return convText
	case c.autocrlf() != "false":
		return convAuto
	}
	return convNone
}

func isNamed(filter string) bool {
	return filter != "unspecified" && filter != "unset" && filter != "set"
}

// hasFilter tells whether a filter driver of that name does anything.
func (c *capture) hasFilter(name string) bool {
	if !isNamed(name) {
		return false
	}
	a := &c.t.aux.Attrs
	if !slices.Contains(a.Filters, name) {
		a.Filters = append(a.Filters, name)
		a.Drivers = c.drivers(a.Filters)
	}
	for _, key := range []string{"clean", "smudge", "process", "required"} {
		if _, ok := c.e.repo.Config("filter." + name + "." + key); ok {
			return true
		}
	}
	return false
}
