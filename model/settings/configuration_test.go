package settings_test

import (
	"fmt"
	"testing"
)

// TestCheckpointsAreConfigured: the block "checkpoints" and what stands over it, row by
// row. A broken block chooses nothing: what is in force is what the layers that are
// whole say, and Load's error has verbs fail.
func TestCheckpointsAreConfigured(t *testing.T) {
	block := func(inside string) string { return `{"checkpoints":{` + inside + `}}` }
	const branch, refs, files = `"primary":{"type":"git-branch"}`, `"primary":{"type":"git-refs"}`, `"mirrors":[{"type":"files"}]`
	env := func(pairs ...string) map[string]string {
		list := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			list[pairs[i]] = pairs[i+1]
		}
		return list
	}
	const primary, mirrors = "OVERTURN_CHECKPOINTS_PRIMARY", "OVERTURN_CHECKPOINTS_MIRRORS"
	for name, c := range map[string]struct {
		in     layers
		env    map[string]string
		want   string // primary and mirrors
		broken bool
	}{
		"the whole block is absent: git-refs, no mirrors":          {layers{}, nil, "git-refs []", false},
		"an explicit primary":                                      {layers{project: block(branch)}, nil, "git-branch []", false},
		"a mirror beside it":                                       {layers{project: block(branch + "," + files)}, nil, "git-branch [files]", false},
		"primary.type is required":                                 {layers{project: block(files)}, nil, "git-refs []", true},
		"the local block replaces the project's whole":             {layers{project: block(branch + "," + files), local: block(refs)}, nil, "git-refs []", false},
		"the project's block replaces the user's whole":            {layers{user: block(refs + "," + files), project: block(branch)}, nil, "git-branch []", false},
		"an unknown field is refused":                              {layers{project: block(branch + `,"mirror":[]`)}, nil, "git-refs []", true},
		"an unknown field of a backend is refused":                 {layers{project: block(`"primary":{"type":"git-branch","x":1}`)}, nil, "git-refs []", true},
		"a broken file is told, and takes the others' for nothing": {layers{user: block(branch), local: `{"checkpoints":`}, nil, "git-branch []", true},
		"the environment wins over the block":                      {layers{project: block(refs)}, env(primary, "git-branch"), "git-branch []", false},
		"the environment replaces the block, mirrors too":          {layers{project: block(refs + "," + files)}, env(primary, "git-branch"), "git-branch []", false},
		"mirrors of the environment, with commas":                  {layers{}, env(primary, "git-refs", mirrors, "files,git-branch"), "git-refs [files git-branch]", false},
		"one of each type":                                         {layers{project: block(refs + `,"mirrors":[{"type":"git-refs"}]`)}, nil, "git-refs []", true},
	} {
		s, err := load(t, c.in, c.env)
		if got := fmt.Sprint(s.Checkpoints.Primary, " ", s.Checkpoints.Mirrors); got != c.want || (err != nil) != c.broken {
			t.Errorf("%s: %s, %v; want %s", name, got, err, c.want)
		}
	}
}
