package ui

import (
	"context"
	"io"
	"time"

	"overturn/model"
	"overturn/ui/find"
	"overturn/ui/view"
)

// Engine is all that the review asks for. Calls run in jobs, never in the event
// loop; several may run at once, and each obeys its ctx. Errors are *model.Error
// where a user can do something about them.
type Engine interface {
	Answerer
	Marker
	Keeper
	Planner
	Reverter
	// Overview tells of a thread, "" for the one with the newest turn here, and of its
	// newest turns, at most so many.
	Overview(ctx context.Context, thread model.ThreadID, turns int) (*view.Overview, error)
	// Threads lists the threads that have turns, the newest first.
	Threads(ctx context.Context) ([]view.Thread, error)
	// Timeline lists turns of all threads of this work tree by time, the newest first,
	// at most so many; more says that there are others before them.
	Timeline(ctx context.Context, turns int) (list []view.Turn, more bool, err error)
	// Compare lists the files of a scope quickly: from trees and stat data alone.
	Compare(ctx context.Context, scope model.Scope) (*view.Comparison, error)
	// Summaries counts lines and what was read, and finds owners, for some files of cmp,
	// by index. Cmp, here and below, is the very one that Compare returned.
	Summaries(ctx context.Context, cmp *view.Comparison, indexes []int, o DocumentOptions) ([]view.Summary, error)
	Document(ctx context.Context, cmp *view.Comparison, index int, o DocumentOptions) (*view.Document, error)
	// Origins tells who wrote each line of a file, whatever cmp compares.
	Origins(ctx context.Context, cmp *view.Comparison, index int) (*view.Origins, error)
	// Back lists the hunks of a file of a scope of turns that are not on disk any more,
	// by their exact numbers.
	Back(ctx context.Context, cmp *view.Comparison, index int) ([]int, error)
	// Search looks for q in the lines of all files of cmp, in their order. Each takes
	// the matches of a file, as they are found, and tells whether to go on; progress is
	// called now and then. Neither may keep anything but the matches.
	Search(ctx context.Context, cmp *view.Comparison, q find.Query, each func([]view.Match) bool, progress func(done, of int)) error
	// Moves finds lines that left one place of cmp and came at another, as far as that
	// is a bounded effort.
	Moves(ctx context.Context, cmp *view.Comparison) (map[model.Path][]view.Move, error)
	// Card tells of a turn of a thread, "" for the one with the newest turn here.
	Card(ctx context.Context, thread model.ThreadID, turn int) (*view.Card, error)

	// Stage and Unstage return the staged set as it is afterwards.
	Stage(ctx context.Context, r StageRequest) ([]view.Staged, error)
	Unstage(ctx context.Context, paths []model.Path) ([]view.Staged, error)
	Plan(ctx context.Context) (*model.Plan, error)
	// Execute carries out the staged set as long as its fingerprint is the one that
	// was confirmed. Progress is called now and then; it must not be kept.
	Execute(ctx context.Context, c Confirmed, progress func(done, of int)) (*model.Result, error)

	// Wait keeps a confirmed plan until the turns that are open now have ended.
	Wait(ctx context.Context, c Confirmed) error
	// Due carries out what waits, its turns having ended; nil is that nothing waits any
	// more. Forget lets go of it.
	Due(ctx context.Context, progress func(done, of int)) (*model.Result, error)
	Forget(ctx context.Context) error

	// Declined tells that plan was shown, its confirmation asked for, and not given.
	Declined(plan *model.Plan)

	History(ctx context.Context) ([]model.HistoryEntry, error)
	HistoryPatch(ctx context.Context, id model.ID) ([]byte, error)
	Undo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error)
	Redo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error)

	// Tidy does what can wait until nobody does. quiet tells for how long no key was
	// pressed; it may be called from any goroutine.
	Tidy(ctx context.Context, quiet func() time.Duration) error

	// Watch blocks until the records, the staged set, HEAD or the history moved
	// since the call before, or ctx ends. It does not poll. A nil error means
	// that something is new.
	Watch(ctx context.Context) error
	// Editor makes the command that opens path at line (from 1), not started yet.
	// Foreground tells that it needs the terminal.
	Editor(ctx context.Context, path model.Path, line int) (cmd Command, foreground bool, err error)
}

// DocumentOptions says how two contents are compared.
type DocumentOptions struct {
	IgnoreSpace bool
}

// Confirmed is a plan as it was confirmed: its fingerprint, whether what conflicts is
// left and the rest is done, and the user's reason in a line, or "".
type Confirmed struct {
	Fingerprint string
	Partial     bool
	Why         string
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

	// Discard brings the first state of the scope back and gives up edits that were
	// made since; without it they are kept, or in the way.
	Discard bool
}

// Command is a program that is ready to run.
type Command interface {
	Run() error
	SetStdin(io.Reader)
	SetStdout(io.Writer)
	SetStderr(io.Writer)
}
