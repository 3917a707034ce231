package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

// Texts that take seconds to line up are not counted: a hook has a deadline, and
// nothing stops it in there. Their turn is as good as any.
func TestLongTextsAreNotCounted(t *testing.T) {
	b := newBench(t)
	lines := func(n, step int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintln(&s, i*step%47)
		}
		return s.String()
	}
	long := lines(60_000, 1)
	b.Write("all.txt", long)
	b.Write("one.txt", long)
	b.Write("came.txt", "")
	b.Commit("long")
	b.start(th, "p1")
	b.Write("all.txt", lines(60_000, 31))
	b.Write("one.txt", strings.Replace(long, "\n46\n", "\nother\n", 1))
	b.Write("came.txt", long)
	done, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range done.Files {
		got = append(got, fmt.Sprintf("%s %d %d", f.Path, f.Additions, f.Deletions))
	}
	want(t, "status", done.Status, model.StatusReady)
	want(t, "reason", done.StatusReason, "")
	want(t, "counts", strings.Join(got, ", "), "all.txt -1 -1, came.txt 60000 0, one.txt 1 1")
}
