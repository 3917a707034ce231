package remotes_test

import (
	"errors"
	"path/filepath"
	"testing"

	"overturn/model"
)

// TestAnAddressOfTheRepositoryIsNotAsked: a repository that came from somebody names a
// place of its own making, whose hooks would run.
func TestAnAddressOfTheRepositoryIsNotAsked(t *testing.T) {
	p := newPlace(t, newRemote(t))
	trap := newRemote(t)
	hook(t, trap, "pre-receive", "echo ran >'"+filepath.Join(trap, "ran")+"'\n")
	p.deps.Remote, p.deps.Offered = trap, true
	p.again()
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	var e *model.Error
	if list, err := p.Usual(t.Context()); !errors.As(err, &e) || e.Code != model.CodeRefused || len(list) > 0 {
		t.Errorf("%v %v", list, err)
	}
	if found, err := p.Fetch(t.Context(), recordID(9)); found || err == nil {
		t.Errorf("%v %v: what was not asked is not absent", found, err)
	}
	p.approve(trap) // the user named it
	if list, err := p.Usual(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	p.deps.Remote = "origin" // a remote of the user's own is theirs to name
	p.again()
	if found, err := p.Fetch(t.Context(), recordID(9)); found || err != nil {
		t.Errorf("%v %v", found, err)
	}
}
