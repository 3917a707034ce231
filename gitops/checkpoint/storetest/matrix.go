package storetest

import (
	"os"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/filestore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/model/settings"
)

const primaryVariable = "OVERTURN_CHECKPOINTS_PRIMARY"

// Primary is the backend that suites which run over each of them use now: what
// OVERTURN_CHECKPOINTS_PRIMARY names, as .ci/run does in turn, else git-refs. It is the
// one thing that tests take from the environment that they are started in.
func Primary() settings.Checkpoints {
	if name := os.Getenv(primaryVariable); name != "" {
		return settings.Checkpoints{Primary: name}
	}
	return settings.Checkpoints{Primary: settings.DefaultPrimary}
}

// Topology opens the stores of the program.
func Topology(set settings.Checkpoints, c checkpoint.Context) (*checkpoint.Topology, error) {
	return checkpoint.NewRegistry(map[string]checkpoint.Backend{
		checkpoint.TypeRefs:   {GitBacked: true, Open: refstore.Open},
		checkpoint.TypeBranch: {GitBacked: true, Open: branchstore.Open},
		checkpoint.TypeFiles:  {Open: filestore.Open},
	}).Topology(set, c)
}
