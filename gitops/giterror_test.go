package gitops_test

import (
	"errors"
	"testing"

	"overturn/gitops"
)

// TestAFailureNamesTheVerb: what stands before it is no verb.
func TestAFailureNamesTheVerb(t *testing.T) {
	for want, args := range map[string][]string{
		"git: killed":      nil,
		"git push: killed": {"-c", "push.gpgSign=false", "-c", "x=y", "push", "--", "-c", "z"},
		"git -c: killed":   {"-c", "x=y"},
	} {
		if got := (&gitops.GitError{Args: args, Exit: -1, Err: errors.New("killed")}).Error(); got != want {
			t.Errorf("%q is told as %q, not %q", args, got, want)
		}
	}
}
