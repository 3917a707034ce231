//go:build linux && amd64

package faulttest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// after plays calls on a folder that holds "old" and says what a power cut leaves.
func after(t *testing.T, keep Keep, calls ...*Call) map[string]string {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "old"), []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &Recording{Root: root, Calls: calls}
	var err error
	if r.disk, err = scan(root); err != nil {
		t.Fatal(err)
	}
	if err := r.Cut(len(calls), keep, root); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			data, rerr := os.ReadFile(path)
			found[path[len(root)+1:]], err = string(data), rerr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPowerCutLeavesWhatWasSynced: by each way of keeping, a file that is replaced
// the careful way, and the ways that leave a step out.
func TestPowerCutLeavesWhatWasSynced(t *testing.T) {
	// Paths are taken from the root, which the calls here do not know.
	create := &Call{Name: "openat", Path: "tmp", Flags: unix.O_CREAT, Mode: 0o644}
	write := &Call{Name: "write", Path: "tmp", Data: []byte("after!")}
	sync, folder := &Call{Name: "fsync", Path: "tmp"}, &Call{Name: "fsync", Path: ""}
	rename := &Call{Name: "renameat2", Path: "tmp", To: "old"}
	exchange := &Call{Name: "renameat2", Path: "tmp", To: "old", Flags: unix.RENAME_EXCHANGE}
	strict, named := Keep{}, Keep{Names: AllNames}
	for name, c := range map[string]struct {
		keep  Keep
		calls []*Call
		want  map[string]string
	}{
		"careful":                      {strict, []*Call{create, write, sync, rename, folder}, map[string]string{"old": "after!"}},
		"no sync of the folder":        {strict, []*Call{create, write, sync, rename}, map[string]string{"old": "before"}},
		"no sync of the file":          {strict, []*Call{create, write, rename, folder}, map[string]string{"old": ""}},
		"no sync, zeros":               {Keep{Names: AllNames, Bytes: ZeroBytes}, []*Call{create, write, rename}, map[string]string{"old": "\x00\x00\x00\x00\x00\x00"}},
		"no sync, half":                {Keep{Names: AllNames, Bytes: HalfBytes}, []*Call{create, write, rename}, map[string]string{"old": "aft"}},
		"no sync, as a kill":           {Keep{Names: AllNames, Bytes: AllBytes}, []*Call{create, write, rename}, map[string]string{"old": "after!"}},
		"synced too early":             {named, []*Call{create, sync, write, rename}, map[string]string{"old": ""}},
		"exchange":                     {strict, []*Call{create, write, sync, exchange, folder}, map[string]string{"old": "after!", "tmp": "before"}},
		"exchange that was not synced": {strict, []*Call{create, write, sync, folder, exchange}, map[string]string{"old": "before", "tmp": "after!"}},
		"unlink that was not synced":   {strict, []*Call{{Name: "unlinkat", Path: "old"}}, map[string]string{"old": "before"}},
		"unlink":                       {strict, []*Call{{Name: "unlinkat", Path: "old"}, folder}, map[string]string{}},
		"appended":                     {named, []*Call{{Name: "write", Path: "old", Off: 6, Data: []byte("+")}}, map[string]string{"old": "before"}},
		"everything":                   {strict, []*Call{create, write, rename, {Name: "syncfs", Path: ""}}, map[string]string{"old": "after!"}},
		"a folder without its name":    {strict, []*Call{{Name: "mkdirat", Path: "d", Mode: 0o755}, {Name: "openat", Path: "d/f", Flags: unix.O_CREAT, Mode: 0o600}, {Name: "fsync", Path: "d/f"}, {Name: "fsync", Path: "d"}}, map[string]string{"old": "before"}},
		"written by a name that went": {strict, []*Call{create, {Name: "linkat", Path: "tmp", To: "kept"}, {Name: "unlinkat", Path: "tmp"}, {Name: "write", Path: "tmp", Gone: true, Data: []byte("x")}, {Name: "fsync", Path: "tmp", Gone: true}, folder},
			map[string]string{"old": "before", "kept": "x"}},
		"calls that fail": {named, []*Call{{Name: "linkat", Path: "old", To: "no/where"}, {Name: "renameat2", Path: "none", To: "old"}, {Name: "unlinkat", Path: "old", Flags: unix.AT_REMOVEDIR}}, map[string]string{"old": "before"}},
	} {
		if got := after(t, c.keep, c.calls...); !maps.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPowerCutByChance: the same seed gives the same disk, and every disk is one that
// the calls can have left.
func TestPowerCutByChance(t *testing.T) {
	calls := []*Call{
		{Name: "openat", Path: "tmp", Flags: unix.O_CREAT, Mode: 0o644}, {Name: "write", Path: "tmp", Data: []byte("after!")},
		{Name: "renameat2", Path: "tmp", To: "old"},
	}
	seen := map[string]bool{}
	for seed := range uint64(60) {
		for _, names := range []Names{FirstNames, SomeNames} {
			keep := Keep{Names: names, Bytes: SomeBytes, Seed: seed}
			got := after(t, keep, calls...)
			if again := after(t, keep, calls...); !maps.Equal(got, again) {
				t.Errorf("seed %d: %q, and then %q", seed, got, again)
			}
			seen[got["old"]] = true
		}
	}
	for _, want := range []string{"before", "", "aft", "after!", "\x00\x00\x00\x00\x00\x00"} {
		if !seen[want] {
			t.Errorf("%q never came: %v", want, seen)
		}
	}
	if len(seen) != 5 {
		t.Errorf("disks: %v", seen)
	}
}
