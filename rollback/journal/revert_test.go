package journal_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"overturn/model"
	"overturn/rollback/journal"
)

// reverts is the journal of a revert, settled up to its conversation.
func reverts(t *testing.T, revert journal.Revert) (*journal.Store, string, error) {
	t.Helper()
	s, w, name := begun(t)
	must(t, w.Close())
	must(t, os.Remove(name))
	p := prepared()
	p.Kind, p.Revert = journal.KindRevert, &revert
	w, err := s.Begin(p)
	must(t, err)
	must(t, w.Mark(journal.Record{Type: journal.TypeTalking}))
	must(t, w.Mark(journal.Record{Type: journal.TypeTalked, Talked: &journal.Talked{Conversation: model.Conversation{Note: "two turns left"}, Back: true}}))
	must(t, w.Close())
	_, err = s.Read(id)
	return s, name, err
}

func usual() journal.Revert {
	return journal.Revert{Thread: "T", Agent: "codex", To: 1, Latest: 3, Park: id, Refs: []journal.Ref{{Name: "turn/2", OID: "9"}}, Base: "HEAD"}
}

func TestARevertComesBack(t *testing.T) {
	for _, to := range []int{0, 1, 2} {
		want := usual()
		want.To = to
		s, _, err := reverts(t, want)
		must(t, err)
		e, err := s.Read(id)
		must(t, err)
		if !reflect.DeepEqual(*e.Revert, want) || !e.Talking || e.Talked == nil || !e.Talked.Back || e.Talked.Conversation.Note != "two turns left" {
			text, _ := json.Marshal(e)
			t.Errorf("to %d: it came back as %s", to, text)
		}
	}
}

// TestARevertThatCannotBe: thread and names of refs are made of these fields, so that
// what could not be a revert is damage, and no order.
func TestARevertThatCannotBe(t *testing.T) {
	for what, odd := range map[string]func(*journal.Revert){
		"a thread that is none":        func(r *journal.Revert) { r.Thread = "" },
		"a place that is none":         func(r *journal.Revert) { r.Park = "../" + id },
		"a boundary before the first":  func(r *journal.Revert) { r.To = -1 },
		"no turn behind the boundary":  func(r *journal.Revert) { r.To = r.Latest },
		"a boundary behind the newest": func(r *journal.Revert) { r.To = r.Latest + 1 },
	} {
		revert := usual()
		odd(&revert)
		_, name, err := reverts(t, revert)
		var damaged *journal.Damaged
		if !errors.As(err, &damaged) || damaged.File != name {
			t.Errorf("%s: %v", what, err)
		}
	}
}
