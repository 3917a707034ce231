package filestore_test

import (
	"testing"

	"overturn/gitops/checkpoint/filestore"
	"overturn/gitops/checkpoint/storetest"
)

func TestContract(t *testing.T) { storetest.Run(t, filestore.Open) }
