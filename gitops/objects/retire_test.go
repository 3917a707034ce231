//go:build unix

package objects_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"overturn/gitops/gittest"
)

// TestRetire parts what is not needed: it is there for two weeks whatever gc does, and
// then gone with the next gc, but for what the user has come to rest on.
func TestRetire(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	edits(t, r, s, 0, 12)
	users := r.Git("rev-parse", "refs/overturn/t1:f0")
	r.Git("update-index", "--add", "--cacheinfo", "100644,"+users+",mine")
	gone := r.Git("rev-parse", "refs/overturn/t2:f0")
	for i := range 10 {
		r.Git("update-ref", "-d", fmt.Sprint("refs/overturn/t", i))
	}
	needed := func(context.Context) (map[string]string, error) {
		paths := map[string]string{}
		for _, line := range strings.Split(r.Git("rev-list", "--objects", "--glob=refs/overturn"), "\n") {
			id, path, _ := strings.Cut(line, " ")
			paths[id] = path
		}
		return paths, nil
	}
	done, err := s.Retire(ctx, needed, false)
	if err != nil || done.Objects < 40 || done.After >= done.Before {
		t.Fatalf("%+v, %v", done, err)
	}
	has := func(id string) bool {
		_, err := r.GitMayFail("cat-file", "-e", id)
		return err == nil
	}
	r.Git("gc", "-q", "--prune=now")
	if !has(gone) || !has(users) {
		t.Error("retired objects went before their time")
	}
	long := time.Now().Add(-16 * 24 * time.Hour)
	for _, pack := range packs(t, r, ".pack") {
		if err := os.Chtimes(pack, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RollUp(ctx); err != nil {
		t.Fatal(err)
	}
	loose := r.Git("count-objects")
	r.Git("gc", "-q") // as it comes, with its own two weeks
	if has(gone) || !has(users) {
		t.Errorf("after two weeks: the retired object is there: %v, the user's: %v", has(gone), has(users))
	}
	if got := r.Git("count-objects"); got != loose {
		t.Errorf("gc wrote retired objects out: %s, before: %s", got, loose)
	}
	r.Check()
	// At once, when asked so.
	r.Git("update-ref", "-d", "refs/overturn/t10")
	gone = r.Git("rev-parse", "refs/overturn/t11:f0")
	r.Git("update-ref", "-d", "refs/overturn/t11")
	edits(t, r, s, 20, 1)
	if done, err := s.Retire(ctx, needed, true); err != nil || done.Objects == 0 || !has(gone) {
		t.Fatalf("%+v, %v, %v", done, err, has(gone))
	}
	r.Git("gc", "-q", "--prune=now")
	if has(gone) || !has(users) || !has("refs/overturn/t20") {
		t.Error("gc --prune=now did not judge what was let go")
	}
	r.Check()
}

// TestSweep: what is left by the dead goes, what the living write stays.
func TestSweep(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	edits(t, r, s, 0, 1)
	folder := filepath.Join(r.Root, ".git/objects/pack")
	aged := func(name string, age time.Duration) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("overturn\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dead, young, users := aged("tmp_pack_overturn-AAAA", time.Minute), aged("tmp_pack_overturn-BBBB", 0), aged("tmp_pack_CCCC", 1000*time.Hour)
	half, fresh := aged("pack-00.keep", 2*time.Hour), aged("pack-01.keep", time.Minute)
	alive := aged("tmp_pack_overturn-DDDD", time.Minute)
	f, err := os.Open(alive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := s.Join(ctx); err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{dead: false, young: true, users: true, half: false, fresh: true, alive: true} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	for _, path := range []string{young, users, fresh} {
		os.Remove(path)
	}
}
