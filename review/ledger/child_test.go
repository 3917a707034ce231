package ledger_test

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// childTB is the part of testing.TB that a bench needs in a child process.
type childTB struct {
	testing.TB
	cleanups []func()
	code     int
}

func (c *childTB) Helper()                  {}
func (c *childTB) Context() context.Context { return context.Background() }
func (c *childTB) Cleanup(f func())         { c.cleanups = append(c.cleanups, f) }

func (c *childTB) Errorf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	c.code = 1
}

func (c *childTB) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}

func (c *childTB) done() {
	for _, f := range c.cleanups {
		f()
	}
}
