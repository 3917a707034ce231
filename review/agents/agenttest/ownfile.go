package agenttest

import (
	"bytes"
	"testing"

	"overturn/review/agents"
)

// OwnFile runs the contract of putting hooks in place for an agent that reads a
// file of ours: made, removed with the folder that was made for it, and never
// laid over a file of the same name that is somebody else's.
func OwnFile(t *testing.T, a agents.Agent) {
	in, ok := a.(agents.Installer)
	if !ok {
		t.Fatalf("%s is no installer", a.Name())
	}
	command := agents.HookCommand("/opt/my tools/overturn", a.Name(), true)
	if h := Host(t, nil); in.Found(h) {
		t.Error("found on a machine that has nothing")
	}
	for i := range in.Files(Host(t, nil)) {
		s := in.Files(Host(t, nil))[i] // a machine of its own
		t.Run(string(s.Where), func(t *testing.T) {
			fresh(t, in, s, command)
			broken(t, in, s, command)
			for _, foreign := range []string{"{}", "export const Mine = 1\n", `{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"say done"}]}}`} {
				put(t, s.Path, []byte(foreign), 0o644)
				if _, err := agents.Enable(in, s, command); err == nil {
					t.Errorf("enable laid over %q", foreign)
				}
				if _, err := agents.Disable(in, s); err == nil {
					t.Errorf("disable took %q", foreign)
				}
				if !bytes.Equal(read(t, s.Path), []byte(foreign)) {
					t.Errorf("%q was changed", foreign)
				}
			}
		})
	}
}
