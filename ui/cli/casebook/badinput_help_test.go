//go:build linux || darwin

package casebook_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// fed runs overturn with text on standard input.
func (b *book) fed(stdin string, args ...string) said {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, clitest.Bin(), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		// The rest of a payload that is not read to its end cannot be written.
		if cmd.ProcessState == nil || !strings.Contains(err.Error(), "broken pipe") {
			b.t.Fatalf("overturn %s: %v", strings.Join(args, " "), err)
		}
	}
	return said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// newUnchecked is newReviewed without the check at the end, to be damaged.
func newUnchecked(t *testing.T) *book {
	b := openBook(t, gittest.Unchecked())
	b.Write("a", "one\n")
	b.Write("sub/b", "three\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("a", "two\n")
		b.Write("sub/b", "four\n")
	})
	return b
}
