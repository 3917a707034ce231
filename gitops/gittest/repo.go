package gittest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
)

// Repo is a throw-away repository, or a further work tree of one.
type Repo struct {
	Root string     // top of the work tree, without links
	Env  gitops.Env // hermetic; for gitops.Find and for programs under test
	Home string     // the HOME of Env
	t    testing.TB
}

// Option changes how New makes the repository.
type Option func(*options)

type options struct {
	initArgs  []string
	format    string
	unchecked bool
}

// InitArgs adds arguments to git init, e.g. "--object-format=sha256".
func InitArgs(args ...string) Option {
	return func(o *options) { o.initArgs = append(o.initArgs, args...) }
}

// Plain has the repository made by InitFiles where the file system is as that takes it
// to be, and by git init without a template elsewhere.
func Plain(format string) Option {
	return func(o *options) {
		o.initArgs = append(o.initArgs, "--template=", "--object-format="+format)
		if runtime.GOOS == "linux" {
			o.format = format
		}
	}
}

// Unchecked leaves out the check at the end, for tests that damage the repository.
func Unchecked() Option { return func(o *options) { o.unchecked = true } }

// New makes an empty repository on branch main; it is checked when the test ends.
func New(t testing.TB, opts ...Option) *Repo {
	t.Helper()
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repo{Root: filepath.Join(base, "repo"), Home: filepath.Join(base, "home"), t: t}
	r.Env = hermetic(r.Home)
	for _, dir := range []string{r.Root, filepath.Join(r.Home, ".config")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if o.format != "" {
		r.must(InitFiles(r.Root, o.format))
	} else {
		r.Git(append([]string{"init", "-q", "-b", "main"}, o.initArgs...)...)
	}
	if !o.unchecked {
		t.Cleanup(func() {
			if !t.Failed() {
				r.Check()
			}
		})
	}
	return r
}

// At is another folder with the environment of r, e.g. a linked work tree or a
// clone; it is not checked at the end.
func (r *Repo) At(root string) *Repo {
	r.t.Helper()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		r.t.Fatal(err)
	}
	return &Repo{Root: real, Env: r.Env, Home: r.Home, t: r.t}
}

// hermetic is an environment that knows nothing of this machine but its PATH.
func hermetic(home string) gitops.Env {
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=User", "GIT_AUTHOR_EMAIL=user@example.com", "GIT_COMMITTER_NAME=User", "GIT_COMMITTER_EMAIL=user@example.com",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	for _, name := range []string{"OVERTURN_ARGV_LOG", "GOCOVERDIR"} {
		if v := os.Getenv(name); v != "" {
			environ = append(environ, name+"="+v)
		}
	}
	return EnvOf(environ)
}

// EnvOf makes a gitops.Env of entries like those of os.Environ; the last of a
// name holds. Its clock is the real one.
func EnvOf(environ []string) gitops.Env {
	values := make(map[string]string, len(environ))
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return gitops.Env{Getenv: func(name string) string { return values[name] }, Environ: environ, Clock: time.Now}
}

// WithEnv is r with further variables ("NAME=value").
func (r *Repo) WithEnv(entries ...string) *Repo {
	c := *r
	c.Env = EnvOf(append(append([]string(nil), r.Env.Environ...), entries...))
	return &c
}

// Path is the absolute path of a name in the work tree.
func (r *Repo) Path(path string) string { return filepath.Join(r.Root, filepath.FromSlash(path)) }

// Write writes a file, making its folders.
func (r *Repo) Write(path, content string) {
	r.t.Helper()
	name := r.Path(path)
	r.must(os.MkdirAll(filepath.Dir(name), 0o755))
	r.must(os.WriteFile(name, []byte(content), 0o644))
}

// Read returns a file's bytes.
func (r *Repo) Read(path string) string {
	r.t.Helper()
	data, err := os.ReadFile(r.Path(path))
	r.must(err)
	return string(data)
}

// Exists tells whether anything stands at path.
func (r *Repo) Exists(path string) bool {
	_, err := os.Lstat(r.Path(path))
	return err == nil
}

// Remove removes a file or a whole folder.
func (r *Repo) Remove(path string) {
	r.t.Helper()
	r.must(os.RemoveAll(r.Path(path)))
}

// Chmod sets permission bits.
func (r *Repo) Chmod(path string, perm fs.FileMode) {
	r.t.Helper()
	r.must(os.Chmod(r.Path(path), perm))
}

// Symlink makes path a link to target, making its folders.
func (r *Repo) Symlink(target, path string) {
	r.t.Helper()
	r.must(os.MkdirAll(filepath.Dir(r.Path(path)), 0o755))
	r.must(os.Symlink(target, r.Path(path)))
}

func (r *Repo) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// Git runs git in the repository and returns its output without the last newline.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	return r.GitInput("", args...)
}

// GitInput is Git with text on standard input.
func (r *Repo) GitInput(stdin string, args ...string) string {
	r.t.Helper()
	out, err := r.run(stdin, args)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// GitMayFail is Git that returns the error, with git's words.
func (r *Repo) GitMayFail(args ...string) (string, error) { return r.run("", args) }

// GitInputMayFail is GitMayFail with text on standard input.
func (r *Repo) GitInputMayFail(stdin string, args ...string) (string, error) {
	return r.run(stdin, args)
}

func (r *Repo) run(stdin string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Root, r.Env.Environ, strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%w: %s", err, stderr.String())
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// Commit adds everything and commits it, empty or not; it returns the commit's id.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

// Worktree adds a linked work tree beside the repository, on a new branch of its name.
func (r *Repo) Worktree(name string) *Repo {
	r.t.Helper()
	path := filepath.Join(filepath.Dir(r.Root), name)
	r.Git("worktree", "add", "-q", "-b", name, path)
	return r.At(path)
}

// Open is gitops.Find on the repository.
func (r *Repo) Open() *gitops.Repo {
	r.t.Helper()
	repo, err := gitops.Find(context.Background(), r.Root, r.Env)
	r.must(err)
	return repo
}

// GitDir is the git directory of the work tree.
func (r *Repo) GitDir() string {
	r.t.Helper()
	return r.Git("rev-parse", "--absolute-git-dir")
}

// Check holds the whole repository against git fsck and fails on any lock that
// was left behind.
func (r *Repo) Check() {
	r.t.Helper()
	if out, err := r.GitMayFail("fsck", "--no-dangling", "--no-progress"); err != nil {
		r.t.Errorf("the repository is damaged: %v\n%s", err, out)
	}
	err := filepath.WalkDir(r.GitDir(), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".lock") && !ownLock(path) {
			r.t.Errorf("a lock was left: %s", path)
		}
		return err
	})
	r.must(err)
}

// ownLock tells whether path is one of overturn's flock files: these stay, and
// being there does not mean being held. Nor does a lock of a ref that got no name
// yet, which is in nobody's way (.XXXX.lock, left by a kill in between).
func ownLock(path string) bool {
	return strings.Contains(path, "/refs/overturn/") && strings.HasPrefix(filepath.Base(path), ".") ||
		strings.Contains(path, "/overturn/") && !strings.Contains(path, "/refs/") ||
		filepath.Base(path) == "overturn-push-queue.lock"
}
