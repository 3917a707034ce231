package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// candidate is a commit that a branch may have come from.
type candidate struct {
	ref, from string
	commit    string
}

// resolveBranch compares the merge base of HEAD and a base to what is on disk.
func (e *Engine) resolveBranch(ctx context.Context, r *Resolved) error {
	head, err := e.deps.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Commit == "" {
		return model.Errorf(model.CodeFailed, "nothing is committed on this branch yet, so it has no base").
			WithHint("`overturn diff working` shows what is on disk")
	}
	base, err := e.branchBase(ctx, head, r.Scope.Base)
	if err != nil {
		return err
	}
	out, err := e.deps.Repo.Git(ctx, "merge-base", head.Commit, base.commit)
	if err != nil {
		var failed *gitops.GitError
		if errors.As(err, &failed) && failed.Exit == 1 {
			return model.Errorf(model.CodeFailed, "HEAD and %s have no common commit", base.ref).
				WithHint("name another base: branch=BASE")
		}
		return model.Failf(err, "cannot find where the branch left %s", base.ref)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	r.BaseFrom = base.ref + " (" + base.from + ")"
	r.base = end{label: "merge base with " + base.ref, ref: base.ref, commit: first, project: true}
	r.target = end{label: "present", present: true}
	return nil
}

// branchBase finds the base as gh and git would: the one that was named; gh's own
// note (branch.NAME.gh-merge-base); the upstream, unless that is the branch's own
// copy on the remote; the default branch of the remote; main; master; and last the
// branch's own copy.
func (e *Engine) branchBase(ctx context.Context, head gitops.Head, named string) (candidate, error) {
	if named != "" {
		return e.namedBase(ctx, named, "named")
	}
	name := strings.TrimPrefix(head.Branch, "refs/heads/")
	if note, ok := e.deps.Repo.Config("branch." + name + ".gh-merge-base"); ok && head.Branch != "" && note != "" {
		if c, err := e.namedBase(ctx, note, "gh-merge-base"); err == nil {
			return c, nil
		}
	}
	known, err := e.knownRefs(ctx, head.Branch)
	if err != nil {
		return candidate{}, err
	}
	for _, c := range e.guesses(known, head.Branch, name) {
		if ref, ok := known[c.ref]; ok && c.ref != head.Branch {
			c.commit = ref.commit
			return c, nil
		}
	}
	return candidate{}, model.Errorf(model.CodeFailed, "no base found for this branch: no upstream, no default branch of a remote, no main or master but itself").
		WithHint("name one: branch=BASE")
}

// namedBase resolves what the user wrote.
func (e *Engine) namedBase(ctx context.Context, name, from string) (candidate, error) {
	unknown := model.Usagef("%q is not a commit or branch of this repository", name).WithHint("name another base: branch=BASE")
	if strings.HasPrefix(name, "-") {
		return candidate{}, unknown
	}
	out, err := e.deps.Repo.Git(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	var failed *gitops.GitError
	switch {
	case errors.As(err, &failed):
		return candidate{}, unknown
	case err != nil:
		return candidate{}, err
	}
	return candidate{ref: name, from: from, commit: strings.TrimSpace(string(out))}, nil
}

// knownRef is a ref as for-each-ref tells it.
type knownRef struct{ commit, upstream, symref string }

// knownRefs asks for all the refs that a base may be guessed from, in one go.
func (e *Engine) knownRefs(ctx context.Context, current string) (map[string]knownRef, error) {
	args := []string{"for-each-ref", "--format=%(refname)%00%(objectname)%00%(upstream)%00%(symref)"}
	args = append(args, "refs/heads/", "refs/remotes/")
	out, err := e.deps.Repo.Git(ctx, args...)
	if err != nil {
		return nil, model.Failf(err, "cannot list the branches")
	}
	known := map[string]knownRef{}
	for _, line := range bytes.Split(out, []byte("\n")) {
		if parts := strings.Split(string(line), "\x00"); len(parts) == 4 {
			known[parts[0]] = knownRef{parts[1], parts[2], parts[3]}
		}
	}
	return known, nil
}

// guesses lists bases from the likeliest on.
func (e *Engine) guesses(known map[string]knownRef, branch, name string) []candidate {
	remote := "origin"
	if set, ok := e.deps.Repo.Config("branch." + name + ".remote"); ok && set != "." && branch != "" {
		remote = set
	}
	upstream := known[branch].upstream
	own := upstream != "" && strings.HasSuffix(upstream, "/"+name) && strings.HasPrefix(upstream, "refs/remotes/")
	var list []candidate
	if upstream != "" && !own {
		list = append(list, candidate{ref: upstream, from: "upstream"})
	}
	for _, r := range remotesFrom(known, remote) {
		if def := known["refs/remotes/"+r+"/HEAD"].symref; def != "" {
			list = append(list, candidate{ref: def, from: "default branch of " + r})
		}
	}
	for _, b := range []string{"main", "master"} {
		list = append(list, candidate{ref: "refs/remotes/" + remote + "/" + b, from: b}, candidate{ref: "refs/heads/" + b, from: b})
	}
	if own {
		list = append(list, candidate{ref: upstream, from: "upstream"})
	}
	return list
}

// remotesFrom lists the remotes that have a default branch: first that of the
// branch, then origin, then the others by name.
func remotesFrom(known map[string]knownRef, first string) []string {
	rest := []string{}
	for ref := range known {
		if r, ok := strings.CutSuffix(ref, "/HEAD"); ok && strings.HasPrefix(r, "refs/remotes/") {
			rest = append(rest, strings.TrimPrefix(r, "refs/remotes/"))
		}
	}
	rank := func(r string) int {
		switch r {
		case first:
			return 0
		case "origin":
			return 1
		}
		return 2
	}
	slices.SortFunc(rest, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	return rest
}
