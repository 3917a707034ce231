package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
)

func newStage(a *app) *cobra.Command {
	var hunks, lines, method, thread string
	var discard bool
	cmd := &cobra.Command{
		Use:   "stage SCOPE [-- PATH…]",
		Short: "Choose paths, hunks or lines of a scope to be rolled back; nothing is written",
		Long: `Choose paths, hunks or lines of a scope to be rolled back; nothing is written.
"overturn plan" shows what a rollback would do, "overturn rollback" does it.

` + scopeHelp + "\n\n" + pathHelp + `
Without PATH it is all of the scope; what you made yourself stays unless its
file is named. Hunks count from 1 in each file, in "overturn diff SCOPE --exact".`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			named, _ := splitDash(cmd, args)
			if len(named) == 0 {
				return model.Usagef("a SCOPE is needed").WithHint("for example: overturn stage latest -- FILE")
			}
			scope, paths, err := scopeAndPaths(cmd, args, "")
			if err != nil {
				return err
			}
			scope.Thread = model.ThreadID(thread)
			request := rollback.StageRequest{Scope: scope, Method: model.Method(method), Discard: discard}
			// An empty choice is a mistake (an unset variable), never all of the file.
			if cmd.Flags().Changed("hunk") {
				if request.Hunks, err = parseHunks(hunks); err != nil {
					return err
				}
			}
			if cmd.Flags().Changed("lines") {
				if request.Lines, err = parseLines(lines); err != nil {
					return err
				}
			}
			if request.Method != model.TakeOut && request.Method != model.Restore {
				return model.Usagef("%q is not a method", method).WithHint("use take-out or restore")
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			if request.Paths, err = a.stagePaths(e.repo, paths); err != nil {
				return err
			}
			engine, err := e.writing()
			if err != nil {
				return err
			}
			before, _ := engine.Staged(cmd.Context())
			plan, err := engine.Stage(cmd.Context(), request)
			if err != nil {
				return err
			}
			a.sayWhole(before, request)
			return a.emitPlan(plan, false)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&hunks, "hunk", "", "only hunks `N[,N]...` of the exact diff; \"mode\" is the change of mode")
	flags.StringVar(&lines, "lines", "", "only lines `[-]A-B[,...]`: of the new side, with - of the old side")
	flags.StringVar(&method, "method", string(model.TakeOut), "take-out keeps later edits; restore puts the first state back")
	flags.BoolVar(&discard, "discard-edits", false, "with restore: edits that the scope did not make go too")
	flags.StringVar(&thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	return cmd
}

func newUnstage(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "unstage [PATH…]",
		Short: "Take paths out of the staged set; all of them without PATH",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			before, after := splitDash(cmd, args)
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			paths, err := a.rootPaths(e.repo, append(append([]string{}, before...), after...))
			if err != nil {
				return err
			}
			engine, err := e.writing()
			if err != nil {
				return err
			}
			plan, err := engine.Unstage(cmd.Context(), paths)
			if err != nil {
				return err
			}
			return a.emitPlan(plan, false)
		},
	}
}

func newPlan(a *app) *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Work the staged set out against the present work tree",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			engine, err := e.writing()
			if err != nil {
				return err
			}
			plan, _, err := engine.Plan(cmd.Context())
			if err != nil {
				return err
			}
			if raw && !a.json {
				_, err = a.patches().Write(plan.Patch)
				return err
			}
			return a.emitPlan(plan, true)
		},
	}
	cmd.Flags().BoolVar(&raw, "patch", false, "print the normalised patch, byte for byte what the fingerprint hashes")
	return cmd
}

// sayWhole says that hunks or lines which were named changed nothing, where the whole
// file was staged before.
func (a *app) sayWhole(before []model.StagedPath, request rollback.StageRequest) {
	if len(request.Hunks) == 0 && len(request.Lines) == 0 {
		return
	}
	for _, s := range before {
		if len(s.Hunks) == 0 && s.Lines == "" && slices.ContainsFunc(request.Paths, func(p rollback.PathArg) bool { return p.Path == s.Path }) {
			a.say("%s was staged whole and stays so; to choose parts, first: overturn unstage %s", patch.Quote(s.Path), safe(model.ShellWord(":/"+string(s.Path))))
		}
	}
}

// parseHunks reads --hunk.
func parseHunks(s string) ([]int, error) {
	var hunks []int
	for _, part := range strings.Split(s, ",") {
		if part == "mode" {
			hunks = append(hunks, rollback.ModeHunk)
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, model.Usagef("%q is not a hunk: a number from 1, or mode", part)
		}
		hunks = append(hunks, n)
	}
	return hunks, nil
}

// parseLines reads --lines.
func parseLines(s string) ([]rollback.LineRange, error) {
	var ranges []rollback.LineRange
	for _, part := range strings.Split(s, ",") {
		r := rollback.LineRange{}
		rest, old := strings.CutPrefix(part, "-")
		r.Old = old
		from, to, span := strings.Cut(rest, "-")
		if !span {
			to = from
		}
		var errFrom, errTo error
		r.From, errFrom = strconv.Atoi(from)
		r.To, errTo = strconv.Atoi(to)
		if errFrom != nil || errTo != nil || r.From < 1 || r.To < r.From {
			return nil, model.Usagef("%q is not a range of lines", part).WithHint("use A-B for lines of the new side, -A-B for lines of the old side")
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}

// stagePaths reads the PATHs of stage; one with a trailing slash, or the root, is
// a folder.
func (a *app) stagePaths(repo *gitops.Repo, args []string) ([]rollback.PathArg, error) {
	paths, err := a.rootPaths(repo, args)
	if err != nil {
		return nil, err
	}
	list := make([]rollback.PathArg, len(paths))
	for i, p := range paths {
		list[i] = rollback.PathArg{Path: p, Folder: p == "" || strings.HasSuffix(args[i], "/")}
	}
	return list, nil
}
