package ledger_test

import (
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review/ledger"
)

// bench is a ledger on a throw-away repository with one commit.
type bench struct {
	*gittest.Repo
	t       testing.TB
	repo    *gitops.Repo
	objects *objects.Store
	refs    *refs.Store
	records checkpoint.Store
	trace   *events
	l       *ledger.Ledger
}

// events is a recorder that keeps what it is told.
type events struct {
	mu   sync.Mutex
	list []trace.Event
}

func (e *events) Record(list ...trace.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, list...)
}

func (e *events) count(name trace.Name) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, ev := range e.list {
		if ev.Event == name {
			n++
		}
	}
	return n
}

func newBench(t testing.TB) *bench {
	r := gittest.New(t)
	r.Write("a.txt", "one\n")
	r.Write("dir/b.txt", "two\n")
	r.Commit("first")
	return onRepo(t, r, nil)
}

// onRepo opens a ledger as a process of its own would; change alters its parts.
func onRepo(t testing.TB, r *gittest.Repo, change func(*ledger.Deps)) *bench {
	t.Helper()
	repo, err := gitops.Find(t.Context(), r.Root, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Repo: r, t: t, repo: repo, objects: objects.Open(repo), refs: refs.New(repo), trace: &events{}}
	t.Cleanup(func() { b.objects.Close() })
	b.records, err = storetest.Topology(storetest.Primary(), checkpoint.Context{Repo: repo, Objects: b.objects, Refs: b.refs, Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	deps := ledger.Deps{
		Repo: repo, Objects: b.objects, Refs: b.refs, Records: b.records, Trace: b.trace,
		Snapshots: snapshot.New(repo, b.objects, b.refs, snapshot.Options{Clock: time.Now}),
		Clock:     time.Now, IDs: model.NewIDSource(time.Now, rand.Reader),
	}
	if change != nil {
		change(&deps)
	}
	b.l = ledger.New(deps)
	return b
}

func (b *bench) start(thread model.ThreadID, id string) model.Turn {
	b.t.Helper()
	t, err := b.l.Start(b.t.Context(), ledger.StartEvent{Thread: thread, Agent: "codex", TurnID: id, Prompt: "prompt of " + id})
	if err != nil {
		b.t.Fatal(err)
	}
	return t
}

func (b *bench) end(thread model.ThreadID, id string) model.Turn {
	b.t.Helper()
	t, err := b.l.End(b.t.Context(), ledger.EndEvent{Thread: thread, TurnID: id})
	if err != nil {
		b.t.Fatal(err)
	}
	return t
}

func (b *bench) endByHook(thread model.ThreadID, id string) model.Turn {
	b.t.Helper()
	t, err := b.l.End(b.t.Context(), ledger.EndEvent{Thread: thread, TurnID: id, ByHook: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return t
}

func (b *bench) turn(thread model.ThreadID, n int) model.Turn {
	b.t.Helper()
	t, err := b.l.Turn(b.t.Context(), thread, n)
	if err != nil {
		b.t.Fatal(err)
	}
	return t
}

func (b *bench) states(thread model.ThreadID) string {
	b.t.Helper()
	turns, err := b.l.Turns(b.t.Context(), thread, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	var list []string
	for _, t := range turns {
		list = append(list, string(t.State)+"/"+string(t.Status))
	}
	return strings.Join(list, " ")
}

// ref is what a boundary's ref holds, "" when it is not there.
func (b *bench) ref(thread model.ThreadID, tail string) string {
	out, err := b.GitMayFail("rev-parse", "-q", "--verify", b.refName(thread, tail))
	if err != nil {
		return ""
	}
	return out
}

func (b *bench) refName(thread model.ThreadID, tail string) string {
	return "refs/overturn/threads/" + thread.RefPart() + "/" + tail
}

func (b *bench) refList() string {
	return strings.ReplaceAll(b.Git("for-each-ref", "--format=%(refname)", "refs/overturn/threads"), "refs/overturn/threads/", "")
}

func want[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
