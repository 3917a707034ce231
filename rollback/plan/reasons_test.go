package plan

import (
	"fmt"
	"strings"
	"testing"

	"overturn/model"
)

// TestReasonNamesTheLines: a conflict says where, as people count lines, and not
// without end.
func TestReasonNamesTheLines(t *testing.T) {
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", i+1)
	}
	text := func(edits map[int]string) Version {
		var b strings.Builder
		for i, line := range lines {
			if edit, ok := edits[i+1]; ok {
				line = edit
			}
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
		return file("644", b.String())
	}
	for _, c := range []struct {
		last, now map[int]string
		want      string
	}{
		{map[int]string{5: "A"}, map[int]string{5: "U"}, "edited since where the scope changed it: line 5"},
		{map[int]string{5: "A", 6: "B"}, map[int]string{5: "U", 6: "V"}, "edited since where the scope changed it: lines 5-6"},
		{map[int]string{5: "A"}, map[int]string{5: ""}, "edited since where the scope changed it: behind line 4"},
		{map[int]string{5: "A", 15: "A", 25: "A"}, map[int]string{5: "U", 15: "U", 25: "U"}, "edited since where the scope changed it: line 5, line 15, line 25"},
		{map[int]string{5: "A", 15: "A", 25: "A", 35: "A", 45: "A"}, map[int]string{5: "U", 15: "U", 25: "U", 35: "U", 45: "U"},
			"edited since where the scope changed it: line 5, line 15, line 25, and 2 more"},
	} {
		o := Work(Item{Method: model.TakeOut, First: text(nil), Last: text(c.last), Present: text(c.now), Chosen: Chosen{Whole: true}})
		if o.Verdict != model.VerdictConflict || o.Reason != c.want {
			t.Errorf("%s: %q, want %q", o.Verdict, o.Reason, c.want)
		}
	}
}
