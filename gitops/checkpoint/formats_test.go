package checkpoint_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

// fixtures are records that releases wrote, a folder each; docs/formats.md promises that
// they can be read for ever.
const fixtures = "testdata/formats"

// newestFixture is the one that this version writes. When what it writes changes, the
// old one stays and a new one comes: name it here, and run this test once with
// OVERTURN_WRITE_FIXTURE=1.
const newestFixture = "2"

// fixture is the record of every fixture: every field and file set.
func fixture() *checkpoint.Record {
	at := time.Date(2026, 11, 30, 8, 0, 1, 5000, time.UTC)
	end := at.Add(time.Minute)
	bound := func(ref, oid string) *model.Boundary {
		return &model.Boundary{Ref: ref, Commit: oid, Tree: oid[:39] + "0", Head: oid[:39] + "1", Branch: "refs/heads/main", CapturedAt: at,
			Inventory: model.Inventory{Staged: []model.Noted{{Path: "s", Reason: "added"}}, Unstaged: []model.Noted{{Path: "u", Reason: "modified"}}, Untracked: []model.Noted{{Path: "n", Reason: "untracked"}},
				Submodules: []model.Submodule{{Path: "lib", Head: oid}}}}
	}
	const oid = "0123456789abcdef0123456789abcdef01234567"
	return &checkpoint.Record{
		Format: checkpoint.FormatRefs, Repository: "01kvbjcwya4yw6j5m9gp655hzr",
		Turn: model.Turn{
			Thread: "thread", Agent: "codex", WorkTree: "main", Number: 3, TurnID: "id", Prompt: "line one\nline \x1b[31mtwo \xff\n", State: model.TurnFailed,
			Checkpoint: "01kvbjcwya4yw6j5m9gp655hzn", Status: model.StatusReady, StatusReason: "captured 2s after the end", Ref: "refs/overturn/threads/dGhyZWFk/turn/3",
			Start: bound("refs/overturn/threads/dGhyZWFk/start/3", oid), End: bound("refs/overturn/threads/dGhyZWFk/turn/3", "f"+oid[1:]), Base: oid, HeadMoved: true, MessageID: "m",
			StartedAt: at, CompletedAt: &end,
			Files:   []model.FileChange{{Path: "raw\xfe.txt", OldPath: "old.txt", Change: model.Renamed, Additions: 3, Deletions: 2, Owner: model.OwnerMixed}, {Path: "b", Change: model.Added, Binary: true, Owner: model.OwnerAgent}},
			LeftOut: []model.Noted{{Path: "big.bin", Reason: "over the size limit"}},
			Effects: []model.Effect{{Domain: model.DomainPublication, Summary: "git push", Reversible: model.ReversibleNo, Compensation: "revert it there", Identity: "origin main", At: at}},
		},
		Evidence:    []byte("{\"kind\":\"tool\",\"at\":\"2026-11-30T08:00:02Z\",\"phase\":\"post\",\"tool\":\"Bash\"}\n"),
		Changes:     []byte(":000000 100644 0000000000000000000000000000000000000000 " + oid + " A\x00raw\xfe.txt\x00"),
		Transcript:  []byte("{\"role\":\"user\"}\n{\"role\":\"assistant\"}\n"),
		Attribution: &checkpoint.Attribution{At: end, Files: []model.FileChange{{Path: "raw\xfe.txt", Change: model.Added, Additions: 3, Owner: model.OwnerUser}}},
	}
}

func TestReleasesAreRead(t *testing.T) {
	want := fixture()
	if os.Getenv("OVERTURN_WRITE_FIXTURE") != "" {
		writeFixture(t, want)
	}
	folders, err := os.ReadDir(fixtures)
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	for _, folder := range folders {
		files := readFixture(t, folder.Name())
		got, err := checkpoint.Decode(want.ID(), files)
		if err != nil {
			t.Fatalf("release %s: %v", folder.Name(), err)
		}
		again, err := checkpoint.Encode(got)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range files { // what a release wrote survives an update by this one
			if again[name] == nil || len(again[name]) < len(data) {
				t.Errorf("release %s: %s became %q", folder.Name(), name, again[name])
			}
		}
		if folder.Name() != newestFixture {
			continue
		}
		if written, err := checkpoint.Encode(want); err != nil || !maps.EqualFunc(written, files, bytes.Equal) {
			t.Errorf("this version writes another form than fixture %s (%v): keep it, and add one beside", newestFixture, err)
		}
		if !reflect.DeepEqual(got.Turn.Files, want.Turn.Files) || got.Turn.Prompt != want.Turn.Prompt || !reflect.DeepEqual(got.Attribution, want.Attribution) {
			t.Errorf("read as %+v", got)
		}
	}
}

func readFixture(t *testing.T, name string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(fixtures, name, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func writeFixture(t *testing.T, rec *checkpoint.Record) {
	t.Helper()
	files, err := checkpoint.Encode(rec)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(fixtures, newestFixture)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
