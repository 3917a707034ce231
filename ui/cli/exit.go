package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"overturn/model"
	"overturn/model/legible"
)

// exitTable is the help's copy of CONTRACT's exit codes.
const exitTable = `Exit codes: 0 done · 1 failed, nothing written · 2 wrong use · 3 done in part ·
4 stale, nothing written · 5 refused, nothing written · 10 no repository or nothing
recorded · 11 another overturn holds the lock · 130 cancelled`

// childExit is the exit code of a command that a verb ran on the user's behalf.
type childExit int

func (c childExit) Error() string { return fmt.Sprintf("the command exited with %d", int(c)) }

// exit reports err on stderr and maps it to the exit code. It is the one place
// that knows the codes.
func (a *app) exit(err error) int {
	if err == nil {
		return 0
	}
	var child childExit
	if errors.As(err, &child) {
		return int(child)
	}
	err = a.classify(err)
	a.report(err)
	switch model.CodeOf(err) {
	case model.CodeUsage:
		return 2
	case model.CodePartial:
		return 3
	case model.CodeStale:
		return 4
	case model.CodeRefused:
		return 5
	case model.CodeNoRepository:
		return 10
	case model.CodeLocked:
		return 11
	case model.CodeCancelled:
		return 130
	default:
		return 1
	}
}

// classify gives a kind to the errors that come from outside our rooms.
func (a *app) classify(err error) error {
	var known *model.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled):
		return model.Errorf(model.CodeCancelled, "cancelled")
	}
	return err
}

// nextStep is what to do about failures of the disk, which come from everywhere.
func nextStep(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "make room on that disk, then run it again"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return "see that you may read and write there, then run it again"
	case errors.Is(err, syscall.EIO):
		return "the disk may be failing: copy the repository elsewhere before anything else"
	}
	return ""
}

// withHelp gives wrong use that names no next step the one that always helps.
func withHelp(err error, verb string) error {
	var known *model.Error
	if errors.As(err, &known) && model.CodeOf(err) == model.CodeUsage && model.HintOf(err) == "" {
		return model.Usagef("%s", err.Error()).WithHint("`%s --help` says how it is called", verb)
	}
	return err
}

type errorWire struct {
	Schema  string `json:"schema"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// report writes err to stderr: what happened, to what, and the next step.
func (a *app) report(err error) {
	hint := cmp.Or(model.HintOf(err), nextStep(err))
	if a.json {
		wire, _ := json.Marshal(errorWire{"overturn.error/1", string(model.CodeOf(err)), err.Error(), hint})
		fmt.Fprintf(a.stderr, "%s\n", legible.JSON(wire))
		return
	}
	fmt.Fprintf(a.stderr, "overturn: %s\n", safe(err.Error()))
	if hint != "" {
		fmt.Fprintf(a.stderr, "  %s\n", safe(hint))
	}
}
