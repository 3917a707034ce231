//go:build linux || darwin

package rollback_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/model"
)

// TestAPlanNamesTheThreadOfItsTurns: a turn is counted in its thread, so its number
// says nothing without it: of another thread, of a user's edit inside a turn, and of a
// file that two threads wrote, where no number is told.
func TestAPlanNamesTheThreadOfItsTurns(t *testing.T) {
	w := newStaging(t)
	for _, f := range []string{"a", "b", "both", "mine"} {
		w.Write(f, "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	}
	w.Git("add", "-A")
	w.Commit("base")
	w.turn("A", func() { w.Write("a", "agent A\n"); w.Write("both", "A\n2\n3\n4\n5\n6\n7\n8\n9\n") })
	w.turn("A", func() { w.Write("a", "agent A again\n") })
	w.turn("B", func() { w.Write("b", "agent B\n"); w.Write("both", "A\n2\n3\n4\n5\n6\n7\n8\nB\n") })
	w.Write("mine", "mine\n")

	// In a turn of A, B's tools write a file.
	w.start("A", true)
	w.start("B", true)
	w.tool("B", []model.Path{"theirs"}, func() { w.Write("theirs", "agent B\n") })
	w.end("B")
	w.end("A")

	told := func(p *model.Plan) string {
		var list []string
		for _, t := range p.Targets {
			list = append(list, fmt.Sprintf("%s %s %v of %q", t.Path, t.Owner, t.Turns, t.Thread))
		}
		return strings.Join(list, "\n")
	}
	for scope, want := range map[string]string{
		"working": `a agent [1 2] of "A"
b agent [1] of "B"
both mixed [1] of ""
mine user [] of ""
theirs agent [2] of "B"`,
		"3@A": `theirs agent [2] of "B"`,
		"1@A": `a agent [1] of "A"
both agent [1] of "A"`,
	} {
		t.Run(scope, func(t *testing.T) {
			named := map[string][]string{"working": {"a", "b", "both", "mine", "theirs"}, "3@A": {"theirs"}, "1@A": {"a", "both"}}[scope]
			p := w.stage(scope, named...)
			if got := told(p); got != want {
				t.Errorf("staged:\n%s\nwant:\n%s", got, want)
			}
			again, _ := w.plan()
			if got := told(again); got != want {
				t.Errorf("planned:\n%s\nwant:\n%s", got, want)
			}
			w.unstage(named...)
		})
	}
}
