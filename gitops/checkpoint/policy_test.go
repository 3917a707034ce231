package checkpoint_test

import (
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

func TestPolicyGatesFormats(t *testing.T) {
	for name, test := range map[string]struct {
		policy checkpoint.Policy
		format string
		says   string // "" is allowed
		hint   string
	}{
		"no policy":               {checkpoint.Policy{}, "refs-v1", "", ""},
		"the very version":        {checkpoint.Policy{Version: "refs-v1", MinVersion: "refs-v1"}, "refs-v1", "", ""},
		"older, above the least":  {checkpoint.Policy{Version: "refs-v1", MinVersion: "branch-v1"}, "branch-v1", "", ""},
		"older than the least":    {checkpoint.Policy{MinVersion: "refs-v1"}, "branch-v1", "asks for refs-v1 at least", "git-refs"},
		"newer than the version":  {checkpoint.Policy{Version: "branch-v1"}, "refs-v1", "asks for branch-v1", "git-branch"},
		"a later major":           {checkpoint.Policy{MinVersion: "refs-v2"}, "refs-v1", "does not know", "upgrade overturn"},
		"a later version allowed": {checkpoint.Policy{Version: "refs-v2", MinVersion: "refs-v1"}, "refs-v1", "does not know", "upgrade overturn"},
		"a family of its own":     {checkpoint.Policy{Version: "cloud-v1"}, "refs-v1", "does not know", "upgrade overturn"},
		"no format at all":        {checkpoint.Policy{MinVersion: "1.2"}, "refs-v1", "does not know", "upgrade overturn"},
	} {
		err := test.policy.Allows(test.format)
		if (err == nil) != (test.says == "") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (!strings.Contains(err.Error(), test.says) || !strings.Contains(model.HintOf(err), test.hint) || model.CodeOf(err) != model.CodeFailed) {
			t.Errorf("%s: %v (%s)", name, err, model.HintOf(err))
		}
	}
}

func TestFormats(t *testing.T) {
	for s, want := range map[string]bool{"branch-v1": true, "refs-v1": true, "refs-v12": true, "refs-v0": false, "refs-v01": false, "refs-v": false, "refs": false, "refs-v1 ": false, "Refs-v1": false, "refs-v-1": false, "refs-v+1": false, "": false} {
		if _, _, ok := checkpoint.ParseFormat(s); ok != want {
			t.Errorf("%q: %t", s, ok)
		}
	}
}

// TestPolicyFailsClosed: a policy that is there and cannot be read lets nothing be
// written, by any way; what is there is read as before.
func TestPolicyFailsClosed(t *testing.T) {
	r := newRig(t, refsFirst(), nil, nil)
	rec := r.Record(t, 1)
	r.Put(t, rec)
	blob := func(text string) string {
		r.Repo.Write("policy", text)
		return r.Repo.Git("hash-object", "-w", "policy")
	}
	tree := func(name, text string) string {
		out, err := r.Context.Repo.GitInput(t.Context(), []byte("100644 blob "+blob(text)+"\t"+name+"\n"), "mktree")
		if err != nil {
			t.Fatal(err)
		}
		return r.Repo.Git("commit-tree", "-m", "policy", strings.TrimSpace(string(out)))
	}
	for name, oid := range map[string]string{
		"not JSON":       tree("policy.json", "{"),
		"another type":   tree("policy.json", `{"checkpoint_version":1}`),
		"another file":   tree("other.json", "{}"),
		"no commit":      blob("{}"),
		"a later format": tree("policy.json", `{"checkpoint_min_version":"refs-v9"}`),
	} {
		r.Repo.Git("update-ref", checkpoint.PolicyRef, oid)
		for what, err := range map[string]error{
			"create": checkpoint.CreateNow(t.Context(), r.Context, r.top, r.Record(t, 2)),
			"update": r.top.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.MessageID = "x"; return nil }),
		} {
			if model.CodeOf(err) != model.CodeFailed || model.HintOf(err) == "" {
				t.Errorf("%s, %s: %v (%s)", name, what, err, model.HintOf(err))
			}
		}
		if got, err := r.top.Read(t.Context(), rec.ID()); err != nil || got.Turn.MessageID != "" {
			t.Errorf("%s: %v %v", name, got, err)
		}
		if list, err := r.top.List(t.Context()); err != nil || len(list) != 1 {
			t.Errorf("%s: %v %v", name, list, err)
		}
	}
	// A ref at what is no commit is replaced; it does not become a parent.
	r.Repo.Git("update-ref", checkpoint.PolicyRef, blob("{}"))
	for range 2 {
		if err := checkpoint.WritePolicy(t.Context(), r.Context, checkpoint.Policy{Version: "refs-v1"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Repo.Git("rev-list", "--count", checkpoint.PolicyRef); got != "2" {
		t.Errorf("%s commits of the policy, 2 expected", got)
	}
	if p, err := checkpoint.ReadPolicy(t.Context(), r.Context); err != nil || p.Version != "refs-v1" || p.MinVersion != "" {
		t.Errorf("%+v %v", p, err)
	}
	r.Put(t, r.Record(t, 3))
}
