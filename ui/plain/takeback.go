package plain

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/ui"
	"overturn/ui/view"
)

// stage stages the hunk, the file, or lines of the new side.
func (s *session) stage(ctx context.Context, args string) error {
	if err := s.opened(); err != nil {
		return err
	}
	r := ui.StageRequest{Scope: s.cmp.Scope, Paths: s.doc.File.Names(), Named: true}
	whole := s.hunk < 0 || s.doc.File.Change == model.Added || s.doc.File.Change == model.Deleted || s.doc.File.OldPath != ""
	switch {
	case args == "file":
	case args != "" && whole && s.hunk >= 0:
		return model.Usagef("%s goes back whole: it was %s", s.doc.File.Path, s.doc.File.Change).WithHint("stage file")
	case args != "":
		l, err := lineRange(args)
		if err != nil {
			return err
		}
		r.Lines = []view.LineRange{l}
	case !whole:
		r.Hunks = []int{s.doc.Hunks[s.hunk].Number}
	}
	list, err := s.Engine.Stage(ctx, r)
	if len(r.Lines) > 0 && model.CodeOf(err) == model.CodeUsage {
		return model.Usagef("%v", err).WithHint("hunk prints the lines that changed: A-B names those with a +, -A-B those with a -")
	}
	if err != nil {
		return err
	}
	return s.staged(list)
}

// lineRange reads "A-B", lines of the new side, and "-A-B", of the old one.
func lineRange(text string) (view.LineRange, error) {
	rest, old := strings.CutPrefix(text, "-")
	from, to, ok := strings.Cut(rest, "-")
	a, err := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !ok || err != nil || err2 != nil || a < 1 || b < a {
		return view.LineRange{}, model.Usagef("%q is no range of lines", text).
			WithHint("stage, stage file, or stage A-B with lines of the new side, -A-B with those of the old one")
	}
	return view.LineRange{Old: old, From: a, To: b}, nil
}

// unstage takes the open file, or everything, out of what is staged.
func (s *session) unstage(ctx context.Context, args string) error {
	var paths []model.Path
	if args == "all" {
		for _, st := range s.over.Staged {
			paths = append(paths, st.Path)
		}
	} else {
		if err := s.opened(); err != nil {
			return err
		}
		paths = s.doc.File.Names()
	}
	if len(paths) == 0 {
		s.say("nothing is staged")
		return nil
	}
	list, err := s.Engine.Unstage(ctx, paths)
	if err != nil {
		return err
	}
	return s.staged(list)
}

func (s *session) staged(list []view.Staged) error {
	s.over.Staged = list
	s.say("%s staged", view.Count(len(list), "path"))
	for _, st := range list {
		words := "whole file"
		switch {
		case st.Lines != "":
			words = "lines " + st.Lines
		case len(st.Hunks) > 0:
			words = "hunks"
			for _, h := range st.Hunks {
				words += " " + strconv.Itoa(h)
			}
		}
		s.say("staged: %s, %s, from %s", st.Path, words, st.Scope)
	}
	return nil
}

// plan prints what would be taken back: every target, what is kept, what it does not
// cover, and the patch.
func (s *session) plan(ctx context.Context, _ string) error {
	p, err := s.Engine.Plan(ctx)
	if err != nil {
		return err
	}
	s.planWords(p)
	for line := range bytes.Lines(p.Patch) {
		s.say("patch: %s", bytes.TrimSuffix(line, []byte{'\n'}))
	}
	return nil
}

func (s *session) planWords(p *model.Plan) {
	s.say("%s would be taken back, fingerprint %s", view.Count(len(p.Targets), "path"), p.Fingerprint)
	for _, t := range p.Targets {
		words := []string{string(t.Op), string(t.Path), string(t.Verdict), "owner " + string(t.Owner)}
		if of := view.TurnsOf(t.Turns, t.Thread, s.over.Thread); of != "" {
			words = append(words, of)
		}
		if len(t.Hunks) > 0 {
			words = append(words, view.Count(len(t.Hunks), "hunk"))
		}
		if t.Reason != "" {
			words = append(words, t.Reason)
		}
		s.say("%s", strings.Join(words, ", "))
	}
	for _, k := range p.Kept {
		s.say("kept: %s, %s", k.Path, k.Reason)
	}
	for _, d := range p.Domains {
		if !d.Covered {
			s.say("not covered: %s, %s", d.Domain, d.Note)
		}
	}
	for _, e := range model.Distinct(p.Effects) {
		s.say("not taken back: %s, reversible: %s", e.Summary, e.Reversible)
		if e.Compensation != "" {
			s.say("to make up for it: %s", e.Compensation)
		}
	}
	if p.Advice != "" {
		s.say("note: %s", p.Advice)
	}
}

