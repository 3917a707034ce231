package ui_test

import (
	"errors"
	"slices"
	"testing"

	"overturn/ui/uitest"
)

// The file beside is read before it is asked for, on the side that the last step went
// to; going there makes no document but the next one.
func TestTheNextFileIsReadAhead(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 40)
	press := func(key string, want ...string) {
		t.Helper()
		e.Made = nil
		r.Press(key)
		if !slices.Equal(e.Made, want) {
			t.Errorf("%s made %q, want %q", key, e.Made, want)
		}
	}
	press("<enter>")
	press(".", "internal/client/client.go")
	press(".", "internal/client/old_retry.go")
	press(",", "internal/client/backoff.go") // nobody knew that it would turn round; the one before is binary
	press(",", "assets/logo.png")
	press("W", "assets/logo.png", "internal/client/backoff.go")
	press(".", "internal/client/client.go")
	e.Fail["document"] = errors.New("no light")
	press(".")
	r.Want("Get9")
	press(".")
	r.Want("no light")
	delete(e.Fail, "document")
	press(",", "internal/client/client.go", "internal/client/backoff.go")
}
