package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
)

// Head is where HEAD points.
type Head struct {
	Commit string // "" on an unborn branch
	Branch string // full ref name, "" when detached
}

// symrefLimit is how many symbolic refs in a row are followed, as in git.
const symrefLimit = 5

// Head reads HEAD; in process where refs are files.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	if r.RefStorage != "files" {
		return r.askHead(ctx)
	}
	value, err := r.readRefFile("HEAD")
	if err != nil {
		return Head{}, model.Failf(err, "cannot read HEAD").WithHint("see what git status says")
	}
	branch, symbolic := strings.CutPrefix(value, "ref: ")
	if !symbolic {
		return Head{Commit: value}, nil
	}
	commit, err := r.ResolveRef(branch)
	if err != nil {
		return Head{}, err
	}
	return Head{Commit: commit, Branch: branch}, nil
}

// ResolveRef returns the object that a full ref name leads to, "" when there is
// none. It reads the files backend only.
func (r *Repo) ResolveRef(name string) (string, error) {
	for range symrefLimit {
		value, err := r.readRefFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return r.packedRef(name)
		}
		if err != nil {
			return "", model.Failf(err, "cannot read ref %s", name).WithHint("see what git rev-parse %s says", name)
		}
		target, symbolic := strings.CutPrefix(value, "ref: ")
		if !symbolic {
			return value, nil
		}
		name = target
	}
	return "", model.Errorf(model.CodeFailed, "ref %s: symbolic refs nested too deep", name)
}

// readRefFile returns "ref: NAME" or an object id. A folder in a ref's place is
// an absent ref: other refs lie below it.
func (r *Repo) readRefFile(name string) (string, error) {
	if !safeRefName(name) {
		return "", fmt.Errorf("%q is not a ref name", name)
	}
	path := r.refPath(name)
	if target, err := os.Readlink(path); err == nil && strings.HasPrefix(target, "refs/") {
		return "ref: " + target, nil
	}
	data, err := ReadFile(path)
	if err != nil {
		if info, serr := os.Stat(path); serr == nil && info.IsDir() || blockedByFile(err) {
			return "", fs.ErrNotExist
		}
		return "", err
	}
	value := strings.TrimRight(string(data), " \t\r\n")
	if target, ok := strings.CutPrefix(value, "ref:"); ok {
		return "ref: " + strings.TrimLeft(target, " \t"), nil
	}
	if len(value) > r.HashSize()*2 { // git writes notes behind the id of some refs
		value, _, _ = strings.Cut(value, " ")
		value, _, _ = strings.Cut(value, "\t")
	}
	if !r.IsOID(value) {
		return "", fmt.Errorf("%s does not hold an object id", path)
	}
	return value, nil
}

// refPath is the file of a ref: some belong to the work tree, the rest to all.
func (r *Repo) refPath(name string) string {
	own := !strings.HasPrefix(name, "refs/")
	for _, prefix := range []string{"refs/worktree/", "refs/bisect/", "refs/rewritten/"} {
		own = own || strings.HasPrefix(name, prefix)
	}
	if own {
		return filepath.Join(r.GitDir, filepath.FromSlash(name))
	}
	return filepath.Join(r.CommonDir, filepath.FromSlash(name))
}

// safeRefName keeps a name that came from a file inside the git directory.
func safeRefName(name string) bool {
	if name == "HEAD" {
		return true
	}
	return strings.HasPrefix(name, "refs/") && !strings.Contains(name, "..") && !strings.ContainsAny(name, "\x00\n\\")
}

// IsOID tells whether s is an object id of this repository, in lower case.
func (r *Repo) IsOID(s string) bool {
	if len(s) != r.HashSize()*2 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// askHead is Head through git, for backends whose files mean something else.
func (r *Repo) askHead(ctx context.Context) (Head, error) {
	var head Head
	out, err := r.Git(ctx, "symbolic-ref", "-q", "HEAD")
	if exit, ok := ExitOf(err); err != nil && (!ok || exit != 1) {
		return Head{}, model.Failf(err, "cannot read HEAD")
	}
	head.Branch = strings.TrimSuffix(string(out), "\n")
	out, err = r.Git(ctx, "rev-parse", "-q", "--verify", "HEAD")
	if exit, ok := ExitOf(err); err != nil && (!ok || exit != 1) {
		return Head{}, model.Failf(err, "cannot read HEAD")
	}
	head.Commit = strings.TrimSuffix(string(out), "\n")
	return head, nil
}
