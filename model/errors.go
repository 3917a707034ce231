package model

import (
	"errors"
	"fmt"
)

// Code says what kind of failure an error is; the command line maps it to an
// exit code in one place.
type Code string

// The kinds of failure, as CONTRACT's table of exit codes has them.
const (
	CodeFailed       Code = "failed"        // 1: nothing written
	CodeUsage        Code = "usage"         // 2
	CodePartial      Code = "partial"       // 3
	CodeStale        Code = "stale"         // 4
	CodeRefused      Code = "refused"       // 5
	CodeNoRepository Code = "no_repository" // 10: no repository, or nothing recorded
	CodeLocked       Code = "locked"        // 11
	CodeCancelled    Code = "cancelled"     // 130
)

// Error is what happened, to what, and the next step. Hint is a thing the user
// can do or type; only the command line and the status line print it.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error // the cause, or nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// WithHint returns a copy of e that names the next step.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// Errorf makes an error of the given kind.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Usagef makes an error of kind CodeUsage.
func Usagef(format string, args ...any) *Error { return Errorf(CodeUsage, format, args...) }

// Refusedf makes an error of kind CodeRefused.
func Refusedf(format string, args ...any) *Error { return Errorf(CodeRefused, format, args...) }

// Failf wraps cause with what was being done to what; its kind and hint are the
// cause's own where it has them, CodeFailed otherwise.
func Failf(cause error, format string, args ...any) *Error {
	return &Error{Code: CodeOf(cause), Message: fmt.Sprintf(format, args...), Hint: HintOf(cause), Err: cause}
}

// CodeOf is the kind of err, CodeFailed when it says none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeFailed
}

// HintOf is the next step that err names, or "".
func HintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}
