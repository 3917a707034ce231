package remotes

import "testing"

// TestNoTokenIsShown: what people see, and what is kept, has no password and no query.
func TestNoTokenIsShown(t *testing.T) {
	for address, want := range map[string]string{
		"https://kay:word@host.example/x.git":                 "https://host.example/x.git",
		"https://host.example/x.git?private_token=abc&a=b":    "https://host.example/x.git",
		"https://kay:word@host.example:8443/x.git?t=abc#frag": "https://host.example:8443/x.git",
		"https://token@host.example/x.git":                    "https://host.example/x.git",
		"ssh://git@host.example:22/~x/y.git":                  "ssh://host.example:22/~x/y.git",
		"git@host.example:x/y.git":                            "git@host.example:x/y.git",
		"https://%zz:word@host.example/x?token=abc":           "https://host.example/x",
		"/srv/what?is this#.git":                              "/srv/what?is this#.git",
		"../x.git":                                            "../x.git",
	} {
		if got := bare(address); got != want {
			t.Errorf("%s is shown as %s, not %s", address, got, want)
		}
	}
	said := "fatal: unable to access 'https://kay:word@host.example/x.git?private_token=abc/': Failed to connect\nfatal: see <http://a.example/?b=c>, 3 tries"
	want := "fatal: unable to access 'https://host.example/x.git': Failed to connect; fatal: see <http://a.example/>, 3 tries"
	if got := firstWords(said); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	one, other := targetOf("x", "https://host.example/?repo=1\n"), targetOf("x", "https://host.example/?repo=2\n")
	if one.Key == other.Key {
		t.Error("two places are one")
	}
}
