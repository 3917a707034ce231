//go:build system && linux

package casebook_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"overturn/ui/cli/clitest"
)

// Disks that are full or may not be written. These tests mount, and so need root.

// mounted is the repository of b moved into a small file system of its own.
func (b *book) mounted(t *testing.T, size string) *book {
	t.Helper()
	at := filepath.Join(t.TempDir(), "small")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", at, "tmpfs", 0, "size="+size); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(at, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	root := filepath.Join(at, "repo")
	if out, err := exec.Command("cp", "-a", b.Root, root).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	return bookOf(t, repoOf(t, b, root))
}

// fill writes until nothing more fits, and returns how to make room again.
func (b *book) fill() (free func()) {
	b.t.Helper()
	name := filepath.Join(filepath.Dir(b.Root), "filler")
	f, err := os.Create(name)
	if err != nil {
		b.t.Fatal(err)
	}
	for chunk := 1 << 16; chunk > 0; chunk /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(bytes.Repeat([]byte{'x'}, chunk))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			b.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			b.t.Fatal(err)
		}
	}
}

// TestFullDisk: a capture that does not fit says so in its turn or in an error, a
// rollback writes nothing, a hook is a guest, and with room all goes on.
func TestFullDisk(t *testing.T) {
	b := newReviewed(t)
	b.ok("stage", "1", "--", "a")
	b = b.mounted(t, "16m")
	print := b.plan().Fingerprint

	free := b.fill()
	before := b.world()
	for _, verb := range [][]string{{"status"}, {"turns"}, {"show", "1"}, {"diff", "1", "--patch"}, {"plan"}} {
		b.ok(verb...)
	}
	for _, verb := range [][]string{{"rollback", "--expect", print}, {"stage", "1", "--", "sub/b"}} {
		s := b.exits(1, append([]string{"--json"}, verb...)...)
		b.explained(s, "no space left", verb)
	}
	if s := b.fed(`{"event":"turn-start","thread":"H","turn_id":"1","prompt":"x"}`, "hook", "generic"); s.code != 0 || s.stdout != "" {
		t.Errorf("hook: %+v", s)
	}
	s := b.overturn("--json", "turn", "start", "--thread", "U", "--turn-id", "1")
	switch s.code {
	case 0:
		if !strings.Contains(s.stdout, `"status":"error"`) {
			t.Errorf("the turn claims a start: %s", s.stdout)
		}
	case 1:
		b.explained(s, "no space left", []string{"turn start"})
	default:
		t.Errorf("turn start: %+v", s)
	}
	b.same(before)
	free()

	b.stagedIs("a")
	b.carry(0)
	b.reads("a", "one\n")
	b.turn("T", func() { b.Write("c", "new\n") })
	if turn := b.show("T", "2"); turn.Status != "ready" || turn.names() != "c added" {
		t.Errorf("the next turn: %+v", turn)
	}
	b.quiet()
}

// TestFullDiskAtTheEnd: the disk fills while the agent works. The turn is not
// claimed to be captured, and what it made is untouched.
func TestFullDiskAtTheEnd(t *testing.T) {
	b := newReviewed(t).mounted(t, "16m")
	b.start("T")
	b.sh("head -c 3000000 /dev/urandom > large; printf 'three\n' > a")
	free := b.fill()
	before := b.world()
	s := b.overturn("--json", "turn", "end", "--thread", "T")
	if s.code == 0 && !strings.Contains(s.stdout, `"status":"error"`) || s.code != 0 && s.code != 1 {
		t.Errorf("turn end: %+v", s)
	}
	b.same(before)
	free()
	b.ok("turn", "end", "--thread", "T")
	turn := b.show("T", "2")
	if turn.Status == "ready" && turn.names() != "a modified, large added" || turn.Status != "ready" && turn.StatusReason == "" {
		t.Errorf("turn 2: %+v", turn)
	}
	b.turn("T", func() { b.Write("c", "new\n") })
	if turn := b.show("T", "3"); turn.Status != "ready" || turn.names() != "c added" {
		t.Errorf("turn 3: %+v", turn)
	}
	b.quiet()
}

// readOnlyRefusals holds what reads and what is refused where nothing can be written.
func (b *book) readOnlyRefusals(print, says string) {
	b.t.Helper()
	before := b.world()
	for _, verb := range [][]string{{"status"}, {"turns"}, {"threads"}, {"show", "1"}, {"diff", "1", "--patch"}, {"diff", "working"}, {"plan"}, {"history"}, {"trace"}} {
		b.ok(verb...)
	}
	for _, verb := range [][]string{{"rollback", "--expect", print}, {"stage", "1", "--", "sub/b"}, {"unstage"}, {"undo"}, {"turn", "start", "--thread", "U"}, {"turn", "end", "--thread", "T"}} {
		s := b.exits(1, append([]string{"--json"}, verb...)...)
		b.explained(s, says, verb)
	}
	for _, agent := range []string{"generic", "codex", "claude-code"} {
		s := b.fed(`{"event":"turn-start","session_id":"s","hook_event_name":"UserPromptSubmit","thread":"H","turn_id":"1","prompt":"x"}`, "hook", agent)
		if s.code != 0 || s.stdout != "" || strings.Contains(s.stderr, "panic") {
			b.t.Errorf("hook %s: %+v", agent, s)
		}
	}
	b.same(before)
}

// TestReadOnlyFileSystem mounts the repository again, read-only.
func TestReadOnlyFileSystem(t *testing.T) {
	b := newReviewed(t)
	b.ok("stage", "1", "--", "a")
	b = b.mounted(t, "16m")
	print := b.plan().Fingerprint
	at := filepath.Dir(b.Root)
	remount := func(flags uintptr) {
		if err := syscall.Mount("tmpfs", at, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
			t.Fatal(err)
		}
	}
	remount(syscall.MS_RDONLY)
	b.readOnlyRefusals(print, "read-only file system")
	remount(0)
	b.carry(0)
	b.reads("a", "one\n")
	b.quiet()
}

// TestReadOnlyToOthers is another user, who may read everything and write nothing.
func TestReadOnlyToOthers(t *testing.T) {
	b := newReviewed(t)
	b.ok("stage", "1", "--", "a")
	print := b.plan().Fingerprint
	b = b.copyOf(t)
	at, own := filepath.Dir(b.Root), clitest.Bin()
	b.sh("mkdir -p " + at + "/home/.config; chmod 755 " + at + "; chmod -R go+rX " + b.Root + "; cp " + own + " " + at + "/overturn; chmod 755 " + at + "/overturn" +
		"; printf '#!/bin/sh\\nexec setpriv --reuid 65534 --regid 65534 --clear-groups " + at + "/overturn \"$@\"\\n' > " + at + "/other; chmod 755 " + at + "/other; chown -R 65534 " + at + "/home")
	t.Setenv("OVERTURN_TEST_BIN", at+"/other")
	home := at + "/home"
	other := b.with("HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "OVERTURN_HOME="+home+"/overturn", "OVERTURN_ARGV_LOG=")

	// git itself does not trust it at first, and says what to do.
	other.refused(10, "does not trust", "status")
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[safe]\n\tdirectory = *\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	other.readOnlyRefusals(print, "permission denied")
	t.Setenv("OVERTURN_TEST_BIN", own)
	b.carry(0)
	b.reads("a", "one\n")
}
