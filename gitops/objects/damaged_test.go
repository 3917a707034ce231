package objects_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/model"
)

// TestPackThatGcTook: a pack that is mapped here and gone from the disk vouches for
// nothing, and what it held is written again.
func TestPackThatGcTook(t *testing.T) {
	r := gittest.New(t)
	oid := r.GitInput("unreferenced", "hash-object", "-w", "--stdin")
	r.GitInput(oid+"\n", "pack-objects", "-q", filepath.Join(r.Root, ".git/objects/pack/pack"))
	r.Git("prune-packed")
	time.Sleep(120 * time.Millisecond) // the folder's time vouches for the list
	ctx, s := context.Background(), open(t, r)
	if ok, err := s.Has(ctx, oid); !ok || err != nil {
		t.Fatalf("before: %v, %v", ok, err)
	}
	packs, err := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/*"))
	if err != nil || len(packs) == 0 {
		t.Fatal(packs, err)
	}
	for _, file := range packs {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	w := s.NewWriter()
	if got, err := w.Write(objects.TypeBlob, []byte("unreferenced")); got != oid || err != nil || w.Pending() != 1 {
		t.Errorf("%s, %v, %d pending", got, err, w.Pending())
	}
	w.Discard()
	if ok, err := s.Has(ctx, oid); ok || err != nil {
		t.Errorf("after: %v, %v", ok, err)
	}
}

func TestDamagedObjects(t *testing.T) {
	r := gittest.New(t, gittest.Unchecked())
	r.Write("a", strings.Repeat("content\n", 500))
	r.Commit("one")
	oid := r.Git("rev-parse", "HEAD:a")
	file := filepath.Join(r.Root, ".git/objects", oid[:2], oid[2:])
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(r.Root, ".git/objects", r.Git("rev-parse", "HEAD^{tree}")[:2], r.Git("rev-parse", "HEAD^{tree}")[2:]))
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string][]byte{"empty": nil, "half": whole[:len(whole)/2], "no zlib": []byte("nonsense that is long enough"), "another object": other}
	for i := 2; i < len(whole); i += 11 {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 0x10
		damage[fmt.Sprint("bit at ", i)] = flipped
	}
	for name, data := range damage {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o444); err != nil {
			t.Fatal(err)
		}
		s := open(t, r)
		got, err := s.Blob(context.Background(), oid)
		if err == nil && s.Hash(objects.TypeBlob, got) == oid && strings.HasPrefix(name, "bit") {
			continue // a bit that carries nothing: the content is whole
		}
		if err == nil || errors.Is(err, objects.ErrNotFound) || model.HintOf(err) == "" {
			t.Errorf("%s: %v (hint %q)", name, err, model.HintOf(err))
		}
	}
	// A whole copy in a pack is found beside the damaged one.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole, 0o444); err != nil {
		t.Fatal(err)
	}
	r.Git("repack", "-aq")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:9], 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, r).Blob(context.Background(), oid); err != nil {
		t.Errorf("with a whole copy in a pack: %v", err)
	}
}

func TestDamagedPackIsAnErrorOrAnotherCopy(t *testing.T) {
	r := gittest.New(t, gittest.Unchecked())
	history(t, r)
	r.Git("repack", "-adfq")
	packs, err := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/pack-*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	whole, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	ids := strings.Fields(r.Git("rev-list", "--all", "--objects", "--no-object-names"))
	failed := 0
	for i := 20; i < len(whole)-20; i += len(whole) / 6 {
		data := append([]byte(nil), whole...)
		data[i] ^= 0x41
		if err := os.Remove(packs[0]); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(packs[0], data, 0o444); err != nil {
			t.Fatal(err)
		}
		s := open(t, r)
		for _, oid := range ids {
			typ, got, err := s.Read(context.Background(), oid)
			if err != nil {
				failed++
			} else if s.Hash(typ, got) != oid {
				t.Fatalf("%s was read wrong", oid)
			}
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed")
	}
}