// rollback takes back what is staged, once that was confirmed as on the screen.
func (s *session) rollback(ctx context.Context, _ string) error {
	p, err := s.Engine.Plan(ctx)
	if err != nil {
		return err
	}
	if len(p.Targets) == 0 {
		return errNothing("path is staged", "stage the hunk, or stage file")
	}
	conflicts := 0
	for _, t := range p.Targets {
		if t.Verdict == model.VerdictConflict {
			conflicts++
		}
	}
	s.planWords(p)
	c, number := ui.Confirmed{Fingerprint: p.Fingerprint, Partial: conflicts > 0}, ui.ToType(p)
	switch {
	case conflicts == len(p.Targets):
		return model.Refusedf("nothing of this can go back: later edits are in the way").
			WithHint("unstage what conflicts, or overturn stage --discard-edits")
	case conflicts > 0:
		number = len(p.Targets) - conflicts
		s.say("warning: %s, which stays as it is", view.Count(conflicts, "conflict"))
	}
	want := answer(number)
	if !s.Prompt { // nobody saw the plan: who confirms it must know it
		want = p.Fingerprint
	}
	if !s.confirmed("roll back", want) {
		s.Engine.Declined(p)
		return nil
	}
	result, err := s.Engine.Execute(ctx, c, func(int, int) {})
	if err != nil {
		return err
	}
	return s.done(ctx, result)
}

// answer is what confirms: the number that is to be typed, or y where that is 0.
func answer(number int) string {
	if number > 0 {
		return strconv.Itoa(number)
	}
	return "y"
}

// confirmed asks for a word on a line of its own; anything else is no. What was typed or pasted before the question answers it no more than a key held
// down does on the screen.
func (s *session) confirmed(verb, want string) bool {
	if s.Forget != nil {
		s.Forget()
	}
	s.say("type %s to %s, anything else to cancel", want, verb)
	line, ok := s.read("confirm> ")
	if !ok || line != want {
		s.say("cancelled, nothing was written")
		return false
	}
	return true
}

// done tells of a result and reads everything again.
func (s *session) done(ctx context.Context, r *model.Result) error {
	s.say("outcome: %s, id %s", r.Outcome, r.ID)
	for _, part := range []struct {
		paths model.Paths
		word  string
	}{{r.Restored, "restored"}, {r.Created, "created"}, {r.Deleted, "deleted"}, {r.Merged, "merged"}} {
		for _, p := range part.paths {
			s.say("%s: %s", part.word, p)
		}
	}
	for _, k := range append(append([]model.Noted(nil), r.Kept...), r.Skipped...) {
		s.say("left as it is: %s, %s", k.Path, k.Reason)
	}
	for _, e := range model.Distinct(r.Residual) {
		s.say("not taken back: %s", e.Summary)
	}
	if r.Undo != "" {
		s.say("undo takes it back")
	}
	return s.refresh(ctx, "")
}

func (s *session) undo(ctx context.Context, _ string) error {
	return s.again(ctx, false, "undo", s.Engine.Undo)
}

func (s *session) redo(ctx context.Context, _ string) error {
	return s.again(ctx, true, "redo", s.Engine.Redo)
}

func (s *session) again(ctx context.Context, redo bool, verb string, do func(context.Context, model.ID, func(done, of int)) (*model.Result, error)) error {
	list, err := s.Engine.History(ctx)
	if err != nil {
		return err
	}
	e, before := view.Undoable(list, redo)
	if words, next := view.NothingToUndo(e, before, redo); words != "" {
		return model.Usagef("%s", words).WithHint("%s", next)
	}
	for _, p := range e.Paths {
		s.say("path: %s", p)
	}
	paths := len(e.Paths)
	if paths == 1 {
		paths = 0
	}
	s.say("paths that were edited since are refused, never overwritten")
	if !s.confirmed(verb, answer(paths)) {
		return nil
	}
	result, err := do(ctx, e.ID, func(int, int) {})
	if err != nil {
		return err
	}
	return s.done(ctx, result)
}

func (s *session) history(ctx context.Context, _ string) error {
	list, err := s.Engine.History(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		s.say("nothing was taken back yet")
	}
	for _, e := range list {
		words := fmt.Sprintf("%s, %s, %s, %s, id %s", e.Kind, e.Outcome, view.Count(len(e.Paths), "path"), e.At.Format("2006-01-02 15:04"), e.ID)
		if e.UndoneBy != "" {
			words += ", undone"
		}
		s.say("%s", words)
	}
	return nil
}
