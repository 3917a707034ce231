package rollback

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// finish makes the swaps durable, reads every target back and reports.
func (r *run) finish(ctx context.Context) (*model.Result, error) {
	if err := r.settleDisk(); err != nil {
		return r.halfway(err)
	}
	if err := r.log.Mark(journal.Record{Type: journal.TypeApplied, At: r.e.Clock().UTC()}); err != nil {
		return r.halfway(err)
	}
	durable.Point(r.t.kind + ".applied")
	result := r.report()
	if err := r.readBack(result); err != nil {
		return r.halfway(err)
	}
	if err := r.late(); err != nil {
		return r.halfway(err)
	}
	result.Kept = append(result.Kept, r.notes...)
	if r.p.Revert != nil {
		if err := r.beyond(ctx, result); err != nil {
			return r.cutShort(result, err)
		}
	}
	if err := r.log.End(journal.Record{Type: journal.TypeDone, At: r.e.Clock().UTC(), Result: result}); err != nil {
		return r.halfway(err)
	}
	durable.Point(r.t.kind + ".verified")
	note := ""
	if err := r.pruned(); err != nil { // the rollback is none the less done
		note = "old copies were not tidied up: " + err.Error()
	}
	r.e.told(ctx, r.t, result, note)
	return result, nil
}

// settleDisk takes displaced files and empty folders out of the work tree and
// syncs the names.
func (r *run) settleDisk() error {
	for _, s := range r.steps {
		if err := r.batch.Keep(s); err != nil {
			return err
		}
	}
	durable.Point(r.t.kind + ".kept")
	gone, err := r.e.Tree.RemoveEmptyDirs(folderPaths(r.p.Remove))
	if err != nil {
		return err
	}
	if gone = append(r.batch.Gone(), gone...); len(gone) > 0 {
		var folders []journal.Folder
		for _, f := range gone {
			folders = append(folders, journal.Folder{Path: f.Path, Perm: f.Perm})
		}
		if err := r.log.Mark(journal.Record{Type: journal.TypeRemoved, Folders: folders}); err != nil {
			return err
		}
	}
	return r.batch.SyncFolders(r.steps, append(folderPaths(r.p.Make), folderPaths(r.p.Remove)...))
}

// halfway: what was to be done stands in the work tree, but it could not be
// recorded as done. The journal stays open and Recover settles it.
func (r *run) halfway(err error) (*model.Result, error) {
	return nil, errors.Join(partly(err, "rollback %s was carried out but not settled", r.p.ID).
		WithHint("`overturn recover --finish` settles it"), r.log.Close())
}

// partly is a failure behind which not all is as before: of the kind that is never read
// as "nothing written", whatever its cause is.
func partly(cause error, format string, args ...any) *model.Error {
	return &model.Error{Code: model.CodePartial, Message: fmt.Sprintf(format, args...), Err: cause}
}

func (r *run) report() *model.Result {
	result := resultOf(&r.p, model.OutcomeComplete)
	for i, t := range r.p.Targets {
		switch {
		case r.steps[i].Swapped():
			countTarget(result, t.Target)
		case r.failed[i] != "":
			result.Skipped = append(result.Skipped, model.Noted{Path: t.Target.Path, Reason: r.failed[i]})
		}
	}
	if r.t.kind == journal.KindUndo {
		result.Outcome = model.OutcomeUndone
	}
	if len(result.Skipped) > 0 {
		result.Outcome = model.OutcomePartial
	}
	result.Undo = undoCommand(r.p.ID)
	return result
}

