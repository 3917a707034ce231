package refstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/model"
)

func TestContract(t *testing.T) { storetest.Run(t, refstore.Open) }

func TestHistoryIsItsOwn(t *testing.T) {
	b := storetest.NewBench(t, refstore.Open)
	b.Repo.Write("a", "x\n")
	b.Repo.Commit("the project's")
	before := b.Repo.Protected(t)
	rec := b.Record(t, 3)
	b.Put(t, rec)
	name, err := checkpoint.RefName(rec.ID())
	if err != nil {
		t.Fatal(err)
	}
	if parents := b.Repo.Git("log", "--format=%P", name); parents != "" {
		t.Errorf("the first commit has parents %q", parents)
	}
	first := b.Repo.Git("rev-parse", name)
	for range 2 {
		if err := b.Store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.MessageID += "x"; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.Repo.Git("rev-parse", name+"~2"); got != first {
		t.Errorf("the history does not lead to the first commit: %s, want %s", got, first)
	}
	files := strings.Fields(b.Repo.Git("ls-tree", "--name-only", name))
	if !slices.Equal(files, checkpoint.FileNames()) {
		t.Errorf("files are %v", files)
	}
	if kinds := b.Repo.Git("for-each-ref", "--format=%(objecttype)", "refs/overturn"); kinds != "commit" {
		t.Errorf("refs hold %q", kinds)
	}
	if diff := before.Diff(b.Repo.Protected(t)); diff != "" {
		t.Errorf("protected state changed: %s", diff)
	}
}

func TestForeignEntriesSurvive(t *testing.T) {
	b := storetest.NewBench(t, refstore.Open)
	rec := b.Record(t, 1)
	b.Put(t, rec)
	name, _ := checkpoint.RefName(rec.ID())
	b.Repo.Write("extra", "later version's\n")
	blob := b.Repo.Git("hash-object", "-w", "extra")
	tree := b.Repo.Git("rev-parse", name+"^{tree}")
	listing := b.Repo.Git("ls-tree", tree) + "\n100644 blob " + blob + "\tsession.json"
	grown, err := b.Context.Repo.GitInput(t.Context(), []byte(listing+"\n"), "mktree")
	if err != nil {
		t.Fatal(err)
	}
	commit := b.Repo.Git("commit-tree", "-p", name, "-m", "later", strings.TrimSpace(string(grown)))
	b.Repo.Git("update-ref", name, commit)
	if err := b.Store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.Effects = nil; r.Evidence = nil; return nil }); err != nil {
		t.Fatal(err)
	}
	if got := b.Repo.Git("show", name+":session.json"); got != "later version's" {
		t.Errorf("the entry of a later version is %q", got)
	}
	files := strings.Fields(b.Repo.Git("ls-tree", "--name-only", name))
	if slices.Contains(files, checkpoint.FileEffects) || slices.Contains(files, checkpoint.FileEvidence) {
		t.Errorf("what was emptied is still there: %v", files)
	}
}

func TestDamageIsNamed(t *testing.T) {
	b := storetest.NewBench(t, refstore.Open)
	for file, want := range map[string]string{"metadata.json": "metadata.json", "effects.json": "effects.json"} {
		rec := b.Record(t, 1)
		b.Put(t, rec)
		name, _ := checkpoint.RefName(rec.ID())
		b.Repo.Write("bad", "{ not json")
		blob := b.Repo.Git("hash-object", "-w", "bad")
		var lines []string
		for _, line := range strings.Split(b.Repo.Git("ls-tree", name), "\n") {
			if strings.HasSuffix(line, "\t"+file) {
				line = "100644 blob " + blob + "\t" + file
			}
			lines = append(lines, line)
		}
		tree, err := b.Context.Repo.GitInput(t.Context(), []byte(strings.Join(lines, "\n")+"\n"), "mktree")
		if err != nil {
			t.Fatal(err)
		}
		b.Repo.Git("update-ref", name, b.Repo.Git("commit-tree", "-m", "bad", strings.TrimSpace(string(tree))))
		_, err = b.Store.Read(t.Context(), rec.ID())
		if err == nil || errors.Is(err, checkpoint.ErrNotFound) || !strings.Contains(err.Error(), want) || model.HintOf(err) == "" {
			t.Errorf("read of a damaged %s: %v", file, err)
		}
	}
}

func TestListSkipsForeignRefs(t *testing.T) {
	b := storetest.NewBench(t, refstore.Open)
	rec := b.Record(t, 1)
	b.Put(t, rec)
	name, _ := checkpoint.RefName(rec.ID())
	commit := b.Repo.Git("rev-parse", name)
	for _, foreign := range []string{
		"refs/overturn/checkpoints2/zz/" + string(rec.ID()),
		"refs/overturn/checkpoints/zz/other",
		"refs/overturn/checkpoints/00/" + string(rec.ID()),
	} {
		b.Repo.Git("update-ref", foreign, commit)
	}
	b.Repo.Git("pack-refs", "--all")
	list, err := b.Store.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Ref != name || list[0].Commit != commit {
		t.Errorf("list is %+v, %v", list, err)
	}
	if got, err := b.Store.Read(t.Context(), rec.ID()); err != nil || got.ID() != rec.ID() {
		t.Errorf("read through packed refs: %v", err)
	}
}

func TestHexIsNotMadeHere(t *testing.T) {
	b := storetest.NewBench(t, refstore.Open)
	rec := b.Record(t, 1)
	rec.Turn.Checkpoint = "a1b2c3d4e5f6"
	if _, err := b.Store.Create(t.Context(), b.Context.Objects.NewWriter(), rec); model.CodeOf(err) != model.CodeUsage {
		t.Errorf("create of a hex id: %v", err)
	}
}
