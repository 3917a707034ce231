package cli

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// stands is the state of a file of that text and mode.
func stands(text, mode string) model.FileState {
	if mode == "" {
		return model.Absent()
	}
	return model.FileState{Kind: model.KindFile, Mode: mode, Size: int64(len(text)), SHA256: "sha of " + text}
}

// planOf is a plan of one verdict whose targets would become "back\n", held by s.
func planOf(s *screen, fingerprint string, texts map[model.Path][3]string) *model.Plan {
	plan, prepared := &model.Plan{Fingerprint: fingerprint}, &rollback.Prepared{}
	for _, path := range []model.Path{"a", "b", "c", "d", "e"} {
		text, ok := texts[path]
		if !ok {
			continue
		}
		t := model.Target{Path: path, Op: model.OpWrite, Verdict: model.Verdict(text[2]), From: stands(text[0], text[1]), To: stands("back\n", "100644")}
		plan.Targets = append(plan.Targets, t)
		prepared.Targets = append(prepared.Targets, rollback.PreparedTarget{Target: t, Before: []byte(text[0]), After: []byte("back\n")})
	}
	s.holdPlan(plan, prepared)
	return plan
}

func TestDriftOfAPlan(t *testing.T) {
	s := &screen{}
	const file = "100644"
	reviewed := planOf(s, "one", map[model.Path][3]string{
		"a": {"1\n2\n3\n", file, "clean"}, "b": {"same\n", file, "clean"}, "c": {"1\n", file, "clean"}, "d": {"1\n", file, "merged"},
	})
	now := planOf(s, "two", map[model.Path][3]string{
		"a": {"1\ntwo\n3\n", file, "conflict"}, "b": {"same\n", file, "clean"}, "c": {"1\n", "100755", "clean"}, "e": {"new\n", file, "clean"},
	})
	list, err := s.Drift(context.Background(), reviewed, now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, fmt.Sprintf("%s: %s %q", d.Path, d.Words, d.Lines))
	}
	want := `a: was edited, clean → conflict ["@@ -1,3 +1,3 @@" "-2" "+two"]
c: mode 100644 → 100755 []
e: is in the plan now []
d: is not in the plan any more []`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}

	// A path of which all changed shows the beginning, and says how much more there is.
	long := func(word string) [3]string { return [3]string{strings.Repeat(word+"\n", 100), file, "clean"} }
	list, err = s.Drift(context.Background(), planOf(s, "three", map[model.Path][3]string{"a": long("x")}), planOf(s, "four", map[model.Path][3]string{"a": long("y")}))
	if err != nil || len(list) != 1 || len(list[0].Lines) != driftLines || list[0].Cut != 201-driftLines {
		t.Errorf("%+v, %v", list, err)
	}

	// Of a plan that is not held any more the words are known, and no lines.
	list, err = s.Drift(context.Background(), reviewed, now)
	if err != nil || len(list) != 4 || list[0].Words != "was edited, clean → conflict" || list[0].Lines != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestResultOfAPlan(t *testing.T) {
	s := &screen{}
	plan := planOf(s, "one", map[model.Path][3]string{
		"a": {"1\nback\n", "100644", "clean"}, "b": {"", "", "clean"}, "c": {"x\x00", "100644", "clean"}, "d": {"1\n", "100755", "conflict"},
	})
	for path, want := range map[model.Path]string{
		"a": "modified [] 1 hunks 2 → 1 lines",
		"b": "added [would be made: file, mode 100644] 1 hunks 0 → 1 lines",
		"c": "modified [binary, 2 → 5 bytes (+3)] 0 hunks 0 → 0 lines",
		"d": "modified [conflict, it stays as it is: ] 1 hunks 1 → 1 lines",
	} {
		doc, err := s.Result(context.Background(), plan, path)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s %v %d hunks %d → %d lines", doc.File.Change, doc.Header, len(doc.Hunks), doc.Old.Lines(), doc.New.Lines()); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
