package plain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"overturn/model"
	"overturn/ui/find"
	"overturn/ui/view"
)

// files lists the files of the comparison.
func (s *session) files(context.Context, string) error {
	if s.cmp == nil {
		return errNothing("comparison", "working, branch, latest or turn opens one")
	}
	s.say("%s: from %s to %s", view.ScopeWords(s.cmp.Scope), s.cmp.Base, s.cmp.Target)
	if s.cmp.Note != "" {
		s.say("note: %s", s.cmp.Note)
	}
	if len(s.cmp.Files) == 0 {
		s.say("nothing differs")
	}
	left, of := 0, 0
	for i := range s.cmp.Files {
		f := &s.cmp.Files[i]
		left, of = left+f.Hunks-f.Read, of+f.Hunks
		s.say("file %d: %s", i+1, s.fileWords(f))
	}
	for _, n := range s.cmp.LeftOut {
		s.say("left out: %s, %s", n.Path, n.Reason)
	}
	if of > 0 {
		s.say("%d of %s left to read", left, view.Count(of, "hunk"))
	}
	return nil
}

func (s *session) fileWords(f *view.File) string {
	words := []string{string(f.Path), string(f.Change)}
	if f.OldPath != "" {
		words = append(words, "was "+string(f.OldPath))
	}
	switch {
	case f.Binary:
		words = append(words, "binary")
	case f.Additions >= 0:
		words = append(words, fmt.Sprintf("%d added, %d removed", f.Additions, f.Deletions))
	}
	words = append(words, "owner "+string(f.Owner))
	if f.Hunks > 0 && f.Done() {
		words = append(words, "read")
	}
	if slices.ContainsFunc(s.over.Staged, func(st view.Staged) bool { return st.Path == f.Path && st.Of(s.cmp.Scope) }) {
		words = append(words, "staged")
	}
	return strings.Join(words, ", ")
}

// openFile opens a file by its number or its path.
func (s *session) openFile(ctx context.Context, args string) error {
	if s.cmp == nil || len(s.cmp.Files) == 0 {
		return errNothing("files here", "working, branch, latest or turn opens another comparison")
	}
	at := slices.IndexFunc(s.cmp.Files, func(f view.File) bool { return string(f.Path) == args })
	if at < 0 {
		n, err := number(args, len(s.cmp.Files), "path of a file here, and no number", "files lists them")
		if err != nil {
			return err
		}
		at = n - 1
	}
	if err := s.load(ctx, at); err != nil {
		return err
	}
	return s.show(ctx, "")
}

// load reads a file of the comparison.
func (s *session) load(ctx context.Context, index int) error {
	doc, err := s.Engine.Document(ctx, s.cmp, index, s.options())
	if err != nil {
		return err
	}
	s.file, s.doc, s.hunk = index, doc, -1
	if len(doc.Hunks) > 0 {
		s.hunk = 0
	}
	return nil
}

func (s *session) opened() error {
	if s.doc == nil {
		return errNothing("file is open", "file N opens one, next the first")
	}
	return nil
}

// show prints the file that is open.
func (s *session) show(context.Context, string) error {
	if err := s.opened(); err != nil {
		return err
	}
	s.headOf()
	for h := range s.doc.Hunks {
		s.printHunk(h)
	}
	return nil
}

// headOf prints what of the file is not lines.
func (s *session) headOf() {
	s.say("file %d of %d: %s", s.file+1, len(s.cmp.Files), s.fileWords(&s.cmp.Files[s.file]))
	for _, line := range s.doc.Header {
		s.say("%s", line)
	}
	for _, line := range s.doc.Alarms {
		s.say("warning: %s", line)
	}
	if s.doc.HiddenSpace > 0 {
		s.say("%s of white space alone hidden; space shows them", view.Count(s.doc.HiddenSpace, "hunk"))
	}
}

// context is how many equal lines are printed around a change.
const around = 3

