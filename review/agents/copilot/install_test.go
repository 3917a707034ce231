package copilot

import (
	"strings"
	"testing"
)

// TestWhatIsNotOursIsRefused: a file that somebody added to is neither written over nor
// taken away with what was added.
func TestWhatIsNotOursIsRefused(t *testing.T) {
	a := New()
	ours, err := a.Put(nil, "overturn hook copilot")
	if err != nil {
		t.Fatal(err)
	}
	for what, src := range map[string]string{
		"a setting":       strings.Replace(string(ours), `"version": 1,`, `"version": 1, "disableAllHooks": true,`, 1),
		"part of a hook":  strings.Replace(string(ours), `"timeoutSec": 10`, `"timeoutSec": 10, "powershell": "mine"`, 1),
		"a second object": string(ours) + "{}\n",
		"another hook":    strings.Replace(string(ours), `"bash": "overturn hook copilot sessionEnd"`, `"bash": "mine"`, 1),
	} {
		if src == string(ours) {
			t.Fatalf("%s was not added", what)
		}
		if out, err := a.Put([]byte(src), "overturn hook copilot --if-enabled"); err == nil {
			t.Errorf("%s is written over: %s", what, out)
		}
		if _, empty, err := a.Take([]byte(src)); err == nil {
			t.Errorf("%s is taken away: %t", what, empty)
		}
	}
	if _, empty, err := a.Take(ours); err != nil || !empty {
		t.Errorf("our own file: %t, %v", empty, err)
	}
}
