//go:build system && linux

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDurability watches the real program (it needs strace): no rule is broken in
// captures, a rollback and an undo, and each of them did what it is watched for.
func TestDurability(t *testing.T) {
	program := filepath.Join(t.TempDir(), "overturn")
	if out, err := exec.Command("go", "build", "-o", program, "overturn").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := newStage(program, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range scenes() {
		r, err := s.play(c)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, f := range r.faults {
			t.Errorf("%s: %s", c.name, f)
		}
		if r.objects == 0 || len(r.refs) == 0 || r.syncs < 4 {
			t.Errorf("%s: hardly anything was seen: %+v", c.name, r)
		}
		if marks := strings.Join(r.marks, " "); !strings.HasPrefix(c.name, "capture") && (!strings.HasPrefix(marks, "prepared beside swapped") || !strings.Contains(marks, "applied")) {
			t.Errorf("%s: journal %q", c.name, marks)
		}
	}
}
