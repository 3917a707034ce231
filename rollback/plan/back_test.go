package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback/plan"
)

func TestBack(t *testing.T) {
	text := func(change map[int]string) plan.Version {
		var b strings.Builder
		for i := 1; i <= 60; i++ {
			line, ok := change[i]
			if !ok {
				line = fmt.Sprintf("line %d", i)
			}
			b.WriteString(line + "\n")
		}
		return plan.New(model.KindFile, "100644", []byte(b.String()))
	}
	first := text(nil)
	last := text(map[int]string{5: "agent 5", 30: "agent 30", 55: "agent 55"})
	for _, c := range []struct {
		name    string
		present plan.Version
		want    string
	}{
		{"nothing", last, "[]"},
		{"all", first, "[1 2 3]"},
		{"all, with another mode", plan.New(model.KindFile, "100755", first.Content), "[1 2 3]"},
		{"one", text(map[int]string{5: "agent 5", 55: "agent 55"}), "[2]"},
		{"one, beside a later edit", text(map[int]string{5: "agent 5", 20: "user 20", 55: "agent 55"}), "[2]"},
		{"edited again", text(map[int]string{5: "agent 5", 30: "user 30", 55: "agent 55"}), "[]"},
		{"gone", plan.Absent(), "[]"},
	} {
		if got := fmt.Sprint(plan.Back(t.Context(), first, last, c.present)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	made := plan.New(model.KindFile, "100644", []byte("made\n"))
	if got := plan.Back(t.Context(), plan.Absent(), made, plan.Absent()); len(got) != 1 {
		t.Errorf("a file that was made and is gone: %v", got)
	}
	if got := plan.Back(t.Context(), made, plan.Absent(), made); len(got) != 1 {
		t.Errorf("a file that was removed and is there again: %v", got)
	}
}
