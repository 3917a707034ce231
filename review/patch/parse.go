package patch

import (
	"bytes"
	"strconv"
	"strings"

	"overturn/model"
)

// FilePatch is one file of a git patch. Ids and modes are as the patch has them,
// "" where it says nothing.
type FilePatch struct {
	FileHeader
	Hunks []PatchHunk
}

// PatchHunk is a hunk as it was read.
type PatchHunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Section            string
	Lines              []PatchLine
}

// PatchLine is a row of a hunk: ' ', '-' or '+', and the text without its newline.
type PatchLine struct {
	Kind      byte
	Text      []byte
	NoNewline bool
}

// Parse reads a patch in git's format with default prefixes: a normalised patch or
// what Unified writes. Lines outside of a file's part are passed over, as git
// apply does; a hunk that breaks off, or whose counts do not hold, is CodeFailed
// with the line it stands on. Texts share memory with the patch.
func Parse(patch []byte) ([]FilePatch, error) {
	p := parser{rest: patch}
	var files []FilePatch
	for p.next() {
		line := string(p.line)
		switch {
		case strings.HasPrefix(line, "diff --git "):
			files = append(files, FilePatch{})
			files[len(files)-1].names(line[len("diff --git "):])
		case len(files) == 0:
		case strings.HasPrefix(line, "@@ "):
			h, err := p.hunk(line)
			if err != nil {
				return nil, err
			}
			f := &files[len(files)-1]
			f.Hunks = append(f.Hunks, h)
		case len(files[len(files)-1].Hunks) == 0:
			files[len(files)-1].header(line)
		}
	}
	return files, nil
}

type parser struct {
	rest, line []byte
	number     int
}

func (p *parser) next() bool {
	if len(p.rest) == 0 {
		return false
	}
	p.number++
	if i := bytes.IndexByte(p.rest, '\n'); i >= 0 {
		p.line, p.rest = p.rest[:i], p.rest[i+1:]
	} else {
		p.line, p.rest = p.rest, nil
	}
	return true
}

func (p *parser) broken(what string) error {
	return model.Errorf(model.CodeFailed, "line %d of the patch: %s", p.number, what)
}

func (p *parser) hunk(header string) (PatchHunk, error) {
	h, ok := parseHeader(header)
	if !ok {
		return h, p.broken("no hunk header")
	}
	old, new := h.OldLines, h.NewLines
	for old > 0 || new > 0 {
		if !p.next() || len(p.line) == 0 {
			return h, p.broken("the hunk breaks off")
		}
		kind := p.line[0]
		switch kind {
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		default:
			return h, p.broken("not a row of a hunk")
		}
		if old < 0 || new < 0 {
			return h, p.broken("more rows than the hunk header says")
		}
		h.Lines = append(h.Lines, PatchLine{Kind: kind, Text: p.line[1:], NoNewline: p.noNewline()})
	}
	return h, nil
}

// noNewline takes the marker that may follow a row.
func (p *parser) noNewline() bool {
	if len(p.rest) == 0 || p.rest[0] != '\\' {
		return false
	}
	return p.next()
}

func parseHeader(line string) (h PatchHunk, ok bool) {
	ranges, section, found := strings.Cut(strings.TrimPrefix(line, "@@ "), " @@")
	old, new, two := strings.Cut(ranges, " ")
	if !found || !two {
		return h, false
	}
	var okOld, okNew bool
	h.OldStart, h.OldLines, okOld = parseRange(old, '-')
	h.NewStart, h.NewLines, okNew = parseRange(new, '+')
	h.Section = strings.TrimPrefix(section, " ")
	return h, okOld && okNew
}

func parseRange(s string, sign byte) (start, lines int, ok bool) {
	if s == "" || s[0] != sign {
		return 0, 0, false
	}
	from, count, counted := strings.Cut(s[1:], ",")
	if !counted {
		count = "1"
	}
	a, errA := strconv.ParseUint(from, 10, 31)
	b, errB := strconv.ParseUint(count, 10, 31)
	return int(a), int(b), errA == nil && errB == nil
}

// names reads "a/OLD b/NEW", either in quotes. Names that differ and hold " b/"
// are told apart by the rename lines that follow.
func (f *FilePatch) names(s string) {
	if old, rest, ok := Unquote(s); ok {
		f.setNames(old, bareName(strings.TrimPrefix(rest, " ")))
		return
	}
	if i := strings.Index(s, ` "b/`); i >= 0 && strings.HasSuffix(s, `"`) {
		f.setNames(s[:i], bareName(s[i+1:]))
		return
	}
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' && strings.TrimPrefix(s[:half], "a/") == strings.TrimPrefix(s[half+1:], "b/") {
		f.setNames(s[:half], s[half+1:])
		return
	}
	if i := strings.Index(s, " b/"); i >= 0 {
		f.setNames(s[:i], s[i+1:])
	}
}

func (f *FilePatch) setNames(old, new string) {
	f.Path = model.Path(strings.TrimPrefix(new, "b/"))
	if o := model.Path(strings.TrimPrefix(old, "a/")); o != f.Path {
		f.OldPath = o
	}
}

func bareName(s string) string {
	if name, _, ok := Unquote(s); ok {
		return name
	}
	return s
}

func (f *FilePatch) header(line string) {
	value := func(prefix string) (string, bool) { return strings.CutPrefix(line, prefix) }
	if v, ok := value("new file mode "); ok {
		f.NewMode = v
	} else if v, ok := value("deleted file mode "); ok {
		f.OldMode = v
	} else if v, ok := value("old mode "); ok {
		f.OldMode = v
	} else if v, ok := value("new mode "); ok {
		f.NewMode = v
	} else if v, ok := value("rename from "); ok {
		f.OldPath = model.Path(bareName(v))
	} else if v, ok := value("rename to "); ok {
		f.Path = model.Path(bareName(v))
	} else if v, ok := value("similarity index "); ok {
		f.Similarity, _ = strconv.Atoi(strings.TrimSuffix(v, "%"))
	} else if v, ok := value("index "); ok {
		f.index(v)
	} else if strings.HasPrefix(line, "Binary files ") {
		f.Binary = true
	}
}

func (f *FilePatch) index(v string) {
	ids, mode, same := strings.Cut(v, " ")
	f.OldID, f.NewID, _ = strings.Cut(ids, "..")
	if same {
		f.OldMode, f.NewMode = mode, mode
	}
}
