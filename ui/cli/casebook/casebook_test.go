package casebook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// The case book: failures of other tools that people reported, each rebuilt on a
// real repository with the real binary. Its ids are in testdata/casebook.json.

// book is a repository, the real binary and an environment for both.
type book struct {
	*gittest.Repo
	t   testing.TB
	env []string
	dir string // folder that overturn is called in
	// attr says as whom programs run; nil is as the tests do.
	attr *syscall.SysProcAttr
}

// caseOf is one case: its id in the book, and what it does.
type caseOf struct {
	id  string
	run func(*book)
}

// runCases runs each case in a repository of its own, under its id.
func runCases(t *testing.T, cases []caseOf) {
	t.Parallel() // one group beside another: what a case waits for is mostly a process
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) { c.run(openBook(t)) })
	}
}

// openBook makes an empty repository.
func openBook(t testing.TB, opts ...gittest.Option) *book {
	t.Helper()
	return bookOf(t, gittest.New(t, opts...))
}

// bookOf is a book on a repository that is there, e.g. a linked work tree.
func bookOf(t testing.TB, repo *gittest.Repo) *book {
	env := append(os.Environ(), clitest.Hermetic(repo.Home)...)
	return &book{Repo: repo, t: t, env: env, dir: repo.Root}
}

// in is the book as seen from a folder of the work tree.
func (b *book) in(folder string) *book {
	c := *b
	c.dir = b.Path(folder)
	return &c
}

// with is the book with further variables ("NAME=value").
func (b *book) with(entries ...string) *book {
	c := *b
	c.env = append(append([]string(nil), b.env...), entries...)
	return &c
}

// said is what one call of overturn gave back.
type said struct {
	code           int
	stdout, stderr string
}

// callLimit is when a call is taken for one that hangs: nothing here takes a
// second, on a machine with nothing else to do.
const callLimit = time.Minute

// overturn runs the binary; what it exits with is for the caller to judge.
func (b *book) overturn(args ...string) said {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, clitest.Bin(), args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = b.dir, b.env, b.attr
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("overturn %s: %v", strings.Join(args, " "), err)
	}
	return said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// ok runs overturn, which must exit 0, and returns its stdout.
func (b *book) ok(args ...string) string {
	b.t.Helper()
	return b.exits(0, args...).stdout
}

// exits runs overturn, which must exit with code.
func (b *book) exits(code int, args ...string) said {
	b.t.Helper()
	s := b.overturn(args...)
	if s.code != code {
		b.t.Fatalf("overturn %s: exit code %d, want %d\nstdout: %s\nstderr: %s", strings.Join(args, " "), s.code, code, s.stdout, s.stderr)
	}
	return s
}

// json runs overturn --json, which must exit with code, and reads its object.
func (b *book) json(code int, into any, args ...string) {
	b.t.Helper()
	s := b.exits(code, append([]string{"--json"}, args...)...)
	if err := json.Unmarshal([]byte(s.stdout), into); err != nil {
		b.t.Fatalf("overturn %s: %v\n%s\n%s", strings.Join(args, " "), err, s.stdout, s.stderr)
	}
}

// start and end record the boundaries of a turn; turn does both around work.
func (b *book) start(thread string) { b.t.Helper(); b.ok("turn", "start", "--thread", thread) }
func (b *book) end(thread string)   { b.t.Helper(); b.ok("turn", "end", "--thread", thread) }

func (b *book) turn(thread string, work func()) {
	b.t.Helper()
	b.start(thread)
	work()
	b.end(thread)
}

// sh runs shell commands in the folder of the book, as an agent or a user does.
func (b *book) sh(script string) {
	b.t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = b.dir, b.Env.Environ, b.attr
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("sh %q: %v\n%s", script, err, out)
	}
}

// plan is what is staged, worked out.
func (b *book) plan() plan {
	b.t.Helper()
	var p plan
	b.json(0, &p, "plan")
	return p
}

// stage puts a scope, or what args name of it, into an empty staged set.
func (b *book) stage(scope string, args ...string) plan {
	b.t.Helper()
	b.ok("unstage")
	b.ok(append([]string{"stage", scope}, args...)...)
	return b.plan()
}

// carry carries the staged set out as it was planned and must exit with code. Of
// the files, nothing changes but what the result names; an untracked file that
// nobody told overturn of stands beside every rollback.
func (b *book) carry(code int, flags ...string) result {
	b.t.Helper()
	const bystander = "by/stander of nobody"
	b.Write(bystander, "untracked\n")
	before := b.files()
	var r result
	b.json(code, &r, append([]string{"rollback", "--expect", b.plan().Fingerprint}, flags...)...)
	b.untouched(before, r)
	b.Remove("by")
	return r
}

// rollback stages what args name of a scope and carries it out whole.
func (b *book) rollback(scope string, args ...string) result {
	b.t.Helper()
	b.stage(scope, args...)
	r := b.carry(0)
	if !r.Verified {
		b.t.Errorf("rollback of %s is not verified: %+v", scope, r)
	}
	return r
}

// refusal carries out the staged set, which must be refused with nothing written.
func (b *book) refusal() result {
	b.t.Helper()
	before := b.world()
	r := b.carry(5)
	b.same(before)
	return r
}

// undo takes the newest rollback back.
func (b *book) undo() result {
	b.t.Helper()
	var r result
	b.json(0, &r, "undo")
	return r
}

// reads holds a file's bytes against want.
func (b *book) reads(path, want string) {
	b.t.Helper()
	if got := b.Read(path); got != want {
		b.t.Errorf("%s is %q, want %q", path, got, want)
	}
}

// gone holds that nothing stands at the paths.
func (b *book) gone(paths ...string) {
	b.t.Helper()
	for _, p := range paths {
		if b.Exists(p) {
			b.t.Errorf("%s is there", p)
		}
	}
}
