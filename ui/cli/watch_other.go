//go:build !linux

package cli

import (
	"context"
	"errors"
)

// bell is not there on this system: its constructor says so.
type bell struct{}

func newBell(context.Context) (*bell, error) { return nil, errors.ErrUnsupported }

func (*bell) watch([]string) {}
func (*bell) ring() error    { return errors.ErrUnsupported }
func (*bell) close()         {}
