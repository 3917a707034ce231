package model

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Path names a file in the work tree: raw bytes, slash-separated, relative to
// the root, without "." or ".." parts. It need not be UTF-8.
type Path string

// ParsePath checks raw bytes that came from outside. It refuses the empty path,
// absolute paths, empty, "." and ".." parts, NUL, and any ".git" part in
// whatever case (CodeUsage).
func ParsePath(s string) (Path, error) {
	switch {
	case s == "":
		return "", Usagef("a path must not be empty")
	case s[0] == '/':
		return "", Usagef("path %q is absolute; it must be relative to the root of the work tree", s)
	case strings.IndexByte(s, 0) >= 0:
		return "", Usagef("path %q holds a NUL byte", s)
	}
	for _, part := range strings.Split(s, "/") {
		switch {
		case part == "" || part == "." || part == "..":
			return "", Usagef("path %q has a part that is empty, \".\" or \"..\"", s)
		case strings.EqualFold(part, ".git"):
			return "", Usagef("path %q leads into git's own folder", s)
		}
	}
	return Path(s), nil
}

// Under tells whether p is folder itself or lies below it; "" is the root.
func (p Path) Under(folder Path) bool {
	return folder == "" || p == folder || strings.HasPrefix(string(p), string(folder)+"/")
}

// wirePath is how a path travels in JSON: readable text, and the exact bytes
// beside it when they are not UTF-8.
type wirePath struct {
	Path string `json:"path"`
	B64  string `json:"path_b64,omitempty"`
}

func toWire(p Path) wirePath {
	if utf8.ValidString(string(p)) {
		return wirePath{Path: string(p)}
	}
	return wirePath{Path: strings.ToValidUTF8(string(p), "\uFFFD"), B64: base64.StdEncoding.EncodeToString([]byte(p))}
}

// B64 is the bytes of p in base64 where p is not UTF-8, else "": what stands beside
// it in JSON.
func (p Path) B64() string { return toWire(p).B64 }

func (w wirePath) path() (Path, error) {
	if w.B64 == "" {
		return Path(w.Path), nil
	}
	raw, err := base64.StdEncoding.DecodeString(w.B64)
	return Path(raw), err
}

// Paths is a list of bare paths. In JSON it is a list of strings; a path that is
// not UTF-8 is an object {"path","path_b64"} in that list.
type Paths []Path

// UnmarshalJSON is the inverse of MarshalJSON.
func (ps *Paths) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*ps = make(Paths, len(list))
	for i, raw := range list {
		var w wirePath
		if len(raw) > 0 && raw[0] == '"' {
			if err := json.Unmarshal(raw, &w.Path); err != nil {
				return err
			}
		} else if err := json.Unmarshal(raw, &w); err != nil {
			return err
		}
		p, err := w.path()
		if err != nil {
			return err
		}
		(*ps)[i] = p
	}
	return nil
}
