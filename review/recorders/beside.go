package recorders

import (
	"context"
	"time"

	"overturn/model"
	"overturn/review/ledger"
)

// span is when a turn of ours ran; end is zero while it does.
type span struct {
	turn       int
	start, end time.Time
}

// spans is when the turns of a thread of ours ran, as long as it has no newer ones: they
// are held against every turn of another program.
type spans struct {
	turns  int
	lastAt time.Time
	list   []span
}

// beside lists turns of ours, of all work trees where that of the turn is not known, that
// were open while the turn ran.
func (b *Book) beside(ctx context.Context, turn *model.Turn) ([]ledger.Overlap, error) {
	threads, err := b.Ledger.Threads(ctx)
	if err != nil {
		return nil, err
	}
	var list []ledger.Overlap
	for i := range threads {
		t := &threads[i]
		if t.LastAt.Before(turn.StartedAt) || turn.WorkTree != "" && t.WorkTree != turn.WorkTree {
			continue
		}
		ours, err := b.spansOf(ctx, t)
		if err != nil {
			return nil, err
		}
		for _, o := range ours {
			open := o.end.IsZero() || !o.end.Before(turn.StartedAt)
			if open && turn.CompletedAt != nil && o.start.Before(*turn.CompletedAt) {
				list = append(list, ledger.Overlap{Thread: t.ID, Turn: o.turn})
			}
		}
	}
	return list, nil
}

func (b *Book) spansOf(ctx context.Context, t *model.Thread) ([]span, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if kept := b.spans[t.ID]; kept.turns == t.Turns && kept.lastAt.Equal(t.LastAt) {
		return kept.list, nil
	}
	turns, err := b.Ledger.Briefs(ctx, t.ID, 0)
	if err != nil {
		return nil, err
	}
	list := make([]span, len(turns))
	for i, o := range turns {
		list[i] = span{turn: o.Number, start: o.StartedAt}
		if o.CompletedAt != nil {
			list[i].end = *o.CompletedAt
		}
	}
	if b.spans == nil {
		b.spans = map[model.ThreadID]spans{}
	}
	b.spans[t.ID] = spans{t.Turns, t.LastAt, list}
	return list, nil
}
