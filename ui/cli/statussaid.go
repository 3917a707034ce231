package cli

import (
	"bufio"
	"fmt"

	"overturn/review/comments"
)

// saidWire is what the user has to say to the agent: comments that it was not told,
// and what waits for its next prompt, or null.
type saidWire struct {
	Open    int          `json:"open"`
	Waiting *waitingWire `json:"waiting"`
	waiting *comments.HandOver
}

// said counts the comments; where they cannot be read the rest of a status stands.
func (e *engines) said() (saidWire, error) {
	var s saidWire
	store := e.comments()
	all, err := store.List()
	if err != nil {
		return s, err
	}
	for _, c := range all {
		if c.Told == nil {
			s.Open++
		}
	}
	if s.waiting, err = store.Waiting(); err == nil && s.waiting != nil {
		s.Waiting = waitingOf(*s.waiting)
	}
	return s, err
}

func (s saidWire) lines(w *bufio.Writer) {
	if s.Open > 0 {
		fmt.Fprintf(w, "%s that the agent was not told: run overturn comments\n", count(s.Open, "comment"))
	}
	if s.waiting != nil {
		fmt.Fprintln(w, waitsWords(*s.waiting))
	}
}
