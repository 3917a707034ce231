package gitops

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"overturn/model"
)

// ask lets git say which repository start lies in and what its settings are, and
// keeps the answer where there is a state folder already.
func ask(ctx context.Context, start string, at place, env Env) (*Repo, error) {
	var asked time.Time
	if env.Clock != nil {
		asked = env.Clock()
	}
	childEnv := baseEnvironment(env.Environ)
	const mark = "--show-object-format" // its one word parts the paths, since these may hold newlines
	out, err := runGit(ctx, env, start, childEnv, nil, []string{"rev-parse", "--path-format=absolute",
		mark, "--show-toplevel", mark, "--absolute-git-dir", mark, "--git-common-dir", mark, "--exec-path"})
	if err != nil {
		return nil, refusal(ctx, start, at, env, childEnv, err)
	}
	r, execPath, ok := parseAnswer(string(out))
	if !ok {
		return nil, tooOld(ctx, start, env, childEnv)
	}
	r.env = env
	if err := r.resolve(); err != nil {
		return nil, err
	}
	if err := r.held(start); err != nil {
		return nil, err
	}
	if err := r.ownState(); err != nil {
		return nil, err
	}
	listed, err := runGit(ctx, env, r.Root, childEnv, nil, []string{"config", "--list", "-z", "--show-origin"})
	if err != nil {
		return nil, refusal(ctx, start, at, env, childEnv, err)
	}
	entries, err := parseConfig(listed)
	if err != nil {
		return nil, err
	}
	r.config, r.RefStorage = effective(entries), "files"
	if backend := r.config["extensions.refstorage"]; backend != "" {
		r.RefStorage, _, _ = strings.Cut(backend, ":")
	}
	if !asked.IsZero() && at.gitDir == r.GitDir && within(start, r.Root) {
		r.pending = learn(r, at, asked, entries, execPath)
	}
	if exists(r.StateDir()) {
		r.keepFacts()
	}
	return r, nil
}

// parseAnswer takes git's answer apart.
func parseAnswer(out string) (*Repo, string, bool) {
	format, rest, ok := strings.Cut(out, "\n")
	if !ok || format != "sha1" && format != "sha256" {
		return nil, "", false
	}
	parts := strings.Split(rest, "\n"+format+"\n")
	if len(parts) != 4 {
		return nil, "", false
	}
	r := &Repo{Root: parts[0], GitDir: parts[1], CommonDir: parts[2], ObjectFormat: format}
	return r, strings.TrimSuffix(parts[3], "\n"), true
}

// resolve gives the folders their one spelling and names the work tree.
func (r *Repo) resolve() error {
	for _, path := range []*string{&r.Root, &r.GitDir, &r.CommonDir} {
		real, err := filepath.EvalSymlinks(*path)
		if err != nil {
			return &model.Error{Code: model.CodeNoRepository, Message: "cannot read " + *path, Err: err, Hint: "check that the folder is there and can be read"}
		}
		*path = real
	}
	r.WorkTree = workTreeName(r.GitDir, r.CommonDir)
	return nil
}

// workTreeName is the name that git keeps a linked work tree under. One that is
// called as the main one gets a tilde, which no other name can hold.
func workTreeName(gitDir, commonDir string) string {
	if gitDir == commonDir {
		return MainWorkTree
	}
	if name := filepath.Base(gitDir); name != MainWorkTree {
		return name
	}
	return MainWorkTree + "~linked"
}

// refusal says why git found no work tree at start. Decisions rest on exit
// status and plumbing (L-11); git's words are passed on.
func refusal(ctx context.Context, start string, at place, env Env, childEnv []string, cause error) error {
	var failed *GitError
	if !errors.As(cause, &failed) {
		return cause // git is missing: said already
	}
	if ctx.Err() != nil {
		return &model.Error{Code: model.CodeCancelled, Message: "cancelled while git was asked for the repository", Err: ctx.Err()}
	}
	if old := tooOld(ctx, start, env, childEnv); model.HintOf(old) == oldHint {
		return old
	}
	answer := &model.Error{Code: model.CodeNoRepository, Err: cause}
	out, err := runGit(ctx, env, start, childEnv, nil, []string{"rev-parse", "--is-bare-repository"})
	switch {
	case err == nil && strings.TrimSpace(string(out)) == "true":
		answer.Message, answer.Hint = fmt.Sprintf("%s is a bare repository: it has no work tree", start), "go to one of its work trees (git worktree list)"
	case err == nil && strings.TrimSpace(string(out)) == "false":
		return noWorkTree(start)
	case trustCommand(failed.Stderr) != "":
		answer.Message, answer.Hint = "git does not trust this repository", "if you do: "+trustCommand(failed.Stderr)
	case at.top != "" || brokenAbove(start):
		answer.Message, answer.Hint = fmt.Sprintf("the repository at %s cannot be used", start), "see that .git and what it names are whole and can be read"
	default:
		answer.Message, answer.Hint = fmt.Sprintf("no git repository at %s", start), "go to a repository, or make one with git init"
	}
	return answer
}

// trustCommand is the command that git itself proposes for a repository of
// another owner, "" when its words propose none.
func trustCommand(words string) string {
	for _, line := range strings.Split(words, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "git config --global --add safe.directory ") {
			return line
		}
	}
	return ""
}

// brokenAbove tells whether a .git is met that git does not take as a repository.
func brokenAbove(start string) bool {
	for dir := start; ; {
		if exists(filepath.Join(dir, ".git")) {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

const oldHint = "install git 2.31 or newer"

// tooOld is the error for an answer that a git of our time would not give.
func tooOld(ctx context.Context, dir string, env Env, childEnv []string) error {
	out, err := runGit(ctx, env, dir, childEnv, nil, []string{"version"})
	if err != nil {
		return err
	}
	words := strings.TrimSpace(string(out))
	if major, minor, ok := parseVersion(words); !ok || major > 2 || major == 2 && minor >= 31 {
		return &model.Error{Code: model.CodeFailed, Message: "git gave an answer that cannot be read", Hint: "see what `git rev-parse --show-toplevel` says here"}
	}
	return &model.Error{Code: model.CodeFailed, Message: words + " is too old", Hint: oldHint}
}

// parseVersion reads "git version 2.39.5 (…)".
func parseVersion(words string) (major, minor int, ok bool) {
	number, ok := strings.CutPrefix(words, "git version ")
	parts := strings.SplitN(number, ".", 3)
	if !ok || len(parts) < 2 {
		return 0, 0, false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return major, minor, err1 == nil && err2 == nil
}
