package agents

import (
	"strings"
	"time"

	"overturn/model"
)

// Prompt is one prompt of a person as a conversation's file has it.
type Prompt struct {
	Text string
	At   time.Time // zero: not told
	Line int       // where it stands in the file
}

// Aligned is where the turns to be dropped stand among the prompts.
type Aligned struct {
	First int // of prompts, -1: none of them is there
	Found int // of the turns to be dropped
	More  int // prompts from First on that were not recorded
}

// promptSlack is how far the time of a prompt in its file may lie from that of the
// hook that told of it: hooks that the agent waits for come in between.
const promptSlack = 2 * time.Minute

// Align finds turns by what was asked and when, for agents that give turns no key. It
// would rather refuse than take the wrong prompt: where the first turn is not found,
// no prompt may stand unexplained between the turns that stay and those that go.
func Align(prompts []Prompt, keep, drop []TalkTurn) (Aligned, error) {
	a := Aligned{First: -1}
	stays := -1 // the last prompt of a turn that stays
	for next, i := 0, 0; i < len(keep); i++ {
		if at := findPrompt(prompts, next, keep[i]); at >= 0 {
			stays, next = at, at+1
		}
	}
	first := true
	for next, i := stays+1, 0; i < len(drop); i++ {
		at := findPrompt(prompts, next, drop[i])
		if at < 0 {
			first = first && a.Found > 0
			continue
		}
		if a.Found++; a.First < 0 {
			a.First = at
		}
		next = at + 1
	}
	if a.First < 0 {
		if stays < 0 && len(prompts) > 0 && len(keep) > 0 || len(prompts)-1 > stays && !laterThan(prompts[stays+1:], drop) {
			return a, strange(drop[0])
		}
		return a, nil
	}
	if !first && a.First > stays+1 {
		return a, strange(drop[0])
	}
	a.More = len(prompts) - a.First - a.Found
	return a, nil
}

// laterThan tells whether all prompts were sent after the turns: the conversation went
// on without them.
func laterThan(prompts []Prompt, turns []TalkTurn) bool {
	last := turns[len(turns)-1].StartedAt
	for _, p := range prompts {
		if p.At.IsZero() || last.IsZero() || p.At.Before(last.Add(promptSlack)) {
			return false
		}
	}
	return true
}

func strange(t TalkTurn) error {
	return model.Refusedf("the prompts of the conversation are not those that overturn recorded: that of turn %d is not found", t.Number).
		WithHint("take it back in the agent itself")
}

func findPrompt(prompts []Prompt, from int, t TalkTurn) int {
	for i := from; i < len(prompts); i++ {
		if isPromptOf(prompts[i], t) {
			return i
		}
	}
	return -1
}

func isPromptOf(p Prompt, t TalkTurn) bool {
	if !p.At.IsZero() && !t.StartedAt.IsZero() {
		if d := p.At.Sub(t.StartedAt); d > promptSlack || d < -promptSlack {
			return false
		}
	}
	want, whole := recordedPrompt(t.Prompt)
	text := strings.TrimSpace(p.Text)
	return want != "" && (text == want || strings.HasPrefix(text, want) && (!whole || strings.HasPrefix(text[len(want):], "\n")))
}

// recordedPrompt is a prompt without the words that say how much of it was cut off.
func recordedPrompt(s string) (text string, whole bool) {
	if at := strings.LastIndex(s, "… ("); at >= 0 && strings.HasSuffix(s, " bytes more)") {
		return strings.TrimSpace(s[:at]), false
	}
	return strings.TrimSpace(s), true
}
