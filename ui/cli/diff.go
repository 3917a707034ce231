package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review"
	"overturn/review/patch"
)

// diffOptions is what the diff verb was asked for.
type diffOptions struct {
	stat, nameStatus, exact bool
	thread                  string
}

func newDiff(a *app) *cobra.Command {
	var o diffOptions
	var asPatch bool
	cmd := &cobra.Command{
		Use:   "diff [SCOPE] [-- PATH…]",
		Short: "Print a comparison; white space is ignored unless --exact",
		Long: `Print a comparison; white space is ignored unless --exact. Without SCOPE it is
the latest turn, or the working tree where nothing is recorded.

` + scopeHelp + "\n\n" + pathHelp,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf(cmd.Flags(), "patch", "stat", "name-status"); err != nil {
				return err
			}
			scope, paths, err := scopeAndPaths(cmd, args, "latest")
			if err != nil {
				return err
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			if before, _ := splitDash(cmd, args); len(before) == 0 && o.thread == "" {
				if scope, err = e.opening(cmd.Context()); err != nil {
					return err
				}
			}
			scope.Thread = model.ThreadID(o.thread)
			below, err := a.rootPaths(e.repo, paths)
			if err != nil {
				return err
			}
			return e.diff(cmd.Context(), scope, below, o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asPatch, "patch", false, "print a patch (the default)")
	flags.BoolVar(&o.stat, "stat", false, "print changed lines per file")
	flags.BoolVar(&o.nameStatus, "name-status", false, "print the kind of change per file")
	flags.BoolVar(&o.exact, "exact", false, "show changes of white space too")
	flags.StringVar(&o.thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	return cmd
}

// diff prints the comparison of a scope, of the files at or below the given paths.
func (e *engines) diff(ctx context.Context, scope model.Scope, below []model.Path, o diffOptions) error {
	cs, err := e.reading().Compare(ctx, scope)
	if err != nil {
		return err
	}
	if len(below) == 0 {
		e.seen(ctx, cs.Scope)
	}
	files, err := filesBelow(cs.Files, below)
	if err != nil {
		return err
	}
	if e.app.json {
		return e.diffJSON(ctx, cs, files)
	}
	out := bufio.NewWriter(e.app.patches())
	hidden, err := e.diffText(ctx, out, cs, files, below, o)
	if err == nil || model.CodeOf(err) == model.CodePartial {
		err = errors.Join(err, flush(out))
	}
	if err != nil {
		return err
	}
	if hidden > 0 {
		e.app.say("%s with changes of white space alone not shown; use --exact", count(hidden, "hunk"))
	}
	for _, n := range cs.LeftOut {
		e.app.say("left out: %s (%s)", patch.Quote(n.Path), safe(n.Reason))
	}
	return nil
}

// opening is the scope that is shown when none is named: the latest turn when there
// is one, else the working tree.
func (e *engines) opening(ctx context.Context) (model.Scope, error) {
	thread, err := e.newestThread(ctx)
	if thread == "" {
		return model.Scope{Kind: model.ScopeWorking}, err
	}
	return model.Scope{Kind: model.ScopeLatest}, err
}

// filesBelow picks the files at or below the paths; a path that picks none is
// wrong use.
func filesBelow(files []*review.File, below []model.Path) ([]*review.File, error) {
	if len(below) == 0 {
		return files, nil
	}
	hit := make([]bool, len(below))
	var picked []*review.File
	for _, f := range files {
		in := false
		for i, p := range below {
			if f.Path.Under(p) {
				hit[i], in = true, true
			}
		}
		if in {
			picked = append(picked, f)
		}
	}
	for i, p := range below {
		if !hit[i] && p != "" {
			return nil, model.Usagef("the scope did not change %s", patch.Quote(p)).WithHint("overturn diff SCOPE --name-status lists what it changed")
		}
	}
	return picked, nil
}

// diffText prints files and returns how many hunks it hid.
func (e *engines) diffText(ctx context.Context, out *bufio.Writer, cs *review.ChangeSet, files []*review.File, below []model.Path, o diffOptions) (hidden int, err error) {
	if len(below) == 0 {
		if files, err = e.renames(ctx, cs); err != nil {
			return 0, err
		}
	}
	var lost []string
	for _, f := range files {
		n := 0
		switch {
		case o.nameStatus:
			fmt.Fprintf(out, "%-8s %s\n", f.Change, shownName(f))
		case o.stat:
			err = e.statLine(ctx, out, cs, f)
		default:
			n, err = e.patchOf(ctx, out, cs, f, patch.Options{IgnoreSpace: !o.exact})
		}
		if err != nil && ctx.Err() == nil {
			lost, err = append(lost, patch.Quote(f.Path)), e.cannotShow(err)
		}
		if err != nil {
			return hidden, err
		}
		hidden += n
	}
	return hidden, partOf(lost, len(files), cs.Plain)
}

func shownName(f *review.File) string {
	if f.OldPath != "" {
		return patch.Quote(f.OldPath) + " -> " + patch.Quote(f.Path)
	}
	return patch.Quote(f.Path)
}

func (e *engines) statLine(ctx context.Context, out *bufio.Writer, cs *review.ChangeSet, f *review.File) error {
	row, err := e.reading().Row(ctx, cs, f)
	if err == nil {
		fmt.Fprintf(out, "%-8s %-7s %-14s %s\n", row.Change, row.Owner, lineCounts(row), shownName(f))
	}
	return err
}

// patchOf prints one file as git does, with its foreign text as it is: a patch is
// for programs. It returns the number of hunks it hid.
func (e *engines) patchOf(ctx context.Context, out *bufio.Writer, cs *review.ChangeSet, f *review.File, o patch.Options) (int, error) {
	d, err := e.reading().Diff(ctx, cs, f, o)
	if err != nil {
		return 0, err
	}
	if d != nil && len(d.Hunks) == 0 && d.HiddenSpace > 0 && f.Change == model.Modified {
		return d.HiddenSpace, nil
	}
	header := patch.FileHeader{
		Path: f.Path, OldPath: f.OldPath,
		OldMode: gitMode(f.Old), NewMode: gitMode(f.New),
		OldID: f.Old.OID, NewID: f.New.OID, Similarity: f.Similarity, Binary: d == nil,
	}
	if d == nil {
		return 0, patch.Unified(out, header, nil)
	}
	return d.HiddenSpace, patch.Unified(out, header, d)
}

// gitMode is the mode that git stores for an entry, "" where nothing stands.
func gitMode(en review.Entry) string {
	return patch.GitMode(model.FileState{Kind: en.Kind, Mode: en.Mode})
}
