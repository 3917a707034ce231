package branchstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/model"
)

func TestContract(t *testing.T) { storetest.Run(t, branchstore.Open) }

// put creates one record and returns its id.
func put(t *testing.T, b *storetest.Bench) model.ID {
	t.Helper()
	rec := b.Record(t, 1)
	b.Put(t, rec)
	return rec.ID()
}

func TestLayout(t *testing.T) {
	b := storetest.NewBench(t, branchstore.Open)
	b.Repo.Write("a", "x\n")
	b.Repo.Commit("the project's")
	before := b.Repo.Protected(t)
	id := put(t, b)
	if err := b.Store.Update(t.Context(), id, func(r *checkpoint.Record) error { r.Turn.MessageID = "m"; return nil }); err != nil {
		t.Fatal(err)
	}
	folder := string(id[:2]) + "/" + string(id[2:])
	got := strings.Fields(b.Repo.Git("ls-tree", "--name-only", checkpoint.BranchRef+":"+folder))
	if !slices.Equal(got, checkpoint.FileNames()) {
		t.Errorf("files are %v", got)
	}
	if got := b.Repo.Git("log", "--format=%an %s", checkpoint.BranchRef); got != "overturn Update of checkpoint "+string(id)+"\noverturn Checkpoint "+string(id) {
		t.Errorf("history is %q", got)
	}
	if checkpoint.KindOf(string(id)) != checkpoint.KindHex {
		t.Errorf("id is %q", id)
	}
	if diff := before.Diff(b.Repo.Protected(t)); diff != "" {
		t.Errorf("protected state changed: %s", diff)
	}
}

// TestCheckedOutAnywhere: under a work tree that stands on it the branch does not move,
// and what is not written is said.
func TestCheckedOutAnywhere(t *testing.T) {
	for name, hold := range map[string]func(b *storetest.Bench, other string){
		"here": func(b *storetest.Bench, _ string) { b.Repo.Git("checkout", "-q", "overturn/checkpoints/v1") },
		"in another work tree": func(b *storetest.Bench, other string) {
			b.Repo.Git("worktree", "add", "-q", other, "overturn/checkpoints/v1")
		},
		"in a rebase that stopped": rebasing,
	} {
		t.Run(name, func(t *testing.T) {
			b := storetest.NewBench(t, branchstore.Open)
			b.Repo.Write("a", "x\n")
			b.Repo.Commit("the project's")
			id := put(t, b)
			hold(b, filepath.Join(t.TempDir(), "other"))
			tip := b.Repo.Git("rev-parse", checkpoint.BranchRef)
			rec := b.Record(t, 2)
			for what, err := range map[string]error{
				"create": checkpoint.CreateNow(t.Context(), b.Context, b.Store, rec),
				"update": b.Store.Update(t.Context(), id, func(*checkpoint.Record) error { return nil }),
				"forget": b.Store.Forget(t.Context(), id),
			} {
				if model.CodeOf(err) != model.CodeFailed || !strings.Contains(err.Error(), "checked out") || model.HintOf(err) == "" {
					t.Errorf("%s: %v", what, err)
				}
			}
			if got := b.Repo.Git("rev-parse", checkpoint.BranchRef); got != tip {
				t.Errorf("the branch moved to %s", got)
			}
			if _, err := b.Store.Read(t.Context(), id); err != nil {
				t.Errorf("read: %v", err)
			}
		})
	}
}

// rebasing leaves HEAD detached in the middle of a rebase of the branch.
func rebasing(b *storetest.Bench, _ string) {
	dir := filepath.Join(b.Context.Repo.GitDir, "rebase-merge")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "head-name"), []byte(checkpoint.BranchRef+"\n"), 0o644)); err != nil {
		panic(err)
	}
}

// TestMovedByTheUser: to an older commit of its own it goes on from there; to anything
// else it is not touched, and read as an error, never as absence.
func TestMovedByTheUser(t *testing.T) {
	b := storetest.NewBench(t, branchstore.Open)
	b.Repo.Write("a", "x\n")
	b.Repo.Commit("the project's")
	first, second := put(t, b), put(t, b)
	b.Repo.Git("branch", "-q", "-f", "overturn/checkpoints/v1", "overturn/checkpoints/v1~1")
	if _, err := b.Store.Read(t.Context(), second); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("what was moved away from: %v", err)
	}
	third := put(t, b)
	for _, id := range []model.ID{first, third} {
		if _, err := b.Store.Read(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	b.Repo.Git("branch", "-q", "-f", "overturn/checkpoints/v1", "HEAD")
	rec := b.Record(t, 4)
	_, readErr := b.Store.Read(t.Context(), first)
	_, listErr := b.Store.List(t.Context())
	for what, err := range map[string]error{"read": readErr, "list": listErr, "create": checkpoint.CreateNow(t.Context(), b.Context, b.Store, rec)} {
		if err == nil || errors.Is(err, checkpoint.ErrNotFound) || !strings.Contains(err.Error(), "holds no checkpoint records") || model.HintOf(err) == "" {
			t.Errorf("%s of a branch that holds the project: %v", what, err)
		}
	}
	if got := b.Repo.Git("log", "--format=%s", "-1", checkpoint.BranchRef); got != "the project's" {
		t.Errorf("it was built upon: %s", got)
	}
}

// TestForeignEntriesSurvive: what a later version, or a person, put beside.
func TestForeignEntriesSurvive(t *testing.T) {
	b := storetest.NewBench(t, branchstore.Open)
	id := put(t, b)
	b.Repo.Write("extra", "a person's\n")
	blob := b.Repo.Git("hash-object", "-w", "extra")
	listing := b.Repo.Git("ls-tree", checkpoint.BranchRef) + "\n100644 blob " + blob + "\tREADME.md"
	tree, err := b.Context.Repo.GitInput(t.Context(), []byte(listing+"\n"), "mktree")
	if err != nil {
		t.Fatal(err)
	}
	b.Repo.Git("update-ref", checkpoint.BranchRef, b.Repo.Git("commit-tree", "-p", checkpoint.BranchRef, "-m", "read me", strings.TrimSpace(string(tree))))
	put(t, b)
	if err := b.Store.Forget(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := b.Repo.Git("show", checkpoint.BranchRef+":README.md"); got != "a person's" {
		t.Errorf("the entry is %q", got)
	}
	if list, err := b.Store.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("list: %v %v", list, err)
	}
}
