package remotes_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/remotes"
)

// TestAddressesAreShownWithoutWhoLogsIn: also those that are no URL to the letter.
func TestAddressesAreShownWithoutWhoLogsIn(t *testing.T) {
	p := newPlace(t, newRemote(t))
	for address, want := range map[string]string{
		"https://joe:secret@host.example/x.git":     "https://host.example/x.git",
		"https://joe:se%cret@host.example/x.git":    "https://host.example/x.git",
		"https://joe:se cret@host.example:8443/x@y": "https://host.example:8443/x@y",
		"https://secret@a@host.example":             "https://host.example",
		"https://host.example/~a@b/x.git":           "https://host.example/~a@b/x.git",
		"ssh://git@host.example/x":                  "ssh://host.example/x",
		"git@host.example:x.git":                    "git@host.example:x.git",
		"../there":                                  "../there",
	} {
		at, err := p.Target(context.Background(), address)
		p.must(err)
		if at.Label() != want || at.Where != want {
			t.Errorf("%s is shown as %s, and leads to %s; want %s", address, at.Label(), at.Where, want)
		}
	}
}

// TestAFailureNamesNoPassword: neither the first one nor what follows from it.
func TestAFailureNamesNoPassword(t *testing.T) {
	p := newPlace(t, newRemote(t))
	p.deps.Remote = "http://joe:se%cret@127.0.0.1:1/x.git"
	p.again()
	for range 2 {
		_, err := p.Fetch(context.Background(), recordID(1))
		if err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%v", err)
		}
	}
}

// TestNamesWithAnEqualsSign: an address, and a remote of that name which is a mirror.
func TestNamesWithAnEqualsSign(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "a=b.git")
	p := newPlace(t, newRemote(t))
	p.must(os.Rename(p.bare, bare))
	p.tree.Git("remote", "add", "x=y", bare)
	p.tree.Git("config", "remote.x=y.mirror", "true")
	p = placeAt(t, p.tree, bare, plain{})
	for n, name := range []string{bare, "x=y"} {
		at, err := p.Target(context.Background(), name)
		p.must(err)
		p.must(p.queue.Approve(context.Background(), at.Key, at.Label()))
		p.record(recordRef(n), map[string]string{"metadata.json": "{}"})
		r, err := p.Push(context.Background(), at, remotes.PushOptions{})
		if err != nil || len(r.Pushed) != 1 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if refs := run(t, bare, "git", "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main\n"+recordRef(0)+"\n"+recordRef(1) {
		t.Errorf("the remote has\n%s", refs)
	}
}
