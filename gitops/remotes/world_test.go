package remotes_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/remotes"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/trace"
)

// plain sends commits as they are.
type plain struct{}

func (plain) Outgoing(_ context.Context, tip string, _ ...string) (string, []outgoing.Finding, error) {
	return tip, nil, nil
}
func (plain) Save(context.Context) error { return nil }
func (plain) WentAs(string) []string     { return nil }

// events keeps what was traced.
type events struct {
	mu   sync.Mutex
	list []trace.Event
}

func (e *events) Record(list ...trace.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, list...)
}

// place is one clone: its rooms, and the remote that it shares with others.
type place struct {
	*remotes.Engine
	t      *testing.T
	tree   *gittest.Repo
	repo   *gitops.Repo
	store  *objects.Store
	refs   *refs.Store
	queue  *queue.Queue
	bare   string
	events *events
	deps   remotes.Deps
}

// newRemote makes a bare repository with a branch.
func newRemote(t *testing.T) string {
	t.Helper()
	bare := filepath.Join(t.TempDir(), "bare.git")
	run(t, "", "git", "init", "-q", "--bare", "-b", "main", bare)
	return bare
}

func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// newPlace is a work tree whose origin is bare, with one pushed commit.
func newPlace(t *testing.T, bare string) *place {
	tree := gittest.New(t)
	tree.Write("a.txt", "a\n")
	tree.Git("add", "a.txt")
	tree.Git("commit", "-q", "-m", "first")
	tree.Git("remote", "add", "origin", bare)
	tree.Git("push", "-q", "origin", "main")
	return placeAt(t, tree, bare, plain{})
}

// placeWithoutPush is a work tree with a commit that its origin does not have.
func placeWithoutPush(t *testing.T, bare string) *place {
	tree := gittest.New(t)
	tree.Write("a.txt", "a\n")
	tree.Git("add", "a.txt")
	tree.Git("commit", "-q", "-m", "first")
	tree.Git("remote", "add", "origin", bare)
	return placeAt(t, tree, bare, plain{})
}

// clone is another machine: a clone with an environment of its own.
func clone(t *testing.T, bare string, args ...string) *place {
	home := gittest.New(t, gittest.Plain("sha1"))
	root := filepath.Join(t.TempDir(), "clone")
	home.Git(append(append([]string{"clone", "-q"}, args...), bare, root)...)
	return placeAt(t, home.At(root), bare, plain{})
}

func placeAt(t *testing.T, tree *gittest.Repo, bare string, rewriter remotes.Rewriter) *place {
	t.Helper()
	repo, err := gitops.Find(context.Background(), tree.Root, tree.Env)
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, tree: tree, repo: repo, bare: bare, store: objects.Open(repo), refs: refs.New(repo), events: &events{}}
	t.Cleanup(func() { p.store.Close() })
	p.queue = queue.Open(repo, p.refs, time.Now)
	p.deps = remotes.Deps{
		Repo: repo, Objects: p.store, Refs: p.refs, Queue: p.queue, Outgoing: rewriter, Clock: time.Now, Trace: p.events,
		Limits: remotes.Limits{Ask: 5 * time.Second},
	}
	p.again()
	return p
}

// again is a new run of the program.
func (p *place) again() { p.Engine = remotes.New(p.deps) }

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// recordID is the n-th of a row of ids.
func recordID(n int) model.ID { return model.ID(fmt.Sprintf("01j0000000000000000000%04d", n)) }

func recordRef(n int) string {
	name, err := checkpoint.RefName(recordID(n))
	if err != nil {
		panic(err)
	}
	return name
}