// readBack fills in post states; a target that is not as it was left was changed
// by someone else since, which the report says.
func (r *run) readBack(result *model.Result) error {
	result.Verified = true
	states := make([]model.FileState, len(r.steps))
	err := several(len(r.steps), func(i int) (err error) {
		if r.steps[i].Swapped() {
			states[i], err = r.e.present(r.steps[i].Path, r.p.Targets)
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, s := range r.steps {
		if !s.Swapped() {
			continue
		}
		found := states[i]
		result.Post = append(result.Post, model.Post{Path: s.Path, Kind: found.Kind, Mode: found.Mode, SHA256: found.SHA256})
		if found != s.To {
			result.Verified = false
			result.Outcome = model.OutcomePartial
			result.Skipped = append(result.Skipped, model.Noted{Path: s.Path, Reason: "changed again by another process"})
		}
	}
	return nil
}

// lateWrites looks at the kept files for the last time: one that a program still had
// open and wrote to is named, since that save is not in the work tree.
func lateWrites(batch *restore.Batch, folder string) ([]model.Noted, error) {
	files := batch.Shelved()
	if len(files) == 0 {
		return nil, nil
	}
	shelf, err := restore.OpenShelf(folder)
	if err != nil {
		return nil, err
	}
	defer shelf.Close()
	written := make([]bool, len(files))
	err = several(len(files), func(i int) error {
		same, err := shelf.Holds(filepath.Base(files[i].Name), files[i].Left)
		written[i] = !same
		return err
	})
	var notes []model.Noted
	for i, f := range files {
		if written[i] {
			notes = append(notes, model.Noted{Path: f.Path, Reason: "another program went on writing to a file that was taken away from there; what it wrote is kept in " + f.Name})
		}
	}
	return notes, err
}

func (r *run) late() error {
	notes, err := lateWrites(r.batch, r.e.keptFolder(r.p.ID))
	r.notes = append(r.notes, notes...)
	return err
}

// unwind puts back what was done and closes the journal with the cause.
func (r *run) unwind(ctx context.Context, cause error) (*model.Result, error) {
	var errs []error
	if r.indexed {
		_, err := r.e.moveIndex(ctx, reversed(r.p.Index))
		errs = append(errs, err)
	}
	for i := len(r.order) - 1; i >= 0; i-- {
		errs = append(errs, r.putBack(r.order[i]))
	}
	_, err := r.e.Tree.RemoveEmptyDirs(folderPaths(r.p.Make))
	errs = append(errs, err, r.batch.SyncFolders(r.steps, nil), r.late())
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(partly(err, "rollback %s failed and could not be unwound whole", r.p.ID).
			WithHint("`overturn recover --unwind` tries again"), cause, r.log.Close())
	}
	outcome, reason := r.why(cause)
	result := resultOf(&r.p, outcome)
	result.Reverted = nil
	result.Kept = append(result.Kept, r.notes...)
	var differs *restore.Differs
	if errors.As(cause, &differs) {
		result.Skipped = append(result.Skipped, model.Noted{Path: differs.Path, Reason: differs.Reason})
	}
	if err := r.log.End(journal.Record{Type: journal.TypeDone, At: r.e.Clock().UTC(), Result: result}); err != nil {
		return nil, err
	}
	r.e.told(ctx, r.t, result, cause.Error())
	return result, reason
}

// putBack unwinds one step. A path that someone changed since stays as it is.
func (r *run) putBack(s *restore.Step) error {
	if s.Swapped() {
		err := r.batch.Back(s)
		var differs *restore.Differs
		if errors.As(err, &differs) {
			r.notes = append(r.notes, model.Noted{Path: s.Path, Reason: differs.Reason + "; it stays as it is"})
			r.noteKept(s.Path, differs.Kept)
			err = nil
		}
		if err != nil {
			return err
		}
		if err := r.log.Mark(journal.Record{Type: journal.TypeBack, N: s.N}); err != nil {
			return err
		}
	}
	kept, err := r.batch.Discard(s)
	if kept != "" {
		r.noteKept(s.Path, []string{kept})
	}
	return err
}

// why is how an unwound run is reported.
func (r *run) why(cause error) (model.Outcome, error) {
	var differs *restore.Differs
	switch {
	case errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded):
		return model.OutcomeCancelled, &model.Error{Code: model.CodeCancelled, Message: "cancelled; what was done was put back", Err: cause}
	case errors.As(cause, &differs):
		r.noteKept(differs.Path, differs.Kept)
		return model.OutcomeStale, (&model.Error{Code: model.CodeStale, Message: "the work tree changed while it was being rolled back; everything was put back", Err: cause}).
			WithHint("review the plan again")
	}
	return model.OutcomeRefused, model.Failf(cause, "the rollback failed; everything was put back")
}
