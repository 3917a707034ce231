package entire

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Reader reads what the Entire CLI left in one repository. It is safe for several
// goroutines.
type Reader struct {
	repo    *gitops.Repo
	objects *objects.Store
	refs    *refs.Store

	mu   sync.Mutex
	kept map[string]*Checkpoint // by the tree of the record: it never changes
	seen map[string][]place     // the places on a branch, by its tree
}

// New returns a reader; it reads nothing yet.
func New(repo *gitops.Repo, objs *objects.Store, store *refs.Store) *Reader {
	return &Reader{repo: repo, objects: objs, refs: store, kept: map[string]*Checkpoint{}, seen: map[string][]place{}}
}

// place is where a record was found.
type place struct {
	id   string
	ref  string // and, on a branch, the folder: REF:FOLDER
	tree string // of the record
}

// List reads the records: those that have refs, then those on the branch, here or as
// remotes had it when they were fetched last. Of an id that is in several places the
// first counts. What cannot be read is noted.
func (r *Reader) List(ctx context.Context) ([]*Checkpoint, []model.RefNote, error) {
	places, odd, err := r.places(ctx)
	if err != nil {
		return nil, nil, err
	}
	var list []*Checkpoint
	known := map[string]bool{}
	for _, p := range places {
		if known[p.id] {
			continue
		}
		known[p.id] = true
		c, err := r.read(ctx, p)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err != nil {
			odd = append(odd, model.RefNote{Ref: p.ref, Reason: err.Error()})
			continue
		}
		list = append(list, c)
	}
	return list, odd, nil
}

func (r *Reader) places(ctx context.Context) ([]place, []model.RefNote, error) {
	found, odd, err := r.refPlaces(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, prefix := range r.branches() {
		heads, broken, err := r.refs.Others(ctx, prefix)
		if err != nil {
			return nil, nil, err
		}
		odd = append(odd, broken...)
		for _, head := range heads {
			if head.Name != prefix {
				continue
			}
			on, notes := r.branchPlaces(ctx, head)
			found, odd = append(found, on...), append(odd, notes...)
		}
	}
	return found, odd, ctx.Err()
}

// branches are the names under which the branch may be here.
func (r *Reader) branches() []string {
	list := []string{branchPrefix + branch}
	remotes := map[string]bool{}
	for _, key := range r.repo.ConfigKeys("remote.") {
		name := strings.TrimPrefix(key, "remote.")
		if at := strings.LastIndexByte(name, '.'); at > 0 {
			remotes[name[:at]] = true
		}
	}
	var names []string
	for name := range remotes {
		names = append(names, "refs/remotes/"+name+"/"+branch)
	}
	slices.Sort(names)
	return append(append(list, names...), branchPrefix+oldBranch)
}

// refPlaces are the records that have a ref each.
func (r *Reader) refPlaces(ctx context.Context) ([]place, []model.RefNote, error) {
	list, odd, err := r.refs.Others(ctx, refPrefix)
	if err != nil {
		return nil, nil, err
	}
	var found []place
	strangers, first := 0, ""
	for _, ref := range list {
		id, ok := idOfRef(ref.Name)
		if !ok {
			if strangers++; strangers == 1 {
				first = ref.Name
			}
			continue
		}
		tree, err := r.treeOf(ctx, ref.OID)
		if err != nil {
			odd = append(odd, model.RefNote{Ref: ref.Name, Reason: err.Error()})
			continue
		}
		found = append(found, place{id, ref.Name, tree})
	}
	if strangers > 0 {
		odd = append(odd, model.RefNote{Ref: refPrefix, Reason: fmt.Sprintf("%d of the refs below it are of no form that is known of the Entire CLI, the first %s", strangers, first)})
	}
	return found, odd, ctx.Err()
}

// branchPlaces are the folders of a branch, two characters of the id above the rest.
func (r *Reader) branchPlaces(ctx context.Context, head refs.Ref) ([]place, []model.RefNote) {
	fail := func(at string, err error) []model.RefNote {
		return []model.RefNote{{Ref: at, Reason: err.Error()}}
	}
	root, err := r.treeOf(ctx, head.OID)
	if err != nil {
		return nil, fail(head.Name, err)
	}
	key := head.Name + " " + root
	r.mu.Lock()
	found, ok := r.seen[key]
	r.mu.Unlock()
	if ok {
		return found, nil
	}
	shards, err := r.objects.Tree(ctx, root)
	if err != nil {
		return nil, fail(head.Name, err)
	}
	var odd []model.RefNote
	for _, shard := range shards {
		if !shard.IsTree() || len(shard.Name) != shardSize {
			continue
		}
		records, err := r.objects.Tree(ctx, shard.OID)
		if err != nil {
			odd = append(odd, fail(head.Name+":"+shard.Name, err)...)
			continue
		}
		for _, rec := range records {
			if id := shard.Name + rec.Name; rec.IsTree() && ValidID(id) {
				found = append(found, place{id, head.Name + ":" + shard.Name + "/" + rec.Name, rec.OID})
			}
		}
	}
	if len(odd) == 0 {
		r.mu.Lock()
		r.seen[key] = found
		r.mu.Unlock()
	}
	return found, odd
}

// treeOf is the tree of a commit.
func (r *Reader) treeOf(ctx context.Context, oid string) (string, error) {
	c, err := r.objects.Commit(ctx, oid)
	if err != nil {
		return "", model.Failf(err, "%s is no commit that can be read", oid)
	}
	return c.Tree, nil
}
