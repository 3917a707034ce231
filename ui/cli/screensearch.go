package cli

import (
	"bytes"
	"context"
	"unicode/utf8"

	"overturn/model"
	"overturn/review/moved"
	"overturn/review/patch"
	"overturn/ui/find"
	"overturn/ui/view"
)

func (s *screen) Search(ctx context.Context, cmp *view.Comparison, q find.Query, each func([]view.Match) bool, progress func(done, of int)) error {
	h, err := s.held(cmp)
	if err != nil {
		return err
	}
	for i, f := range h.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(i, len(h.files))
		if f.ReadOnly() {
			continue
		}
		old, now, err := s.reading().Texts(ctx, h.set, f)
		if err != nil {
			return err
		}
		if q.Index(now, 0) < 0 && q.Index(old, 0) < 0 { // most files: nothing is compared
			continue
		}
		d, err := s.reading().Diff(ctx, h.set, f, patch.Options{})
		if err != nil {
			return err
		}
		if d == nil {
			continue
		}
		if list := matches(d, q, i); len(list) > 0 && !each(list) {
			return nil
		}
	}
	return ctx.Err()
}

// matches lists the lines of a difference that hold q, in the order in which a view
// shows them.
func matches(d *patch.Diff, q find.Query, file int) (list []view.Match) {
	look := func(t patch.Text, sign byte, from, to int) {
		for n := from; n < to; n++ {
			line := t.Line(n)
			if at := q.Index(line, 0); at >= 0 {
				text, from := around(line, at, q.Len())
				list = append(list, view.Match{File: file, Sign: sign, Line: n, Text: text, From: from, To: from + q.Len()})
			}
		}
	}
	next := 0
	for _, h := range d.Exact() {
		for _, e := range h.Edits {
			look(d.New, ' ', next, e.NewFrom)
			look(d.Old, '-', e.OldFrom, e.OldTo)
			look(d.New, '+', e.NewFrom, e.NewTo)
			next = e.NewTo
		}
	}
	look(d.New, ' ', next, d.New.Lines())
	return list
}

// What is kept of a line: so many bytes before the match, and in all.
const (
	matchLead = 60
	matchText = 400
)

// around is what is kept of a line around a match at byte at, and where the match is
// in it.
func around(line []byte, at, n int) (text []byte, from int) {
	if len(line) <= matchText {
		return bytes.Clone(line), at // the rest of the file need not stay
	}
	begin := max(at-matchLead, 0)
	for begin > 0 && begin < at && !utf8.RuneStart(line[begin]) {
		begin++
	}
	return bytes.Clone(line[begin:min(len(line), max(begin+matchText, at+n))]), at - begin
}

// What moved code is looked for in, at most: files, and bytes of both their sides.
const (
	movesFiles = 400
	movesBytes = 16 << 20
)

func (s *screen) Moves(ctx context.Context, cmp *view.Comparison) (map[model.Path][]view.Move, error) {
	h, err := s.held(cmp)
	if err != nil || len(h.files) > movesFiles {
		return nil, err
	}
	var files []moved.File
	size := 0
	for _, f := range h.files {
		d, err := s.reading().Diff(ctx, h.set, f, patch.Options{})
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		if size += len(d.Old.Bytes) + len(d.New.Bytes); size > movesBytes {
			break
		}
		files = append(files, moved.File{Path: f.Path, Diff: d})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	moves := map[model.Path][]view.Move{}
	for path, blocks := range moved.Find(files) {
		for _, b := range blocks {
			moves[path] = append(moves[path], view.Move(b))
		}
	}
	return moves, nil
}
