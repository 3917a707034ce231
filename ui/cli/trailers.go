package cli

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// trailerName is the trailer that ties a commit to the records of its turns.
const trailerName = "Overturn-Checkpoint"

// trailerThreads and trailerTurns bound how far back a commit looks for its turns.
const (
	trailerThreads = 20
	trailerTurns   = 50
)

// commitHook adds to the message of a commit which turns made the files that it has.
// prepare-commit-msg has the message only where the user gave it on the command line;
// otherwise commit-msg has it. Merges, rebases and the like are left alone.
func (e *engines) commitHook(ctx context.Context, name string, args []string) error {
	if len(args) == 0 || e.repo.Operation() != "" {
		return nil
	}
	if name == hookPrepareCommit && (len(args) < 2 || args[1] != "message") {
		return nil
	}
	file := messageFile(e.repo.Root, args[0])
	if empty, err := e.emptyMessage(ctx, file); err != nil || empty {
		return err
	}
	ids, err := e.committedTurns(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return e.addTrailers(ctx, file, ids)
}

// addTrailers has git add the trailers where it finds no settings but the character of
// comments: those of trailers would run the user's commands, add what they say, spell
// anew what is there, or keep ours out.
func (e *engines) addTrailers(ctx context.Context, file string, ids []model.ID) error {
	var call []string
	for _, key := range []string{"core.commentchar", "core.commentstring"} {
		if value, set := e.repo.Config(key); set {
			call = append(call, "-c", key+"="+value)
		}
	}
	call = append(call, "interpret-trailers", "--in-place", "--if-exists", "addIfDifferent")
	for _, id := range ids {
		call = append(call, "--trailer", trailerName+": "+string(id))
	}
	opts := gitops.CommandOptions{Stdin: bytes.NewReader(nil), Env: []string{"GIT_DIR=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}}
	_, err := e.repo.GitWith(ctx, opts, append(call, file)...)
	return err
}

// emptyMessage tells whether git would take the message for empty: then the user
// means not to commit, and a trailer alone would.
func (e *engines) emptyMessage(ctx context.Context, file string) (bool, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	if at := bytes.Index(data, []byte(" ------------------------ >8 ------------------------\n")); at >= 0 {
		data = data[:bytes.LastIndexByte(data[:at], '\n')+1]
	}
	out, err := e.repo.GitInput(ctx, data, "stripspace", "--strip-comments")
	return len(bytes.TrimSpace(out)) == 0, err
}

// committedTurns are the records of turns since this commit that changed one of the
// files that the next one changes, oldest first.
func (e *engines) committedTurns(ctx context.Context) ([]model.ID, error) {
	staged, err := e.stagedNames(ctx)
	if err != nil || len(staged) == 0 {
		return nil, err
	}
	head, err := e.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	threads, err := e.ledger.Threads(ctx)
	if err != nil {
		return nil, err
	}
	var turns []model.Turn
	for _, th := range threads[:min(len(threads), trailerThreads)] {
		if th.WorkTree != e.repo.WorkTree {
			continue
		}
		list, err := e.ledger.Turns(ctx, th.ID, trailerTurns)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			if made, err := e.madeHere(ctx, &t, head.Commit, staged); err != nil {
				return nil, err
			} else if made {
				turns = append(turns, t)
			}
		}
	}
	slices.SortFunc(turns, func(a, b model.Turn) int { return a.StartedAt.Compare(b.StartedAt) })
	ids := make([]model.ID, len(turns))
	for i, t := range turns {
		ids[i] = t.Checkpoint
	}
	return ids, nil
}

// madeHere tells whether a turn made something of what is committed: one that ended on
// this commit by its files, one that is open by what its tools wrote so far.
func (e *engines) madeHere(ctx context.Context, t *model.Turn, head string, staged map[string]bool) (bool, error) {
	switch {
	case t.Checkpoint == "":
		return false, nil
	case t.State != model.TurnOpen:
		return t.End != nil && t.End.Head == head && touches(t, staged), nil
	}
	evidence, err := e.ledger.Evidence(ctx, t.Thread, t.Number)
	return slices.ContainsFunc(evidence.Touched, func(p model.Path) bool { return staged[string(p)] }), err
}

func touches(t *model.Turn, staged map[string]bool) bool {
	return slices.ContainsFunc(t.Files, func(f model.FileChange) bool {
		return staged[string(f.Path)] || f.OldPath != "" && staged[string(f.OldPath)]
	})
}

// stagedNames are the paths that the commit in the making changes. git names the index
// of that commit to its hooks, which for a part of the work tree is one of its own.
func (e *engines) stagedNames(ctx context.Context) (map[string]bool, error) {
	var opts gitops.CommandOptions
	if index := e.app.env.Getenv("GIT_INDEX_FILE"); index != "" {
		opts.Env = []string{"GIT_INDEX_FILE=" + messageFile(e.repo.Root, index)}
	}
	opts.Stdin = bytes.NewReader(nil)
	out, err := e.repo.GitWith(ctx, opts, "diff", "--cached", "--name-only", "--no-renames", "-z")
	if err != nil {
		return nil, err
	}
	staged := map[string]bool{}
	for _, name := range strings.Split(string(out), "\x00") {
		if name != "" {
			staged[name] = true
		}
	}
	return staged, nil
}
