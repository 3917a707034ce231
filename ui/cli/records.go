package cli

import (
	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/filestore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/remotes"
	"overturn/gitops/remotes/queue"
	"overturn/model/settings"
	"overturn/model/trace"
)

// backends are the checkpoint stores that this program knows.
func backends() *checkpoint.Registry {
	return checkpoint.NewRegistry(map[string]checkpoint.Backend{
		checkpoint.TypeRefs:   {GitBacked: true, Open: refstore.Open},
		checkpoint.TypeBranch: {GitBacked: true, Open: branchstore.Open},
		checkpoint.TypeFiles:  {Open: filestore.Open},
	})
}

// recordContext is what the stores of a repository are built from. Nothing in it uses
// the network: the queue only notes what a later push sends.
func (a *app) recordContext(repo *gitops.Repo, objs *objects.Store, store *refs.Store, tr trace.Recorder) checkpoint.Context {
	return checkpoint.Context{Repo: repo, Objects: objs, Refs: store, Clock: a.env.Clock, Trace: tr, Queue: queue.Open(repo, store, a.env.Clock)}
}

// recordsWith opens the records, with remotes behind them where the user asked for those:
// one that is not here is then fetched, once.
func (e *engines) recordsWith(remote bool) (*checkpoint.Topology, error) {
	if !remote {
		return e.records, nil
	}
	x, err := e.remotes(remotes.Limits{})
	if err != nil {
		return nil, err
	}
	c := e.app.recordContext(e.repo, e.objects, e.refs, e.trace)
	c.Fetch = x.Fetch
	return openRecords(e.settings.Checkpoints, c)
}

// openRecords opens the stores that the settings name.
func openRecords(set settings.Checkpoints, c checkpoint.Context) (*checkpoint.Topology, error) {
	return backends().Topology(set, c)
}
