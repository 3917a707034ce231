package rollback

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
)

// pick is a file that a request means. A named one is meant whole, whoever owns
// it; of the others only what the scope's own agent did.
type pick struct {
	file  Changed
	named bool
}

// pickFiles finds what the paths mean among the files of the scope, in path order.
// A path that the scope did not change is CodeUsage, but for a folder above what
// came or went in the scope and was left out: that is listed, as it stays so.
func pickFiles(cmp Comparison, args []PathArg) (picks []pick, left []model.Noted, err error) {
	if len(args) == 0 {
		args = []PathArg{{Folder: true}}
	}
	met := map[model.Path]bool{} // true: named itself, false: met below a folder
	for _, arg := range args {
		if !arg.Folder && slices.ContainsFunc(cmp.Files(), func(f Changed) bool { return f.Path == arg.Path }) {
			met[arg.Path] = true
			continue
		}
		found := false
		for _, n := range cmp.Info().Moved {
			if n.Path.Under(arg.Path) && n.Path != arg.Path {
				found, left = true, append(left, n)
			}
		}
		for _, f := range cmp.Files() {
			if f.Path.Under(arg.Path) {
				_, before := met[f.Path]
				if found = true; !before {
					met[f.Path] = false
				}
			}
		}
		if !found {
			return nil, nil, unchanged(cmp.Info(), arg.Path)
		}
	}
	for _, f := range cmp.Files() {
		if named, ok := met[f.Path]; ok {
			picks = append(picks, pick{f, named})
		}
	}
	return picks, left, nil
}

// ignoredNow tells which of the picks that are not named git ignores by now, though
// it did not when they were captured: a rule that came since says that they are
// none of anybody's business. What is not there any more can be made again.
func (e *Engine) ignoredNow(ctx context.Context, picks []pick) (map[model.Path]bool, error) {
	var paths []model.Path
	for _, p := range picks {
		if p.named || p.file.Gitlink {
			continue
		}
		if _, err := os.Lstat(filepath.Join(e.Repo.Root, filepath.FromSlash(string(p.file.Path)))); err == nil {
			paths = append(paths, p.file.Path)
		}
	}
	return e.Snapshots.Ignored(ctx, paths)
}

func unchanged(info ScopeInfo, path model.Path) error {
	if path == "" {
		return model.Usagef("the scope %s changed nothing", info.Scope)
	}
	for _, n := range info.LeftOut {
		if path.Under(n.Path) {
			return model.Usagef("%q was left out of the capture (%s): it is never touched", path, n.Reason).
				WithHint("`overturn diff %s --name-status` lists what can be chosen", info.Scope)
		}
	}
	return model.Usagef("the scope %s did not change %q", info.Scope, path).
		WithHint("`overturn diff %s --name-status` lists what it changed", info.Scope)
}

// ownHunks is the numbers of the hunks that stay with no one else, and the reason
// why the others stay.
func ownHunks(cmp Comparison, o Owners) (own []int, kept string) {
	stay := map[string][]string{}
	var reasons []string
	for _, h := range o.Hunks {
		reason := cmp.Keeps(h.Owner, h.Thread)
		if reason == "" {
			own = append(own, h.Number)
			continue
		}
		if stay[reason] == nil {
			reasons = append(reasons, reason)
		}
		stay[reason] = append(stay[reason], hunkName(h.Number))
	}
	for i, reason := range reasons {
		noun := "hunk "
		if len(stay[reason]) > 1 {
			noun = "hunks "
		}
		reasons[i] = noun + strings.Join(stay[reason], ", ") + " " + reason
	}
	return own, strings.Join(reasons, "; ")
}

func hunkName(n int) string {
	if n == ModeHunk {
		return "mode"
	}
	return fmt.Sprint(n)
}

// spell writes lines as --lines takes them.
func spell(l LineRange) string {
	sign := ""
	if l.Old {
		sign = "-"
	}
	if l.From == l.To {
		return fmt.Sprintf("%s%d", sign, l.From)
	}
	return fmt.Sprintf("%s%d-%d", sign, l.From, l.To)
}
