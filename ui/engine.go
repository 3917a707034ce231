package ui

import (
	"context"
	"io"
	"time"

	"overturn/model"
	"overturn/ui/view"
)

// Engine is all that the review asks for. Calls run in jobs, never in the event
// loop; several may run at once, and each obeys its ctx. Errors are *model.Error
// where a user can do something about them.
type Engine interface {
	// Overview tells of the newest turns, at most so many.
	Overview(ctx context.Context, turns int) (*view.Overview, error)
	// Compare lists the files of a scope quickly: from trees and stat data alone.
	Compare(ctx context.Context, scope model.Scope) (*view.Comparison, error)
	// Summaries counts lines and finds owners for some files of cmp, by index. Cmp,
	// here and below, is the very one that Compare returned.
	Summaries(ctx context.Context, cmp *view.Comparison, indexes []int) ([]view.Summary, error)
	Document(ctx context.Context, cmp *view.Comparison, index int, o DocumentOptions) (*view.Document, error)
	Card(ctx context.Context, turn int) (*view.Card, error)

	// Stage and Unstage return the staged set as it is afterwards.
	Stage(ctx context.Context, r StageRequest) ([]view.Staged, error)
	Unstage(ctx context.Context, paths []model.Path) ([]view.Staged, error)
	Plan(ctx context.Context) (*model.Plan, error)
	// Execute carries out the staged set as long as its fingerprint is expect.
	// Progress is called now and then; it must not be kept.
	Execute(ctx context.Context, expect string, progress func(done, of int)) (*model.Result, error)

	// Declined tells that plan was shown, its confirmation asked for, and not given.
	Declined(plan *model.Plan)

	History(ctx context.Context) ([]model.HistoryEntry, error)
	HistoryPatch(ctx context.Context, id model.ID) ([]byte, error)
	Undo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error)
	Redo(ctx context.Context, progress func(done, of int)) (*model.Result, error)

	// Tidy does what can wait until nobody does. quiet tells for how long no key was
	// pressed; it may be called from any goroutine.
	Tidy(ctx context.Context, quiet func() time.Duration) error

	// Watch blocks until the records, the staged set, HEAD or the history moved
	// since the call before, or ctx ends. It does not poll. A nil error means
	// that something is new.
	Watch(ctx context.Context) error
	// Editor makes the command that opens path at line (from 1), not started yet.
	// Foreground tells that it needs the terminal.
	Editor(path model.Path, line int) (cmd Command, foreground bool, err error)
}

// DocumentOptions says how two contents are compared.
type DocumentOptions struct {
	IgnoreSpace bool
}

// StageRequest names what to take back of a scope. No Hunks and no Lines: the
// whole files. Named says that the paths are files chosen one by one, so that
// what the user owns in them is meant too; without it a path may be a folder,
// for all that the scope changed below it ("" is the root).
type StageRequest struct {
	Scope model.Scope
	Paths []model.Path
	Named bool
	Hunks []int // exact numbers; with one path
	Lines []view.LineRange
}

// Command is a program that is ready to run.
type Command interface {
	Run() error
	SetStdin(io.Reader)
	SetStdout(io.Writer)
	SetStderr(io.Writer)
}
