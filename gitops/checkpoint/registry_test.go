package checkpoint_test

import (
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/refstore"
	"overturn/model"
)

func TestRegistry(t *testing.T) {
	r := checkpoint.NewRegistry(map[string]checkpoint.Backend{
		checkpoint.TypeRefs:  {GitBacked: true, Open: refstore.Open},
		checkpoint.TypeFiles: {Open: refstore.Open},
	})
	for _, c := range []struct {
		name    string
		primary bool
		says    string // "" is accepted
	}{
		{checkpoint.TypeRefs, true, ""}, {checkpoint.TypeRefs, false, ""}, {checkpoint.TypeFiles, false, ""},
		{checkpoint.TypeFiles, true, "only be a mirror"}, {"nope", true, "no checkpoint backend"}, {"nope", false, "no checkpoint backend"},
	} {
		err := r.Check(c.name, c.primary)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s as primary %t: %v", c.name, c.primary, err)
		}
		if err != nil && (model.CodeOf(err) != model.CodeUsage || !strings.Contains(model.HintOf(err), checkpoint.TypeRefs)) {
			t.Errorf("%s: code %s, hint %q", c.name, model.CodeOf(err), model.HintOf(err))
		}
	}
	if got := strings.Join(r.Types(false), " "); got != "files git-refs" {
		t.Errorf("types are %q", got)
	}
	if store, err := r.Open(checkpoint.TypeRefs, true, checkpoint.Context{}); err != nil || store.Type() != checkpoint.TypeRefs {
		t.Errorf("open: %v %v", store, err)
	}
}
