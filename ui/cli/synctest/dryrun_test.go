//go:build linux || darwin

package synctest

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestADryRunShowsWhatWouldGo: what the remote has of a record is not shown again, and
// the JSON says what would be taken out, of which record and where.
func TestADryRunShowsWhatWouldGo(t *testing.T) {
	t.Parallel()
	p := newPlace(t, newBare(t))
	secret := "ghp_" + "q7Xn2LdT9vRb4KfYw8Zs1HcJ6mPa3Ge5Ui0o"
	p.turn("the first words", "b.txt", "b\n")
	p.overturn(0, "sync", "push", "--yes")
	p.overturn(0, "turn", "effect", "--thread", "T", "--domain", "network", "--summary", "asked with "+secret)
	text := p.overturn(0, "sync", "push", "--dry-run", "--show").out
	p.says(text, "file effects.json, ", "1 taken out: github-pat", "3 secrets taken out", "1 record would go to origin")
	if strings.Contains(text, "file prompt.txt") || strings.Contains(text, secret) {
		t.Errorf("what is out, or what does not go, is shown:\n%s", text)
	}
	var got struct {
		DryRun  bool `json:"dry_run"`
		Pushed  []string
		Remotes []struct {
			Findings []struct {
				Ref, Path, Rule string
				Line            int
			}
		}
	}
	if err := json.Unmarshal([]byte(p.overturn(0, "--json", "sync", "push", "--dry-run", "--show").out), &got); err != nil {
		t.Fatal(err)
	}
	if !got.DryRun || len(got.Pushed) != 1 || len(got.Remotes) != 1 || len(got.Remotes[0].Findings) != 3 { // in three files of the record
		t.Fatalf("%+v", got)
	}
	if f := got.Remotes[0].Findings[0]; f.Ref != got.Pushed[0] || f.Path != "effects.json" || f.Rule != "github-pat" || f.Line < 1 {
		t.Errorf("%+v", f)
	}
	p.git("remote", "set-url", "--push", "origin", p.bare+"/.")
	p.says(p.overturn(0, "sync", "push", "--dry-run", "--show").out, "file prompt.txt") // another place has nothing of it
	other := clone(t, p.bare)
	id := p.there()[0][strings.LastIndexByte(p.there()[0], '/')+1:]
	s := other.overturn(0, "--json", "sync", "fetch", id)
	other.says(s.out, `"remote":"origin"`, `"fetched":["`+p.there()[0]+`"]`)
}
