package cli

import (
	"context"
	"fmt"

	"overturn/model"
	"overturn/review"
	"overturn/review/inline"
	"overturn/review/patch"
	"overturn/review/remarks"
	"overturn/ui"
	"overturn/ui/view"
)

func (s *screen) Document(ctx context.Context, cmp *view.Comparison, index int, o ui.DocumentOptions) (*view.Document, error) {
	h, err := s.held(cmp)
	if err != nil {
		return nil, err
	}
	f := h.files[index]
	d, err := s.reading().Diff(ctx, h.set, f, patch.Options{IgnoreSpace: o.IgnoreSpace})
	if err != nil {
		return nil, err
	}
	doc := &view.Document{File: cmp.Files[index], Header: headerLines(f), Binary: d == nil && !f.ReadOnly()}
	doc.Old, doc.New = patch.NewText(nil), patch.NewText(nil)
	if d == nil {
		if err := s.binaryHeader(ctx, h, f, doc); err != nil {
			return nil, err
		}
		return doc, s.markDocument(doc, f, parts(f, d))
	}
	list := partsBeside(f, d)
	if doc.Folded, err = s.reading().Folded(ctx, f, d.Old.Bytes, d.New.Bytes); err != nil {
		return nil, err
	}
	doc.Old, doc.New = d.Old, d.New
	textRemarks(doc, d)
	doc.OldNoNewline, doc.NewNoNewline = d.Old.NoFinalNewline(), d.New.NoFinalNewline()
	doc.HiddenSpace = d.HiddenSpace
	if o.IgnoreSpace && d.Large() {
		doc.Header = append(doc.Header, "white space counts: the file is too large to be compared without")
	}
	doc.Emphasis = inline.Emphasis
	owners, err := s.reading().Owners(ctx, h.set, f)
	if err != nil {
		return nil, err
	}
	doc.Hunks = hunks(d, owners)
	return doc, s.markDocument(doc, f, list())
}

func hunks(d *patch.Diff, owners review.FileOwners) []view.Hunk {
	by := make(map[int]review.HunkOwner, len(owners.Hunks))
	for _, h := range owners.Hunks {
		by[h.Number] = h
	}
	list := make([]view.Hunk, len(d.Hunks))
	for i, h := range d.Hunks {
		edits := make([]view.Edit, len(h.Edits))
		for k, e := range h.Edits {
			edits[k] = view.Edit(e)
		}
		o := by[h.Number]
		list[i] = view.Hunk{Number: h.Number, Edits: edits, Section: h.Section, Owner: o.Owner, Turns: o.Turns, In: o.In, Thread: o.Thread}
	}
	return list
}

// headerLines says what of a file's change is not lines.
func headerLines(f *review.File) []string {
	var lines []string
	if f.OldPath != "" {
		line := "renamed from " + patch.Quote(f.OldPath)
		if f.Similarity < 100 {
			line += fmt.Sprintf(", %d %% alike", f.Similarity)
		}
		lines = append(lines, line)
	}
	switch {
	case f.Old.Kind == model.KindAbsent:
		lines = append(lines, fmt.Sprintf("new %s, mode %s", f.New.Kind, f.New.Mode))
	case f.New.Kind == model.KindAbsent:
		lines = append(lines, fmt.Sprintf("deleted %s, mode %s", f.Old.Kind, f.Old.Mode))
	case f.Old.Kind != f.New.Kind:
		lines = append(lines, fmt.Sprintf("was a %s, is a %s", f.Old.Kind, f.New.Kind))
	case f.Old.Mode != f.New.Mode:
		lines = append(lines, fmt.Sprintf("mode %s → %s%s", f.Old.Mode, f.New.Mode, executes(f.Old.Mode, f.New.Mode)))
	}
	if f.Note != "" {
		lines = append(lines, f.Note)
	}
	return lines
}

// executes says in words what a change of mode does to a program.
func executes(old, now string) string {
	runs := func(mode string) bool { return len(mode) == 6 && (mode[3]-'0')&1 == 1 }
	switch {
	case runs(now) && !runs(old):
		return ", made executable"
	case runs(old) && !runs(now):
		return ", no longer executable"
	}
	return ""
}

