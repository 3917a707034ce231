package journal

import (
	"fmt"

	"overturn/model"
	"overturn/review/agents"
)

// Revert is what an entry does beside its files: the turns of a thread behind
// boundary To, of which Latest was the newest, leave it, or with Back come in again.
// Park names the entry under which their refs and their local files lie while they are
// out. Refs are those of the thread behind To when it began, as they are named in it.
type Revert struct {
	Thread model.ThreadID `json:"thread"`
	Agent  string         `json:"agent"`
	Back   bool           `json:"back"`
	To     int            `json:"to"`
	Latest int            `json:"latest"`
	Park   model.ID       `json:"park"`
	Refs   []Ref          `json:"refs"`
	Keep   bool           `json:"keep_conversation"` // the user wants it left as it is
	Base   string         `json:"base,omitempty"`    // "HEAD" where it stood for the baseline
}

// Ref is one ref of a turn, and what it holds.
type Ref struct {
	Name string `json:"name"`
	OID  string `json:"oid"`
}

// Talked is what became of the agent's conversation. Done is what the agent's adapter
// did, nil where it did nothing; Back says that this was taken back.
type Talked struct {
	Conversation model.Conversation `json:"conversation"`
	Done         *agents.TalkDone   `json:"talk,omitempty"`
	Back         bool               `json:"back,omitempty"`
}

// check refuses what could not be a revert: a journal is data, not an order.
func (r *Revert) check() error {
	if r == nil {
		return nil
	}
	if _, err := model.ParseThreadID(string(r.Thread)); err != nil {
		return err
	}
	if _, err := model.ParseID(string(r.Park)); err != nil {
		return err
	}
	if r.To < 0 || r.Latest <= r.To {
		return fmt.Errorf("turns %d to %d cannot leave a thread", r.To+1, r.Latest)
	}
	return nil
}
