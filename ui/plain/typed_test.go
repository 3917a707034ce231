//go:build linux || darwin

package plain_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/creack/pty"

	"overturn/ui/plain"
	"overturn/ui/terminal"
	"overturn/ui/uitest"
)

// asked hands on what a review prints, and types an answer once it asks.
type asked struct {
	bytes.Buffer
	answer func()
}

func (a *asked) Write(p []byte) (int, error) {
	n, err := a.Buffer.Write(p)
	if a.answer != nil && strings.Contains(a.String(), "confirm> ") {
		a.answer()
		a.answer = nil
	}
	return n, err
}

// A confirmation that came before its question, in one paste or typed ahead, is none;
// one that comes after it counts.
func TestTypedAheadConfirmsNothing(t *testing.T) {
	for _, c := range []struct {
		answer string
		calls  int
	}{{"no", 0}, {"y", 1}} {
		e := uitest.Shop()
		user, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { user.Close(); tty.Close() })
		say := func(text string) {
			if _, err := user.WriteString(text); err != nil {
				t.Error(err)
			}
		}
		say("file 1\nstage file\nrollback\ny\n")
		out := &asked{answer: func() { say(c.answer + "\nquit\n") }}
		err = plain.Run(context.Background(), plain.Options{Engine: e, Clock: uitest.Now, In: tty, Out: out, Prompt: true, Forget: func() { terminal.ForgetTyped(tty) }})
		if err != nil {
			t.Error(err)
		}
		if len(e.Calls) != c.calls || strings.Contains(out.String(), "cancelled") != (c.calls == 0) {
			t.Errorf("answered with %s: %v, and it said\n%s", c.answer, e.Calls, out)
		}
	}
}
