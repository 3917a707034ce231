package comments

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
)

// Note is what an agent is told of take-backs without being asked for by the user each
// time: what went, and why. It says no more than that, within HookLimit.
func Note(back []model.TakenBack) string {
	var text string
	for _, lines := range []int{20, 6, 0} {
		var w strings.Builder
		w.WriteString("Since your last turn I took changes of yours out of the files, on purpose. Do not make them again unless I ask for it.\n")
		for i, t := range back {
			takenBack(&w, i+1, t, lines)
		}
		if text = w.String(); len(text) <= HookLimit {
			return text
		}
	}
	const more = "\n…\n"
	cut := strings.LastIndex(text[:HookLimit-len(more)], "\n")
	return strings.ToValidUTF8(text[:cut], "") + more
}

// TellBack says to to.Thread what was taken back of its turns, as far as no agent was
// told of it. It is entered first, so that it is said once whatever comes between and
// however many hooks run at once; where say fails it counts as not told. It tells what
// was said, or nil.
func (s *Store) TellBack(ctx context.Context, to model.Told, back []model.TakenBack, say func(HandOver) error) (*HandOver, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	told, err := s.ToldBack()
	if err != nil {
		return nil, err
	}
	back = slices.DeleteFunc(slices.Clone(back), func(t model.TakenBack) bool { return told[t.ID] })
	if len(back) == 0 {
		return nil, nil
	}
	h := HandOver{Version: version, At: to.At, Thread: to.Thread, Agent: to.Agent, Text: Note(back), Comments: []model.ID{}}
	for _, t := range back {
		h.TakenBack = append(h.TakenBack, t.ID)
	}
	if h.ID, err = s.IDs.New(); err != nil {
		return nil, err
	}
	record := filepath.Join(toldName, string(h.ID)+".json")
	if err := s.makeTold(); err != nil {
		return nil, model.Failf(err, "what the agent is told cannot be entered")
	}
	if err := s.replace(record, h); err != nil {
		return nil, err
	}
	if err := say(h); err != nil {
		durable.Point("comments.tellback.remove")
		return nil, model.Failf(errors.Join(err, os.Remove(s.path(record))), "the agent could not be told")
	}
	h.Told = &to
	s.Trace.Record(trace.Event{Event: trace.AgentTold, Thread: to.Thread, Turn: to.Turn, ID: h.ID,
		Detail: map[string]any{"agent": to.Agent, "comments": h.Comments, "taken_back": h.TakenBack, "bytes": len(h.Text)}})
	return &h, s.replace(record, h)
}
