package agents_test

import (
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/review/agents"
)

func TestAlign(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	// each word is a prompt, ten minutes after the one before; _ is a gap in time
	prompts := func(words string) (list []agents.Prompt) {
		for i, w := range strings.Fields(words) {
			if w != "_" {
				list = append(list, agents.Prompt{Text: w, At: noon.Add(time.Duration(i) * 10 * time.Minute), Line: i})
			}
		}
		return list
	}
	turns := func(from int, words string) (list []agents.TalkTurn) {
		for i, w := range strings.Fields(words) {
			list = append(list, agents.TalkTurn{Number: from + i + 1, Prompt: w, StartedAt: noon.Add(time.Duration(from+i)*10*time.Minute - time.Second)})
		}
		return list
	}
	for name, c := range map[string]struct {
		prompts, keep, drop string
		first, found, more  int
		refused             bool
	}{
		"the last two":                          {"a b c d", "a b", "c d", 2, 2, 0, false},
		"all":                                   {"a b", "", "a b", 0, 2, 0, false},
		"the same words again and again":        {"go go go go", "go go", "go go", 2, 2, 0, false},
		"later ones that were not recorded":     {"a b c x y", "a b", "c", 2, 1, 2, false},
		"one in between was not recorded":       {"a b x d", "a", "b c d", 1, 2, 1, false},
		"the first never reached the agent":     {"a _ c", "a", "b c", 1, 1, 0, false},
		"the first is spelt otherwise":          {"a B c", "a", "b c", -1, 0, 0, true},
		"gone already":                          {"a", "a", "b c", -1, 0, 0, false},
		"gone already, nothing stayed":          {"", "", "a b", -1, 0, 0, false},
		"gone already, and another prompt sent": {"a _ _ _ x", "a", "b c", -1, 0, 0, false},
		"other prompts":                         {"x y", "a", "b", -1, 0, 0, true},
		"other prompts, nothing stays":          {"x y", "", "a b", -1, 0, 0, true},
	} {
		keep := turns(0, c.keep)
		a, err := agents.Align(prompts(c.prompts), keep, turns(len(keep), c.drop))
		if (err != nil) != c.refused || err != nil && model.CodeOf(err) != model.CodeRefused {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && a != (agents.Aligned{First: c.first, Found: c.found, More: c.more}) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestAlignByWords(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		prompt, turn string
		late         time.Duration
		same         bool
	}{
		{"fix it", "fix it", 0, true},
		{" fix it\n", "fix it", 0, true},
		{"fix it\n--- a.txt ---\ncontent", "fix it", 0, true},
		{"fix it now", "fix it", 0, false},
		{"fix it", "fix it now", 0, false},
		{"a long prompt, all of it", "a long prompt… (13 bytes more)", 0, true},
		{"fix it", "fix it", 3 * time.Minute, false},
		{"fix it", "fix it", -3 * time.Minute, false},
		{"", "", 0, false},
	} {
		a, _ := agents.Align([]agents.Prompt{{Text: c.prompt, At: at}}, nil, []agents.TalkTurn{{Number: 1, Prompt: c.turn, StartedAt: at.Add(-c.late)}})
		if (a.Found == 1) != c.same {
			t.Errorf("%q of %q, %v late: %+v", c.prompt, c.turn, c.late, a)
		}
	}
}