func (s *session) printHunk(i int) {
	h := s.doc.Hunks[i]
	words := []string{fmt.Sprintf("hunk %d of %d", i+1, len(s.doc.Hunks))}
	if h.Section != "" {
		words = append(words, "in "+h.Section)
	}
	if h.Owner != "" {
		words = append(words, "owner "+string(h.Owner))
	}
	if of := view.TurnsOf(h.Turns, h.In, s.over.Thread); of != "" {
		words = append(words, of)
	}
	switch {
	case h.Read:
		words = append(words, "read")
	case len(h.Since) > 0:
		words = append(words, "changed since you read it")
	}
	s.say("%s", strings.Join(words, ", "))
	first := h.Edits[0]
	lead := min(around, first.OldFrom, first.NewFrom)
	now := first.NewFrom - lead
	for _, e := range h.Edits {
		s.put("same", s.doc.New, now, e.NewFrom)
		s.put("removed", s.doc.Old, e.OldFrom, e.OldTo)
		s.put("added", s.doc.New, e.NewFrom, e.NewTo)
		now = e.NewTo
	}
	s.put("same", s.doc.New, now, min(now+around, s.doc.New.Lines()))
}

// put prints lines [from,to) of a text, each behind what became of it and its
// number.
func (s *session) put(word string, text view.Lines, from, to int) {
	for i := from; i < to; i++ {
		s.say("%s %d: %s", word, i+1, text.Line(i))
	}
}

// next prints the next hunk, in this file or the next one that has any.
func (s *session) next(ctx context.Context, _ string) error { return s.walk(ctx, 1) }

func (s *session) previous(ctx context.Context, _ string) error { return s.walk(ctx, -1) }

func (s *session) walk(ctx context.Context, d int) error {
	if s.cmp == nil || len(s.cmp.Files) == 0 {
		return errNothing("files here", "working, branch, latest or turn opens another comparison")
	}
	if s.doc != nil && s.hunk >= 0 && s.hunk+d >= 0 && s.hunk+d < len(s.doc.Hunks) {
		s.hunk += d
		s.printHunk(s.hunk)
		return nil
	}
	at := s.file + d
	if s.file < 0 && d < 0 {
		at = len(s.cmp.Files) - 1
	}
	if at < 0 || at >= len(s.cmp.Files) {
		s.say("no hunk beyond this one")
		return nil
	}
	if err := s.load(ctx, at); err != nil {
		return err
	}
	s.headOf()
	if s.hunk < 0 {
		s.say("no hunks")
		return nil
	}
	if d < 0 {
		s.hunk = len(s.doc.Hunks) - 1
	}
	s.printHunk(s.hunk)
	return nil
}

func (s *session) goHunk(_ context.Context, args string) error {
	if err := s.opened(); err != nil {
		return err
	}
	n, err := number(args, len(s.doc.Hunks), "hunk", "show prints them")
	if err != nil {
		return err
	}
	s.hunk = n - 1
	s.printHunk(s.hunk)
	return nil
}

func (s *session) toggleSpace(ctx context.Context, _ string) error {
	s.exact = !s.exact
	if s.exact {
		s.say("changes of white space are shown")
	} else {
		s.say("changes of white space are hidden")
	}
	if s.doc == nil {
		return nil
	}
	if err := s.load(ctx, s.file); err != nil {
		return err
	}
	return s.show(ctx, "")
}

// search prints the lines of all files that hold a text.
func (s *session) search(ctx context.Context, args string) error {
	if s.cmp == nil || args == "" {
		return model.Usagef("nothing to search for").WithHint("search TEXT")
	}
	found := 0
	err := s.Engine.Search(ctx, s.cmp, find.New(args), func(list []view.Match) bool {
		for _, m := range list {
			found++
			word := map[byte]string{'+': "added", '-': "removed"}[m.Sign]
			if word == "" {
				word = "same"
			}
			s.say("file %d: %s, %s %d: %s", m.File+1, s.cmp.Files[m.File].Path, word, m.Line+1, m.Text)
		}
		return true
	}, func(int, int) {})
	if err != nil {
		return err
	}
	s.say("%d found", found)
	return nil
}
