package cli

import (
	"context"
	"fmt"
	"path"
	"time"

	"overturn/model"
	"overturn/rollback/doctor"
	"overturn/ui/view"
)

func (s *screen) Overview(ctx context.Context, thread model.ThreadID, turns int) (*view.Overview, error) {
	settled := s.ledger.Settle(ctx)
	if model.CodeOf(settled) == model.CodeLocked {
		settled = nil
	}
	head, err := s.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	o := &view.Overview{
		Root: s.repo.Root, WorkTree: s.repo.WorkTree, Head: head.Commit,
		Branch: path.Base(head.Branch), Operation: s.repo.Operation(),
	}
	if head.Branch == "" {
		o.Branch = ""
	}
	if o.Hooks, err = s.app.hookRows(ctx, s.engines); err != nil {
		return nil, err
	}
	// What is broken in the records does not hide the work tree.
	var staged error
	o.Staged, staged = s.stagedRows(ctx)
	for _, err := range []error{s.unprotected(), settled, s.threadOverview(ctx, o, thread, turns), staged, s.pastOverview(ctx, o), s.runningOverview(ctx, o)} {
		if err != nil && o.Damage == "" {
			o.Damage = err.Error()
		}
	}
	return o, ctx.Err()
}

func (s *screen) threadOverview(ctx context.Context, o *view.Overview, thread model.ThreadID, limit int) error {
	thread, err := s.threadShown(ctx, thread)
	if err != nil {
		return err
	}
	if thread != "" && s.ledger.HasReverted(string(thread)) == thread && !s.ledger.Has(ctx, thread) {
		if thread, err = s.newestThread(ctx); err != nil {
			return err
		}
	}
	if thread == "" {
		o.AllOut = s.ledger.AllOut(ctx)
		return nil
	}
	if o.Newest, err = s.newestThread(ctx); err != nil {
		return err
	}
	// Those of other programs are not counted: listing them reads all of their records.
	threads, err := s.ledger.Threads(ctx)
	if err != nil {
		return err
	}
	if o.Others = max(len(threads)-1, 0); s.book.Recorder(ctx, thread) != "" {
		o.Others = len(threads) + 1
	}
	turns, err := s.book.Briefs(ctx, thread, limit)
	if err != nil {
		return err
	}
	o.Thread = thread
	s.book.Check(ctx, turns)
	for i := range turns {
		o.Agent = turns[i].Agent
		o.Turns = append(o.Turns, timelineCell(&turns[i]))
	}
	if len(o.Turns) == 0 {
		return nil
	}
	o.Title, o.Older = o.Turns[0].Prompt, o.Turns[0].Number-1
	if o.Older > 0 {
		first, err := s.book.Brief(ctx, thread, 1)
		if err == nil {
			o.Title = first.Prompt
		}
	}
	return nil
}

// tidyAfter is how long no key must have been pressed before there is tidying.
const tidyAfter = 5 * time.Second

// Tidy rolls up the packs of captures and looks for what killed processes left among
// the refs, once nobody has pressed a key for a while. It ends with the review.
func (s *screen) Tidy(ctx context.Context, quiet func() time.Duration) error {
	for {
		rest := tidyAfter - quiet()
		if rest <= 0 {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rest):
		}
	}
	if err := s.refs.Sweep(ctx); err != nil {
		return err
	}
	return s.objects.RollUp(ctx)
}

// threadShown is the thread that was chosen, else the one that the review was opened
// on, else the newest.
func (s *screen) threadShown(ctx context.Context, chosen model.ThreadID) (model.ThreadID, error) {
	switch {
	case chosen != "":
		return chosen, nil
	case s.named != "":
		return s.named, nil
	}
	return s.newestThread(ctx)
}

func timelineCell(t *model.Turn) view.Turn {
	cell := view.Turn{
		Thread: t.Thread, Agent: t.Agent, Number: t.Number, Prompt: t.Prompt, State: t.State, Status: t.Status, StatusReason: t.StatusReason,
		StartedAt: t.StartedAt, Files: -1, Effects: len(t.Effects),
	}
	if t.CompletedAt != nil {
		cell.CompletedAt = *t.CompletedAt
	}
	if sum := t.Sum; sum != nil {
		cell.Files, cell.Additions, cell.Deletions = sum.Files, sum.Additions, sum.Deletions
	}
	for _, ef := range t.Effects {
		if ef.Reversible == model.ReversibleNo {
			cell.Irreversible++
		}
	}
	return cell
}

// pastOverview tells of a rollback that was cut short.
func (s *screen) pastOverview(ctx context.Context, o *view.Overview) error {
	cut, err := s.writer.Interrupted(ctx)
	if err == nil && cut != nil {
		o.Interrupted = &view.Interrupted{ID: cut.ID, StartedAt: cut.StartedAt, Done: cut.Done, Of: cut.Of}
	}
	return err
}

func (s *screen) Card(ctx context.Context, thread model.ThreadID, turn int) (*view.Card, error) {
	thread, err := s.threadShown(ctx, thread)
	if err != nil {
		return nil, err
	}
	t, err := s.book.Turn(ctx, thread, turn)
	if err != nil {
		return nil, err
	}
	one := []model.Turn{t}
	s.book.Check(ctx, one)
	t = one[0]
	card := &view.Card{Turn: t, Backend: s.records.Type()}
	if by := s.book.Recorder(ctx, thread); by != "" { // nothing of it is ours to repair
		card.Backend = by
		return card, nil
	}
	if t.Status != model.StatusReady {
		card.Repair = repair(&t)
		if first := doctor.TurnRepair(ctx, doctor.Deps{Refs: s.refs, Objects: s.objects, Ledger: s.ledger}, &t); first != "" {
			card.Repair = append([]string{first}, card.Repair...)
		}
	}
	return card, nil
}

// repair is what can still be done about a snapshot that is not there.
func repair(t *model.Turn) []string {
	steps := []string{fmt.Sprintf("overturn show %d", t.Number), "overturn trace"}
	if t.State == model.TurnOpen {
		return append(steps, "overturn turn end --thread "+t.Thread.Word())
	}
	return append(steps, "overturn agents", "overturn doctor")
}
