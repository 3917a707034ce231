package view

import "overturn/model"

// Revert is what taking a thread back to the end of a turn, 0: to before the first, would
// do. Refused is why it cannot be done now, nil where it can.
type Revert struct {
	Plan         *model.Plan
	Thread       model.ThreadID
	To, Latest   int
	Keep         bool   // the conversation stays as it is
	Base         string // what stands for a baseline that is not there, "" where it is
	Conversation model.Conversation
	Refused      error
	Blocked      error // why the conversation cannot be taken back now, where Keep was not asked for
}

// Turns is how many turns would leave the thread.
func (r *Revert) Turns() int { return r.Latest - r.To }