// record commits files as the next state of ref, on top of what it holds, and queues it.
func (p *place) record(ref string, files map[string]string) string {
	p.t.Helper()
	ctx := context.Background()
	w := p.store.NewWriter()
	old, err := p.refs.Read(ctx, ref)
	p.must(err)
	c := objects.Commit{Message: "state\n", Author: signature(), Committer: signature()}
	entries := map[string]objects.TreeEntry{}
	if old != "" {
		before, err := p.store.Commit(ctx, old)
		p.must(err)
		c.Parents = []string{old}
		list, err := p.store.Tree(ctx, before.Tree)
		p.must(err)
		for _, e := range list {
			entries[e.Name] = e
		}
	}
	for name, content := range files {
		oid, err := w.Write(objects.TypeBlob, []byte(content))
		p.must(err)
		entries[name] = objects.TreeEntry{Mode: objects.ModeFile, Name: name, OID: oid}
	}
	if ref == checkpoint.BranchRef { // it is known by a folder of records
		oid, err := w.Write(objects.TypeBlob, nil)
		p.must(err)
		oid, err = w.WriteTree([]objects.TreeEntry{{Mode: objects.ModeFile, Name: "record", OID: oid}})
		p.must(err)
		entries["0a"] = objects.TreeEntry{Mode: objects.ModeTree, Name: "0a", OID: oid}
	}
	var list []objects.TreeEntry
	for _, e := range entries {
		list = append(list, e)
	}
	c.Tree, err = w.WriteTree(list)
	p.must(err)
	commit, err := w.WriteCommit(c)
	p.must(err)
	p.must(w.Flush(ctx))
	p.must(p.refs.Apply(ctx, []refs.Update{{Name: ref, Old: old, New: commit}}))
	p.must(p.queue.Enqueue(ctx, ref))
	return commit
}

func signature() objects.Signature {
	return objects.Signature{Name: "overturn", Email: "overturn@localhost", When: time.Unix(1700000000, 0).UTC()}
}

func (p *place) target(name string) remotes.Target {
	p.t.Helper()
	t, err := p.Target(context.Background(), name)
	p.must(err)
	return t
}

// approve lets records go to a remote.
func (p *place) approve(name string) remotes.Target {
	p.t.Helper()
	t := p.target(name)
	p.must(p.queue.Approve(context.Background(), t.Key, name))
	return t
}

func (p *place) push(name string) (*remotes.Report, error) {
	p.t.Helper()
	return p.Push(context.Background(), p.approve(name), remotes.PushOptions{})
}

// pushed pushes to origin and fails the test unless all of want, and no more, landed.
func (p *place) pushed(want int) *remotes.Report {
	p.t.Helper()
	r, err := p.push("origin")
	p.must(err)
	if len(r.Pushed) != want || len(r.Queued) != 0 {
		p.t.Fatalf("pushed %d of %d, queued %v", len(r.Pushed), want, r.Queued)
	}
	return r
}

// at is what the remote holds under a ref, "" for nothing.
func (p *place) at(ref string) string {
	p.t.Helper()
	out := run(p.t, p.bare, "git", "for-each-ref", "--format=%(refname) %(objectname)")
	for line := range strings.Lines(out) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name == ref {
			return value
		}
	}
	return ""
}

// file reads a file of what the remote holds under a ref.
func (p *place) file(ref, name string) string {
	p.t.Helper()
	return run(p.t, p.bare, "git", "cat-file", "blob", ref+":"+name)
}

func (p *place) local(ref string) string {
	p.t.Helper()
	value, err := p.refs.Read(context.Background(), ref)
	p.must(err)
	return value
}

// hook has the remote run a script.
func hook(t *testing.T, bare, name, script string) {
	t.Helper()
	file := filepath.Join(bare, "hooks", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// noTraces fails the test when something of an exchange is left in the repository.
func (p *place) noTraces() {
	p.t.Helper()
	left, err := filepath.Glob(filepath.Join(p.repo.CommonDir, "overturn", "sync-*"))
	p.must(err)
	for _, name := range []string{"FETCH_HEAD"} {
		if _, err := os.Lstat(filepath.Join(p.repo.CommonDir, name)); err == nil {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		p.t.Errorf("left behind: %v", left)
	}
}
