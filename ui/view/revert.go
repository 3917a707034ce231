package view

import "overturn/model"

// Revert is what taking a thread back to the end of a turn would do. Refused is why it
// cannot be done now, nil where it can.
type Revert struct {
	Plan         *model.Plan
	Thread       model.ThreadID
	To, Latest   int
	Conversation model.Conversation
	Refused      error
}

// Turns is how many turns would leave the thread.
func (r *Revert) Turns() int { return r.Latest - r.To }
