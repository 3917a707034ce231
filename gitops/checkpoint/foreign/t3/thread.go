package t3

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Reader reads what T3 Code left in one repository. It is safe for several goroutines.
type Reader struct {
	objects *objects.Store
	refs    *refs.Store
	home    string
	commits commits

	databases map[string]readDB // by path, under the lock of commits
}

// New returns a reader; it reads nothing yet. home is T3 Code's own folder, where its
// database is; "" where that is not known.
func New(objs *objects.Store, store *refs.Store, home string) *Reader {
	return &Reader{objects: objs, refs: store, home: home}
}

// Boundary is a ref of T3 Code's at the moment that it was listed.
type Boundary struct {
	Name   Name
	Ref    string
	Commit string // "" where Broken says why there is none
	Broken string
}

// Thread is one thread of T3 Code: of the second generation, one scope.
type Thread struct {
	ID         model.ThreadID
	Generation Generation
	Segment    string
	Ends       map[int]Boundary // after turn n; 0 is before the first
	Starts     map[int]Boundary // before turn n, where T3 Code captured that
}

// Newest is the number of the newest turn.
func (t *Thread) Newest() int {
	newest := 0
	for n := range t.Ends {
		newest = max(newest, n)
	}
	return newest
}

// Turns are the numbers of the turns, in order. Gaps are usual: a capture that failed, a
// ref that was deleted.
func (t *Thread) Turns() []int {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(t.Ends)), func(n int) bool { return n == 0 })
}

// Before is the boundary from which turn n went out: its own start, else the end of the
// turn before. False where there is neither.
func (t *Thread) Before(n int) (Boundary, bool) {
	if b, ok := t.Starts[n]; ok && b.Broken == "" {
		return b, true
	}
	b, ok := t.Ends[n-1]
	return b, ok
}

// Threads lists the threads, in order of their segments. What is broken belongs to its
// thread and is told as well; refs of no known form are counted in one note.
func (r *Reader) Threads(ctx context.Context) ([]*Thread, []model.RefNote, error) {
	list, broken, err := r.refs.Others(ctx, Root)
	if err != nil || len(list)+len(broken) == 0 {
		return nil, nil, err
	}
	all := &gathering{threads: map[threadKey]*Thread{}}
	for _, ref := range list {
		all.add(Boundary{Ref: ref.Name, Commit: ref.OID})
	}
	for _, b := range broken {
		all.add(Boundary{Ref: b.Ref, Broken: b.Reason})
	}
	threads := slices.SortedFunc(maps.Values(all.threads), func(a, b *Thread) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Segment, b.Segment))
	})
	if all.strangers > 0 {
		broken = append(broken, model.RefNote{Ref: Root, Reason: fmt.Sprintf("%d of the refs below it are of no form that is known of T3 Code, the first %s", all.strangers, all.stranger)})
	}
	return threads, broken, nil
}

type threadKey struct {
	generation Generation
	segment    string
}

// gathering puts refs into threads.
type gathering struct {
	threads   map[threadKey]*Thread
	strangers int
	stranger  string // the first of them
}

func (g *gathering) add(b Boundary) {
	name, ok := ParseName(b.Ref)
	if !ok {
		if g.strangers++; g.strangers == 1 {
			g.stranger = b.Ref
		}
		return
	}
	key := threadKey{name.Generation, name.Segment}
	t := g.threads[key]
	if t == nil {
		t = &Thread{
			ID: idOf(name.Generation, name.Segment), Generation: name.Generation, Segment: name.Segment,
			Ends: map[int]Boundary{}, Starts: map[int]Boundary{},
		}
		g.threads[key] = t
	}
	b.Name = name
	if name.Start {
		t.Starts[name.Number] = b
	} else {
		t.Ends[name.Number] = b
	}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
