package snapshot

import (
	"context"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Options tune an Engine; zero values stand for the defaults.
type Options struct {
	MaxFileSize int64 // bytes; larger files are left out. 0: 100 MiB
	Workers     int   // goroutines that stat and hash. 0: two
	Clock       model.Clock
}

// Engine captures one work tree. It is safe for several goroutines; captures of
// one work tree in several processes do not disturb one another.
type Engine struct {
	repo *gitops.Repo
	objs *objects.Store
	refs *refs.Store
	opts Options
}

// New returns the engine of repo's work tree.
func New(repo *gitops.Repo, objs *objects.Store, store *refs.Store, opts Options) *Engine {
	if opts.MaxFileSize == 0 {
		opts.MaxFileSize = 100 << 20
	}
	if opts.Workers == 0 {
		opts.Workers = 2
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Engine{repo: repo, objs: objs, refs: store, opts: opts}
}

// reader is what reading a stored snapshot needs of an object store.
type reader interface {
	Commit(ctx context.Context, oid string) (objects.Commit, error)
	Tree(ctx context.Context, oid string) ([]objects.TreeEntry, error)
	Blob(ctx context.Context, oid string) ([]byte, error)
	Lookup(ctx context.Context, tree string, path model.Path) (objects.TreeEntry, bool, error)
}
