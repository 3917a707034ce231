package plain_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"overturn/model"
	"overturn/ui/plain"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

func reverting() *uitest.Engine {
	e := uitest.Shop()
	e.Reverting = &view.Revert{Latest: 7, Base: "HEAD as it is now", Conversation: model.Conversation{Agent: "codex", Supported: true, Note: "its turns go"},
		Plan: &model.Plan{Fingerprint: "f00d", Targets: []model.Target{{Path: "a.go", Op: model.OpWrite}, {Path: "b.go", Op: model.OpWrite}}}}
	return e
}

// A thread goes back by the number of its paths, to any boundary, with its conversation or
// without.
func TestAThreadGoesBack(t *testing.T) {
	for _, c := range []struct {
		commands []string
		calls    string // "": nothing was done
		said     []string
	}{
		{[]string{"revert 5", "2"}, "revert f00d", []string{"to the end of turn 5: turns 6 to 7 leave it", "base: HEAD as it is now", "conversation of codex: its turns go", "a.go", "type 2 to take", "conversation: its turns go", "outcome: complete"}},
		{[]string{"revert 0", "2"}, "revert f00d", []string{"to before the first turn: turns 1 to 7 leave it"}},
		{[]string{"revert 6 keep", "2"}, "revert f00d-kept", []string{"turn 7 leaves it", "it stays as it is"}},
		{[]string{"revert 5", "y"}, "", []string{"cancelled, nothing was written"}},
		{[]string{"revert 7"}, "", []string{"no turn is behind 7"}},
		{[]string{"revert"}, "", []string{"needs the number of the turn"}},
		{[]string{"revert -1"}, "", []string{"needs the number of the turn"}},
		{[]string{"revert 5 kept"}, "", []string{"needs the number of the turn"}},
	} {
		e := reverting()
		out, _ := play(t, e, c.commands...)
		want(t, out, c.said...)
		if done := c.calls != ""; done != slices.Contains(e.Calls, c.calls) {
			t.Errorf("%q: calls %v, want %q", c.commands, e.Calls, c.calls)
		}
	}
	e := reverting()
	e.Reverting.Blocked = model.Refusedf("Codex has it open").WithHint("quit Codex")
	out, _ := play(t, e, "revert 5", "2")
	want(t, out, "Codex has it open", "quit Codex; or revert 5 keep")
	if slices.Contains(e.Calls, "revert f00d") {
		t.Errorf("calls %v", e.Calls)
	}
}

// Through a pipe only the fingerprint confirms.
func TestAThreadGoesBackThroughAPipe(t *testing.T) {
	for answer, done := range map[string]bool{"2": false, "f00d": true} {
		e := reverting()
		var out bytes.Buffer
		_ = plain.Run(context.Background(), plain.Options{Engine: e, Clock: uitest.Now, In: strings.NewReader("revert 5\n" + answer + "\n"), Out: &out})
		if got := slices.Contains(e.Calls, "revert f00d"); got != done {
			t.Errorf("%s: calls %v\n%s", answer, e.Calls, out.String())
		}
	}
}
