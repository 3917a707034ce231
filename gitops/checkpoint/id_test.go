package checkpoint_test

import (
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

func TestRefNames(t *testing.T) {
	for id, want := range map[model.ID]string{
		"01kvbjcwya4yw6j5m9gp655hzn": "refs/overturn/checkpoints/zn/01kvbjcwya4yw6j5m9gp655hzn",
		"a1b2c3d4e5f6":               "refs/overturn/checkpoints/f6/a1b2c3d4e5f6",
	} {
		got, err := checkpoint.RefName(id)
		if err != nil || got != want {
			t.Errorf("RefName(%s) = %q, %v", id, got, err)
		}
		if back, err := checkpoint.ParseRef(got); err != nil || back != id {
			t.Errorf("ParseRef(%q) = %q, %v", got, back, err)
		}
	}
}

func TestRefNamesRefused(t *testing.T) {
	const id = "01kvbjcwya4yw6j5m9gp655hzn"
	for what, name := range map[string]string{
		"empty": "", "prefix only": "refs/overturn/checkpoints/", "no id": "refs/overturn/checkpoints/zn/",
		"no shard": "refs/overturn/checkpoints/" + id, "wrong shard": "refs/overturn/checkpoints/aa/" + id,
		"upper shard": "refs/overturn/checkpoints/ZN/" + id, "upper id": "refs/overturn/checkpoints/ZN/" + strings.ToUpper(id),
		"further part": "refs/overturn/checkpoints/zn/" + id + "/x", "part before": "refs/overturn/checkpoints/x/zn/" + id,
		"upper hex": "refs/overturn/checkpoints/F6/A1B2C3D4E5F6", "alias letters": "refs/overturn/checkpoints/zo/01kvbjcwya4yw6j5m9gp655hzo",
		"time overflow": "refs/overturn/checkpoints/zn/81kvbjcwya4yw6j5m9gp655hzn", "sibling": "refs/overturn/checkpoints2/zn/" + id,
		"branch": checkpoint.BranchRef, "short hex": "refs/overturn/checkpoints/e5/a1b2c3d4e5",
	} {
		if got, err := checkpoint.ParseRef(name); err == nil || model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%s: ParseRef(%q) = %q, %v", what, name, got, err)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	f.Add("refs/overturn/checkpoints/zn/01kvbjcwya4yw6j5m9gp655hzn")
	f.Add("refs/overturn/checkpoints/f6/a1b2c3d4e5f6")
	f.Add("refs/overturn/checkpoints/ZN/01KVBJCWYA4YW6J5M9GP655HZN")
	f.Fuzz(func(t *testing.T, name string) {
		id, err := checkpoint.ParseRef(name)
		if err != nil {
			return
		}
		if back, err := checkpoint.RefName(id); err != nil || back != name {
			t.Fatalf("%q gave %q, which is %q, %v", name, id, back, err)
		}
	})
}
