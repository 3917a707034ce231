//go:build linux || darwin

package synctest

import "testing"

// TestTheRepositoryChoosesNoDestination: a committed checkpoints.remote is a proposal;
// --yes speaks for what the user chose alone.
func TestTheRepositoryChoosesNoDestination(t *testing.T) {
	t.Parallel()
	other := newBare(t)
	p := newPlace(t, newBare(t))
	p.git("remote", "add", "upstream", other)
	for _, file := range []string{"settings.json", "settings.local.json"} {
		p.Write(".overturn/"+file, `{"checkpoints":{"primary":{"type":"git-refs"},"remote":"upstream"}}`)
	}
	p.turn("one", "b.txt", "b\n")
	p.says(p.overturn(5, "sync", "push", "--yes").stderr, "may have come with this repository", "overturn sync push upstream --yes")
	p.overturn(5, "sync", "push")
	p.bare = other
	if there := p.there(); len(there) != 0 {
		t.Errorf("the remote of the repository's choice has %v", there)
	}
	p.overturn(0, "sync", "push", "upstream", "--yes")
	p.turn("two", "b.txt", "c\n")
	p.overturn(0, "sync", "push") // agreed to once
	if there := p.there(); len(there) != 2 {
		t.Errorf("the remote has %v", there)
	}
}
