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
// what Unified writes. It passes over lines that begin with '#' before the first
// file, and over nothing else: text of another format, a hunk or file that breaks
// off, and counts that do not hold are CodeFailed with the line they stand on, so
// that what cannot be read is never taken for "no files". Texts share memory with
// the patch.
func Parse(patch []byte) ([]FilePatch, error) {
	p := parser{rest: patch}
	var files []FilePatch
	for p.next() {
		line := string(p.line)
		var f *FilePatch
		if len(files) > 0 {
			f = &files[len(files)-1]
		}
		switch {
		case strings.HasPrefix(line, "diff --git "):
			if f != nil && !f.whole() {
				return nil, p.broken("the file before it breaks off")
			}
			files = append(files, FilePatch{})
			files[len(files)-1].names(line[len("diff --git "):])
		case f == nil && !strings.HasPrefix(line, "#"):
			return nil, p.broken("not a patch in git's format")
		case f == nil:
		case strings.HasPrefix(line, "@@ "):
			h, err := p.hunk(line)
			if err != nil {
				return nil, err
			}
			f.Hunks = append(f.Hunks, h)
		case len(f.Hunks) > 0:
			return nil, p.broken("a row outside of the hunks")
		default:
			f.header(line)
		}
	}
	if n := len(files); n > 0 && (!files[n-1].whole() || patch[len(patch)-1] != '\n') {
		return nil, p.broken("the file breaks off")
	}
	return files, nil
}

// whole tells whether the file's part can end here: where the content differs
// there are hunks, unless it is binary or an empty file came or went.
func (f *FilePatch) whole() bool {
	if f.Path == "" {
		return false
	}
	if len(f.Hunks) > 0 || f.Binary {
		return true
	}
	if f.OldID == "" && f.NewID == "" {
		return f.OldMode != "" || f.NewMode != "" || f.OldPath != ""
	}
	return noContent(f.OldID) && noContent(f.NewID)
}

// noContent tells whether an id, whole or cut short, is that of nothing or of the
// empty blob.
func noContent(id string) bool {
	return strings.Trim(id, "0") == "" ||
		strings.HasPrefix("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", id) ||
		strings.HasPrefix("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813", id)
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
	h.Lines = make([]PatchLine, 0, min(max(h.OldLines, h.NewLines), len(p.rest)))
	return h, p.rows(h, func(l PatchLine) { h.Lines = append(h.Lines, l) })
}

// rows tells each row of a hunk of which the header was read.
func (p *parser) rows(h PatchHunk, tell func(PatchLine)) error {
	old, new := h.OldLines, h.NewLines
	for old > 0 || new > 0 {
		if !p.next() || len(p.line) == 0 {
			return p.broken("the hunk breaks off")
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
			return p.broken("not a row of a hunk")
		}
		if old < 0 || new < 0 {
			return p.broken("more rows than the hunk header says")
		}
		tell(PatchLine{Kind: kind, Text: p.line[1:], NoNewline: p.noNewline()})
	}
	return nil
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
