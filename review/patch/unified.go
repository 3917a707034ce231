package patch

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"overturn/model"
)

// FileHeader is what a git patch says of a file before its hunks. Modes are those
// git stores ("100644", "100755", "120000", "160000"), "" on a side where nothing
// stands; ids are written as given, "" as zeros. OldPath is "" unless the file was renamed.
type FileHeader struct {
	Path, OldPath    model.Path
	OldMode, NewMode string
	OldID, NewID     string
	Similarity       int // per cent, of a rename
	Binary           bool
}

// Unified writes one file as `git diff` does with default prefixes: the header,
// then the shown hunks of d, unless it is binary. d is nil where there is nothing to
// compare by lines.
func Unified(w io.Writer, h FileHeader, d *Diff) error {
	if b, ok := w.(*bytes.Buffer); ok {
		writeUnified(b, h, d)
		return nil
	}
	b := bufio.NewWriter(w)
	writeUnified(b, h, d)
	return b.Flush()
}

// sink takes text; its errors are kept or there are none.
type sink interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
}

func writeUnified(b sink, h FileHeader, d *Diff) {
	writeHeader(b, h, d)
	if d != nil && !h.Binary {
		for _, hunk := range d.Hunks {
			writeHunk(b, d, hunk)
		}
	}
}

func (h FileHeader) names() (old, new string) {
	from := h.Path
	if h.OldPath != "" {
		from = h.OldPath
	}
	return string(from), string(h.Path)
}

func writeHeader(b sink, h FileHeader, d *Diff) {
	old, new := h.names()
	line := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
		b.WriteByte('\n')
	}
	line("diff --git ", quoted("a/", old), " ", quoted("b/", new))
	mode := ""
	switch {
	case h.OldMode == "":
		line("new file mode ", h.NewMode)
	case h.NewMode == "":
		line("deleted file mode ", h.OldMode)
	case h.OldMode != h.NewMode:
		line("old mode ", h.OldMode)
		line("new mode ", h.NewMode)
	default:
		mode = " " + h.NewMode
	}
	if h.OldPath != "" {
		line("similarity index ", strconv.Itoa(h.Similarity), "%")
		line("rename from ", quoted("", old))
		line("rename to ", quoted("", new))
	}
	if h.OldID == h.NewID {
		return
	}
	line("index ", idOr0(h.OldID, h.NewID), "..", idOr0(h.NewID, h.OldID), mode)
	from, to := sideNames(h, old, new)
	switch {
	case h.Binary:
		line("Binary files ", from, " and ", to, " differ")
	case d != nil && len(d.Hunks) > 0:
		line("--- ", from, afterName(h.OldMode, old))
		line("+++ ", to, afterName(h.NewMode, new))
	}
}

// idOr0 is how git writes the id of a side: where nothing stands, zeros as long as
// the other side's id.
func idOr0(id, other string) string {
	if id == "" {
		return strings.Repeat("0", len(other))
	}
	return id
}

func sideNames(h FileHeader, old, new string) (from, to string) {
	from, to = quoted("a/", old), quoted("b/", new)
	if h.OldMode == "" {
		from = "/dev/null"
	}
	if h.NewMode == "" {
		to = "/dev/null"
	}
	return from, to
}

// afterName is the tab with which git ends a name that holds a space, so that
// readers find its end.
func afterName(mode, name string) string {
	if mode != "" && strings.Contains(name, " ") {
		return "\t"
	}
	return ""
}

func writeHunk(b sink, d *Diff, h Hunk) {
	b.WriteString(d.Header(h))
	b.WriteByte('\n')
	for row := range d.Rows(h) {
		b.WriteByte(row.Kind)
		b.Write(d.Text(row))
		b.WriteByte('\n')
		if d.NoNewline(row) {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}
