package diff

import (
	"strings"
	"testing"

	"overturn/themes"
)

// What happened to a hunk outlives its number, its turns and its owner, and nothing
// that is said is cut.
func TestHeaderLeavesOutWhatMattersLeast(t *testing.T) {
	words := []word{{themes.Staged, "● staged", rankState}, {themes.Good, "✓ read", rankState}, {themes.Muted, "hunk 1", rankNumber},
		{themes.Agent, "agent", rankOwner}, {themes.Warn, "turn 1 of thread other", rankTurns}}
	for _, c := range []struct {
		room  int
		want  string
		width int
	}{
		{58, "● staged, ✓ read, hunk 1, agent, turn 1 of thread other", 58},
		{57, "● staged, ✓ read, agent, turn 1 of thread other", 50},
		{49, "● staged, ✓ read, agent", 26},
		{25, "● staged, ✓ read", 19},
		{18, "● staged", 11},
		{10, "", 0},
		{-3, "", 0},
	} {
		given := append([]word{}, words...)
		fits, width := fitting(given, c.room)
		var said []string
		for _, w := range fits {
			said = append(said, w.text)
		}
		if got := strings.Join(said, ", "); got != c.want || width != c.width {
			t.Errorf("in %d cells: %q in %d, want %q in %d", c.room, got, width, c.want, c.width)
		}
	}
}
