package writertest

import (
	"os"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/model/settings"
)

const records = 1000

// open opens the store that the processes of a test are told of.
func open(c checkpoint.Context) (checkpoint.Store, error) {
	return storetest.Topology(storetest.Primary(), c)
}

func openOn(primary string) storetest.Factory {
	return func(c checkpoint.Context) (checkpoint.Store, error) {
		return storetest.Topology(settings.Checkpoints{Primary: primary}, c)
	}
}

func TestMain(m *testing.M) {
	storetest.WriteIfAsked(open)
	os.Exit(m.Run())
}

func TestTwoProcessesRefs(t *testing.T) {
	storetest.ManyWriters(t, openOn(checkpoint.TypeRefs), checkpoint.TypeRefs, records)
}
func TestTwoProcessesBranch(t *testing.T) {
	storetest.ManyWriters(t, openOn(checkpoint.TypeBranch), checkpoint.TypeBranch, records)
}
