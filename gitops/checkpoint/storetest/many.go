package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// writerVariable tells a test binary that it is a process of ManyWriters: the folder of
// the repository, the name of the process, how many records it writes.
const writerVariable = "OVERTURN_TEST_WRITER"

// WriteIfAsked is what TestMain of a test that calls ManyWriters does first: in the
// processes that it starts, it writes their records and ends.
func WriteIfAsked(open Factory) {
	asked := os.Getenv(writerVariable)
	if asked == "" {
		return
	}
	parts := strings.SplitN(asked, ":", 3)
	n, err := strconv.Atoi(parts[1])
	if err == nil {
		err = writeMany(open, parts[2], parts[0], n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// packsBetween is after how many records a writer joins its packs, as the end of a
// turn does.
const packsBetween = 20

func writeMany(open Factory, dir, name string, n int) error {
	ctx := context.Background()
	repo, err := gitops.Find(ctx, dir, gitops.Env{Getenv: os.Getenv, Environ: os.Environ(), Clock: time.Now})
	if err != nil {
		return err
	}
	c := checkpoint.Context{Repo: repo, Objects: objects.Open(repo), Refs: refs.New(repo), Clock: time.Now}
	defer c.Objects.Close()
	store, err := open(c)
	if err != nil {
		return err
	}
	ids := model.NewIDSource(time.Now, rand.Reader)
	for i := 1; i <= n; i++ {
		id, err := store.NewID(ids)
		if err != nil {
			return err
		}
		rec := &checkpoint.Record{Format: checkpoint.FormatOf(store.Type()), Turn: model.Turn{Thread: model.ThreadID(name), Number: i, Checkpoint: id}}
		if err := checkpoint.CreateNow(ctx, c, store, rec); err != nil {
			return err
		}
		if i%packsBetween == 0 {
			if err := c.Objects.Join(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// ManyWriters has two processes write n records each to one repository at once: every
// one has to be there, whole.
func ManyWriters(t *testing.T, open Factory, primary string, n int) {
	repo := gittest.New(t)
	done := make(chan error)
	names := []string{"one", "other"}
	for _, name := range names {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(repo.Env.Environ, fmt.Sprintf("%s=%s:%d:%s", writerVariable, name, n, repo.Root), primaryVariable+"="+primary)
		go func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			done <- err
		}()
	}
	for range names {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	found, err := gitops.Find(t.Context(), repo.Root, repo.Env)
	if err != nil {
		t.Fatal(err)
	}
	c := checkpoint.Context{Repo: found, Objects: objects.Open(found), Refs: refs.New(found), Clock: time.Now}
	defer c.Objects.Close()
	store, err := open(c)
	if err != nil {
		t.Fatal(err)
	}
	infos, err := store.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, info := range infos {
		rec, err := store.Read(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		have[fmt.Sprintf("%s/%d", rec.Turn.Thread, rec.Turn.Number)] = true
	}
	for _, name := range names {
		for i := 1; i <= n; i++ {
			if key := fmt.Sprintf("%s/%d", name, i); !have[key] {
				t.Errorf("%s is lost", key)
			}
		}
	}
	if len(infos) != len(names)*n {
		t.Errorf("%d records, want %d", len(infos), len(names)*n)
	}
}
