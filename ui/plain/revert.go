package plain

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/ui/view"
)

// revert takes the thread that is shown back to the end of a turn, once that was
// confirmed as on the screen.
func (s *session) revert(ctx context.Context, args string) error {
	to, keep, err := boundary(args)
	if err != nil {
		return err
	}
	r, err := s.Engine.PlanRevert(ctx, s.over.Thread, to, keep)
	switch {
	case err != nil:
		return err
	case r.Turns() == 0:
		return errNothing(fmt.Sprintf("turn is behind %d", to), "turns lists them")
	case r.Refused != nil && r.Conversation.Supported && !keep:
		hint := fmt.Sprintf("revert %d keep leaves the conversation as it is", to)
		if h := model.HintOf(r.Refused); h != "" {
			hint = h + "; or " + hint
		}
		return model.Failf(r.Refused, "the thread cannot go back now").WithHint("%s", hint)
	case r.Refused != nil:
		return r.Refused
	}
	s.revertWords(r)
	number := len(r.Plan.Targets)
	if number == 0 {
		number = r.Turns()
	}
	want := strconv.Itoa(number)
	if !s.Prompt { // nobody saw the plan: who confirms it must know it
		want = r.Plan.Fingerprint
	}
	if !s.confirmed("take the thread back", want) {
		s.Engine.Declined(r.Plan)
		return nil
	}
	result, err := s.Engine.Revert(ctx, r, func(int, int) {})
	if err != nil {
		return err
	}
	if c := result.Conversation; c != nil {
		s.say("conversation: %s", c.Note)
	}
	return s.done(ctx, result)
}

// boundary reads "N" and "N keep".
func boundary(args string) (n int, keep bool, err error) {
	words := strings.Fields(args)
	if len(words) == 2 && words[1] == "keep" {
		keep, words = true, words[:1]
	}
	if len(words) == 1 {
		n, err = strconv.Atoi(words[0])
	}
	if len(words) != 1 || err != nil || n < 0 {
		return 0, false, model.Usagef("revert needs the number of the turn that the thread goes back to the end of").
			WithHint("revert 3, or revert 3 keep; 0 is before the first turn, and turns lists them")
	}
	return n, keep, nil
}

func (s *session) revertWords(r *view.Revert) {
	leaves := fmt.Sprintf("turns %d to %d leave it", r.To+1, r.Latest)
	if r.Turns() == 1 {
		leaves = fmt.Sprintf("turn %d leaves it", r.Latest)
	}
	to := fmt.Sprintf("the end of turn %d", r.To)
	if r.To == 0 {
		to = "before the first turn"
	}
	s.say("thread %s would go back to %s: %s", view.ShortThread(r.Thread), to, leaves)
	if r.Base != "" {
		s.say("base: %s; the baseline is not there", r.Base)
	}
	s.say("conversation of %s: %s", r.Conversation.Agent, r.Conversation.Note)
	s.planWords(r.Plan)
}
