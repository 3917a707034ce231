package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

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
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
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
	cmd.MarkFlagsMutuallyExclusive("patch", "stat", "name-status")
	return cmd
}

// diff prints the comparison of a scope, of the files at or below the given paths.
func (e *engines) diff(ctx context.Context, scope model.Scope, below []model.Path, o diffOptions) error {
	cs, err := e.reading().Compare(ctx, scope)
	if err != nil {
		return err
	}
	files, err := filesBelow(cs.Files, below)
	if err != nil {
		return err
	}
	if e.app.json {
		return e.diffJSON(ctx, cs, files)
	}
	out := bufio.NewWriter(e.app.stdout)
	hidden, err := e.diffText(ctx, out, cs, files, below, o)
	if err == nil {
		err = flush(out)
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
		if files, err = e.reading().Renames(ctx, cs); err != nil {
			return 0, err
		}
	}
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
		if err != nil {
			return hidden, err
		}
		hidden += n
	}
	return hidden, nil
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

// diffHunk is a hunk in overturn.diff/1.
type diffHunk struct {
	ID       int         `json:"id"`
	Header   string      `json:"header"`
	OldStart int         `json:"old_start"`
	OldLines int         `json:"old_lines"`
	NewStart int         `json:"new_start"`
	NewLines int         `json:"new_lines"`
	Owner    model.Owner `json:"owner"`
	Turns    []int       `json:"turns"`
}

// diffFile is FILE with its hunks; ModeOwner is set where the mode changed.
type diffFile struct {
	model.FileChange
	Hunks       []diffHunk
	ModeOwner   model.Owner
	Committed   bool
	Uncommitted bool
}

// MarshalJSON puts the hunks among the members of FILE.
func (f diffFile) MarshalJSON() ([]byte, error) {
	return joinJSON(f.FileChange, struct {
		Hunks       []diffHunk  `json:"hunks"`
		ModeOwner   model.Owner `json:"mode_owner,omitempty"`
		Committed   bool        `json:"committed"`
		Uncommitted bool        `json:"uncommitted"`
	}{model.NotNil(f.Hunks), f.ModeOwner, f.Committed, f.Uncommitted})
}

// diffWire is overturn.diff/1: hunks and counts are exact, whatever a view hides.
type diffWire struct {
	Scope   string        `json:"scope"`
	Thread  string        `json:"thread"`
	Base    diffSide      `json:"base"`
	Target  diffSide      `json:"target"`
	Files   []diffFile    `json:"files"`
	Hidden  model.Paths   `json:"hidden_whitespace_only"`
	LeftOut []model.Noted `json:"left_out"`
}

type diffSide struct {
	Label  string `json:"label"`
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
	Tree   string `json:"tree"`
}

func (e *engines) diffJSON(ctx context.Context, cs *review.ChangeSet, files []*review.File) error {
	side := func(s review.Side) diffSide { return diffSide{s.Label, s.Ref, s.Commit, s.Tree} }
	wire := diffWire{
		Scope: cs.Scope.String(), Thread: string(cs.Thread), Base: side(cs.Base), Target: side(cs.Target),
		Files: []diffFile{}, LeftOut: model.NotNil(cs.LeftOut),
	}
	hidden, err := e.reading().HiddenSpace(ctx, cs, nil)
	if err != nil {
		return err
	}
	shown := map[model.Path]bool{}
	for _, f := range files {
		shown[f.Path] = true
		file, err := e.diffFile(ctx, cs, f)
		if err != nil {
			return err
		}
		wire.Files = append(wire.Files, file)
	}
	for _, p := range hidden {
		if shown[p] {
			wire.Hidden = append(wire.Hidden, p)
		}
	}
	return e.app.emit("overturn.diff/1", wire, nil)
}

func (e *engines) diffFile(ctx context.Context, cs *review.ChangeSet, f *review.File) (diffFile, error) {
	row, err := e.reading().Row(ctx, cs, f)
	if err != nil {
		return diffFile{}, err
	}
	out := diffFile{FileChange: row, Committed: f.Committed, Uncommitted: f.Uncommitted}
	owners, err := e.reading().Owners(ctx, cs, f)
	if err != nil {
		return diffFile{}, err
	}
	by := map[int]review.HunkOwner{}
	for _, h := range owners.Hunks {
		by[h.Number] = h
	}
	if mode, ok := by[0]; ok {
		out.ModeOwner = mode.Owner
	}
	d, err := e.reading().Diff(ctx, cs, f, patch.Options{})
	if err != nil || d == nil {
		return out, err
	}
	for _, h := range d.Exact() {
		out.Hunks = append(out.Hunks, diffHunk{
			h.Number, strings.TrimSuffix(d.Header(h), "\n"), h.OldStart, h.OldLines, h.NewStart, h.NewLines,
			by[h.Number].Owner, model.NotNil(by[h.Number].Turns),
		})
	}
	return out, nil
}
