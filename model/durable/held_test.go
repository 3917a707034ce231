package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"overturn/model/durable"
)

func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	is := func(want bool) durable.Holder {
		t.Helper()
		who, held, err := durable.Held(path)
		if err != nil || held != want {
			t.Fatalf("held: %t, %v, want %t", held, err, want)
		}
		return who
	}
	is(false)
	lock, err := durable.TryAcquire(path, "rollback")
	if err != nil {
		t.Fatal(err)
	}
	if who := is(true); who.PID != os.Getpid() || who.What != "rollback" {
		t.Errorf("held by %+v", who)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	is(false)
	is(false) // the look itself holds nothing
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the look changed the file: %q, %v", after, err)
	}
}