// conflictsShown is how many conflicts are named one by one.
const conflictsShown = 4

// textRemarks adds to a document what its reader should know before the lines.
func textRemarks(doc *view.Document, d *patch.Diff) {
	if was, is := remarks.LineEnds(d.Old.Bytes), remarks.LineEnds(d.New.Bytes); was != is && was != "" && is != "" || is == "mixed" {
		doc.Header = append(doc.Header, "line ends: "+is)
		if was != is && was != "" {
			doc.Header[len(doc.Header)-1] = "line ends: " + was + " → " + is
		}
	}
	if was, is := d.Old.NoFinalNewline(), d.New.NoFinalNewline(); was != is && d.Old.Lines() > 0 && d.New.Lines() > 0 {
		doc.Header = append(doc.Header, map[bool]string{true: "no line feed at the end any more", false: "line feed at the end added"}[is])
	}
	if was, is := remarks.HasMark(d.Old.Bytes), remarks.HasMark(d.New.Bytes); was != is && len(d.New.Bytes) > 0 {
		doc.Header = append(doc.Header, map[bool]string{true: "byte order mark added", false: "byte order mark removed"}[is])
	}
	if list := remarks.Conflicts(d.New.Bytes, conflictsShown+1); len(list) > 0 {
		doc.Alarms = append(doc.Alarms, conflictWords(list))
		doc.Marker = func(line []byte) bool { return remarks.Marker(line) != 0 }
	}
	var unseen remarks.Unseen
	for _, h := range d.Exact() {
		for _, e := range h.Edits {
			for i := e.NewFrom; i < e.NewTo; i++ {
				unseen.Look(d.New.Line(i), i+1)
			}
		}
	}
	if s := unseen.String(); s != "" {
		doc.Alarms = append(doc.Alarms, "in added lines: "+s)
	}
}

func conflictWords(list []remarks.Conflict) string {
	s := "conflict markers in lines"
	for i, c := range list {
		if i == conflictsShown {
			return s + " and more"
		}
		s += fmt.Sprintf(" %d–%d", c.From, c.To)
	}
	return s
}

// binaryHeader tells the kind and the sizes of content that is not text, and the commits of a
// submodule.
func (s *screen) binaryHeader(ctx context.Context, h heldSet, f *review.File, doc *view.Document) error {
	if f.ReadOnly() {
		doc.Header = append(doc.Header, fmt.Sprintf("submodule %s → %s", short(f.Old.OID), short(f.New.OID)))
		return nil
	}
	old, now, err := s.reading().Texts(ctx, h.set, f)
	if err != nil {
		return err
	}
	doc.Header = append(doc.Header, binaryWords(old, now))
	return nil
}

// binaryWords tells the kind and the size of content that is not text; a side that is
// not there has none.
func binaryWords(old, now []byte) string {
	kind := "binary"
	switch was, is := remarks.Binary(old), remarks.Binary(now); {
	case was == is && is != "":
		kind += ", " + is
	case len(old) > 0 && len(now) > 0 && was != is:
		kind += fmt.Sprintf(", %s → %s", orBytes(was), orBytes(is))
	case was+is != "":
		kind += ", " + was + is
	}
	switch {
	case len(old) == 0:
		return fmt.Sprintf("%s, %d bytes", kind, len(now))
	case len(now) == 0:
		return fmt.Sprintf("%s, %d bytes", kind, len(old))
	case len(now) != len(old):
		return fmt.Sprintf("%s, %d → %d bytes (%+d)", kind, len(old), len(now), len(now)-len(old))
	}
	return fmt.Sprintf("%s, %d → %d bytes", kind, len(old), len(now))
}

func orBytes(kind string) string {
	if kind == "" {
		return "bytes"
	}
	return kind
}

func short(oid string) string {
	if oid == "" {
		return "nothing"
	}
	return oid[:min(len(oid), 10)]
}
