package plain

import (
	"context"

	"overturn/model"
	"overturn/model/anchor"
)

// markRead marks the hunk, or the file, as read and goes on.
func (s *session) markRead(ctx context.Context, args string) error {
	if err := s.mark(ctx, args, true); err != nil {
		return err
	}
	return s.unreadNext(ctx)
}

func (s *session) markUnread(ctx context.Context, args string) error { return s.mark(ctx, args, false) }

func (s *session) mark(ctx context.Context, args string, read bool) error {
	if err := s.opened(); err != nil {
		return err
	}
	var hunks []int
	switch {
	case args == "file" || s.hunk < 0:
	case args != "":
		return model.Usagef("%q is not what can be read", args).WithHint("read, or read file")
	default:
		hunks = []int{s.doc.Hunks[s.hunk].Number}
	}
	of, done, err := s.Engine.Mark(ctx, s.cmp, s.file, s.options(), hunks, read)
	if err != nil {
		return err
	}
	f := &s.cmp.Files[s.file]
	f.Hunks, f.Read = of, done
	if len(hunks) == 0 {
		s.doc.Read = read
	}
	for i := range s.doc.Hunks {
		if len(hunks) == 0 || i == s.hunk {
			s.doc.Hunks[i].Read = read
		}
	}
	left, all := 0, 0
	for i := range s.cmp.Files {
		left, all = left+s.cmp.Files[i].Hunks-s.cmp.Files[i].Read, all+s.cmp.Files[i].Hunks
	}
	s.say("%d of %d left to read", left, all)
	return nil
}

// unreadNext prints the next hunk that was not read, in this file or the first after it
// that holds one, else the first of all.
func (s *session) unreadNext(ctx context.Context) error {
	for i := s.hunk + 1; s.hunk >= 0 && i < len(s.doc.Hunks); i++ {
		if !s.doc.Hunks[i].Read {
			s.hunk = i
			s.printHunk(i)
			return nil
		}
	}
	n := len(s.cmp.Files)
	for k := 1; k <= n; k++ {
		at := (s.file + k) % n
		if s.cmp.Files[at].Done() {
			continue
		}
		if err := s.load(ctx, at); err != nil {
			return err
		}
		s.headOf()
		for i := range s.doc.Hunks {
			if !s.doc.Hunks[i].Read {
				s.hunk = i
				s.printHunk(i)
				break
			}
		}
		return nil
	}
	s.say("everything is read")
	return nil
}

// comment keeps what the user says about the hunk, or about a file without any.
func (s *session) comment(ctx context.Context, args string) error {
	if err := s.opened(); err != nil {
		return err
	}
	if args == "" {
		return model.Usagef("a comment needs a text").WithHint("comment TEXT")
	}
	c := model.Comment{Scope: s.cmp.Scope.String(), Thread: s.cmp.Scope.Thread, Path: s.doc.File.Path, Text: args,
		Anchor: model.Anchor{Kind: model.AnchorFile}}
	if s.cmp.Scope.Kind == model.ScopeTurn {
		c.Turn = s.cmp.Scope.Turn
	}
	if c.Thread == "" {
		c.Thread = s.over.Thread
	}
	if s.hunk >= 0 {
		h := s.doc.Hunks[s.hunk]
		first, last := h.Edits[0], h.Edits[len(h.Edits)-1]
		edits := make([]anchor.Edit, len(h.Edits))
		for i, e := range h.Edits {
			edits[i] = anchor.Edit(e)
		}
		if first.NewFrom < last.NewTo {
			c.Anchor = anchor.Of(s.doc.New, first.NewFrom, last.NewTo, model.AnchorHunk, false)
		} else {
			c.Anchor = anchor.Of(s.doc.Old, first.OldFrom, last.OldTo, model.AnchorHunk, true)
		}
		c.Anchor.Hunk = anchor.Hash(s.doc.Old, s.doc.New, edits)
		if c.Turn == 0 && len(h.Turns) > 0 {
			c.Turn = h.Turns[len(h.Turns)-1]
		}
	}
	if err := s.Engine.SaveComment(ctx, c); err != nil {
		return err
	}
	s.say("the comment is kept; overturn comments lists all and hands them over")
	return nil
}
