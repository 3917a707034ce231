package cli

import (
	"context"

	"overturn/model"
	"overturn/review"
	"overturn/review/marks"
	"overturn/review/patch"
	"overturn/ui"
	"overturn/ui/view"
)

// part is a hunk as it is shown, or all of a file whose change is not lines, and what
// is to be read of it: the exact hunks that it stands for.
type part struct {
	number  int // 0: the file
	changes []marks.Change
}

// parts lists what there is to read of a file as it is shown. D is nil where nothing is
// compared by lines.
func parts(f *review.File, d *patch.Diff) []part {
	if d == nil || len(d.Exact()) == 0 {
		sides := f.Old.Mode + f.Old.OID + f.Old.RawOID + " " + f.New.Mode + f.New.OID + f.New.RawOID
		return []part{{changes: []marks.Change{marks.OfWhole(f.Path, sides)}}}
	}
	list, exact := make([]part, len(d.Hunks)), marks.OfHunks(f.Path, d)
	for i, h := range d.Hunks {
		list[i].number = h.Number
		if mode := modeChange(f); i == 0 && mode != "" {
			list[i].changes = append(list[i].changes, marks.OfWhole(f.Path, mode))
		}
		list[i].changes = append(list[i].changes, exact[h.Number-1:h.Last]...)
	}
	return list
}

// modeChange says that a file became executable, or ceased to be, beside what changed in
// its lines; "" for neither. It is read with the first hunk that is shown: what was made
// executable since the lines were read is not read.
func modeChange(f *review.File) string {
	was, is := executable(f.Old), executable(f.New)
	switch {
	case f.New.Kind != model.KindFile || was == is:
		return ""
	case is:
		return "executable"
	}
	return "not executable"
}

// executable is git's one bit: whether the owner may execute.
func executable(e review.Entry) bool {
	return e.Kind == model.KindFile && len(e.Mode) == 6 && (e.Mode[3]-'0')&1 == 1
}

// read tells whether all of the part was read, and what changed in it since.
func (p *part) read(set *marks.Set, was map[string]string) (read bool, since []string) {
	read = true
	for _, c := range p.changes {
		if set.Has(c.Path, c.Hash) {
			continue
		}
		read = false
		if text := was[c.Hash]; text != "" {
			since = append(since, difference(text, c.Text)...)
		}
	}
	return read, since
}

// difference is how two texts of changed lines differ, line by line, each line behind
// a sign: what both have, what only the earlier one has, what only the later one.
func difference(was, is string) []string {
	old, now := patch.NewText([]byte(was)), patch.NewText([]byte(is))
	var list []string
	put := func(sign string, t patch.Text, from, to int) {
		for i := from; i < to; i++ {
			list = append(list, sign+string(t.Line(i)))
		}
	}
	at := 0
	for _, e := range patch.Edits([]byte(was), []byte(is)) {
		put(" ", old, at, e.OldFrom)
		put("-", old, e.OldFrom, e.OldTo)
		put("+", now, e.NewFrom, e.NewTo)
		at = e.OldTo
	}
	put(" ", old, at, old.Lines())
	return list
}

// earlier finds for each change of a file that was not read the text of the one that
// was read in its stead.
func earlier(set *marks.Set, path model.Path, list []part) map[string]string {
	var all []marks.Change
	for _, p := range list {
		all = append(all, p.changes...)
	}
	was := map[string]string{}
	for i, s := range set.States(path, all) {
		was[all[i].Hash] = s.Was
	}
	return was
}

// partsBeside is parts, worked out beside what is done next: of thousands of hunks each
// is hashed. What it returns waits for the list.
func partsBeside(f *review.File, d *patch.Diff) func() []part {
	list := make(chan []part, 1)
	go func() { list <- parts(f, d) }()
	return func() []part { return <-list }
}

// markDocument says of each hunk whether it was read.
func (s *screen) markDocument(doc *view.Document, f *review.File, list []part) error {
	set, err := s.marks.Load()
	if err != nil {
		return err
	}
	was := earlier(set, f.Path, list)
	for i := range list {
		read, since := list[i].read(set, was)
		if list[i].number == 0 {
			doc.Read = read
			continue
		}
		doc.Hunks[i].Read, doc.Hunks[i].Since = read, since
	}
	return nil
}

// countRead is how much there is to read of a file as it is shown, and how much was.
func (s *screen) countRead(ctx context.Context, h heldSet, f *review.File, o ui.DocumentOptions) (of, done int, err error) {
	set, err := s.marks.Load()
	if err != nil {
		return 0, 0, err
	}
	d, err := s.reading().Diff(ctx, h.set, f, patch.Options{IgnoreSpace: o.IgnoreSpace})
	if err != nil {
		return 0, 0, err
	}
	for _, p := range parts(f, d) {
		of++
		if read, _ := p.read(set, nil); read {
			done++
		}
	}
	return of, done, nil
}

// Mark remembers what was read.
func (s *screen) Mark(ctx context.Context, cmp *view.Comparison, index int, o ui.DocumentOptions, hunks []int, read bool) (of, done int, err error) {
	h, err := s.held(cmp)
	if err != nil {
		return 0, 0, err
	}
	f := h.files[index]
	d, err := s.reading().Diff(ctx, h.set, f, patch.Options{IgnoreSpace: o.IgnoreSpace})
	if err != nil {
		return 0, 0, err
	}
	var changes []marks.Change
	for _, p := range parts(f, d) {
		if len(hunks) == 0 || p.number == hunks[0] {
			changes = append(changes, p.changes...)
		}
	}
	say := s.marks.Read
	if !read {
		say = s.marks.Unread
	}
	if err := say(ctx, changes...); err != nil {
		return 0, 0, err
	}
	return s.countRead(ctx, h, f, o)
}
