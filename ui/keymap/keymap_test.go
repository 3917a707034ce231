package keymap_test

import (
	"testing"

	"overturn/ui/keymap"
)

func TestInOnePlaceAKeyMeansOneThing(t *testing.T) {
	seen := map[keymap.Place]map[string]keymap.Intent{}
	intents := map[keymap.Intent]bool{}
	for _, c := range keymap.New().Commands() {
		if c.Title == "" || c.Shown == "" || len(c.Keys) == 0 {
			t.Errorf("%s: title, keys and their spelling are needed", c.Intent)
		}
		if intents[c.Intent] {
			t.Errorf("%s is in the catalogue twice", c.Intent)
		}
		intents[c.Intent] = true
		if seen[c.Place] == nil {
			seen[c.Place] = map[string]keymap.Intent{}
		}
		for _, k := range c.Keys {
			if other, ok := seen[c.Place][k]; ok {
				t.Errorf("%q means %s and %s in one place", k, other, c.Intent)
			}
			seen[c.Place][k] = c.Intent
		}
	}
}

// The keys that the outside relies on (CONTRACT, Keys).
func TestKeysOfTheContract(t *testing.T) {
	m := keymap.New()
	for k, want := range map[string]keymap.Intent{
		"1": keymap.ModeWorking, "2": keymap.ModeBranch, "3": keymap.ModeLatest, "4": keymap.ModeSelected,
		"(": keymap.TurnPrev, ")": keymap.TurnNext, "tab": keymap.PaneNext, "j": keymap.Down, "k": keymap.Up,
		"ctrl+d": keymap.HalfDown, "ctrl+u": keymap.HalfUp, "g": keymap.Top, "G": keymap.Bottom,
		"[": keymap.HunkPrev, "]": keymap.HunkNext, "alt+up": keymap.HunkPrev, "alt+down": keymap.HunkNext,
		",": keymap.FilePrev, ".": keymap.FileNext, "h": keymap.Left, "l": keymap.Right, "enter": keymap.Open,
		"/": keymap.Search, "n": keymap.SearchNext, "N": keymap.SearchPrev, "p": keymap.Pick, "s": keymap.Split,
		"w": keymap.Wrap, "W": keymap.Space, "z": keymap.Expand, "Z": keymap.Whole, "+": keymap.More, "-": keymap.Less,
		"v": keymap.Range, "e": keymap.Editor, "x": keymap.Stage, "X": keymap.StageFile, "P": keymap.Plan,
		"u": keymap.Undo, "U": keymap.Redo, "o": keymap.History, "i": keymap.Card, "t": keymap.Tree, "T": keymap.Theme,
		"R": keymap.Refresh, ":": keymap.Palette, "?": keymap.Help, "esc": keymap.Back, "q": keymap.Quit,
	} {
		if got := m.Find(k, keymap.InDiff, keymap.InReview, keymap.Everywhere); got != want {
			t.Errorf("%q means %q, want %q", k, got, want)
		}
	}
	if got := m.Find("P", keymap.InPlan, keymap.Everywhere); got != keymap.Confirm {
		t.Errorf("P in the plan means %q", got)
	}
	for _, k := range []string{"y", "Y", "enter"} {
		if got := m.Find(k, keymap.InPlan, keymap.Everywhere); got == keymap.Confirm {
			t.Errorf("%q opens the confirmation", k)
		}
	}
}
