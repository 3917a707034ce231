package rollback

import (
	"overturn/model"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// end reads every target back and closes the journal.
func (s *settling) end() error {
	r := s.result
	if s.unwind {
		r.Reverted = nil
	}
	r.Verified = true
	for n, t := range s.entry.Targets {
		if !s.reached[n] {
			continue
		}
		found, err := s.e.present(t.Target.Path, s.entry.Targets)
		if err != nil {
			return err
		}
		r.Post = append(r.Post, model.Post{Path: t.Target.Path, Kind: found.Kind, Mode: found.Mode, SHA256: found.SHA256})
		if found != restore.Reachable(s.ends(t.Target).to) && found != s.ends(t.Target).to {
			r.Verified = false
			s.skip(t.Target.Path, "changed again by another process")
			continue
		}
		if s.unwind {
			continue
		}
		countTarget(r, t.Target)
		if err := s.log.Mark(journal.Record{Type: journal.TypeSwapped, N: n}); err != nil {
			return err
		}
	}
	switch {
	case len(s.skipped) > 0:
		r.Outcome = model.OutcomePartial
	case s.unwind || s.entry.Kind == journal.KindUndo:
		r.Outcome = model.OutcomeUndone
	}
	if !s.unwind {
		r.Undo = undoCommand(s.entry.ID)
	}
	r.Skipped = append(r.Skipped, s.skipped...)
	r.Kept = append(r.Kept, s.kept...)
	return s.log.End(journal.Record{Type: journal.TypeDone, At: s.e.Clock().UTC(), Result: r})
}
