package patch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
)

// state is what a side of a target looks like on disk.
func state(kind model.Kind, perm uint32, content string) model.FileState {
	if kind == model.KindAbsent {
		return model.Absent()
	}
	sum := sha256.Sum256([]byte(content))
	mode := "120000"
	if kind == model.KindFile {
		mode = fmt.Sprintf("%06o", 0o100000|perm)
	}
	return model.FileState{Kind: kind, Mode: mode, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
}

func (w work) target(path string, from model.FileState, before string, to model.FileState, after string) NormTarget {
	t := NormTarget{Path: model.Path(path), From: from, To: to, FromContent: []byte(before), ToContent: []byte(after)}
	if from.Kind != model.KindAbsent {
		t.FromID = w.id(entry{"100644", before})
	}
	if to.Kind != model.KindAbsent {
		t.ToID = w.id(entry{"100644", after})
	}
	return t
}

// TestNormalisedApplies: `git apply` takes the patch and makes the after state of
// every kind of target, whatever its name and whatever git is told by its
// configuration; binary contents come from the object database.
func TestNormalisedApplies(t *testing.T) {
	file, link, absent := model.KindFile, model.KindLink, model.KindAbsent
	for _, format := range []string{"sha1", "sha256"} {
		w := newWork(t, "--object-format="+format)
		w.git("config", "diff.noprefix", "true")
		w.git("config", "apply.whitespace", "fix")
		var targets []NormTarget
		for i, name := range oddNames() {
			before := fmt.Sprintf("one %d\ntwo \nthree", i)
			w.write(name, before, 0o644)
			targets = append(targets, w.target(name, state(file, 0o644, before), before, state(file, 0o644, "one\ntwo \nthree\n"), "one\ntwo \nthree\n"))
		}
		add := func(path string, from model.FileState, before string, to model.FileState, after string) {
			switch from.Kind {
			case file:
				w.write(path, before, os.FileMode(permOf(from)))
			case link:
				if err := os.Symlink(before, filepath.Join(w.dir, path)); err != nil {
					t.Fatal(err)
				}
			}
			targets = append(targets, w.target(path, from, before, to, after))
		}
		add("crlf", state(file, 0o644, "a\r\nb\r\n"), "a\r\nb\r\n", state(file, 0o644, "a\r\nB\r\n"), "a\r\nB\r\n")
		add("gone", state(file, 0o644, "x\n"), "x\n", state(absent, 0, ""), "")
		add("gone-empty", state(file, 0o644, ""), "", state(absent, 0, ""), "")
		add("deep/new", state(absent, 0, ""), "", state(file, 0o755, "y\n"), "y\n")
		add("new-empty", state(absent, 0, ""), "", state(file, 0o644, ""), "")
		add("mode", state(file, 0o644, "m\n"), "m\n", state(file, 0o755, "m\n"), "m\n")
		add("private", state(file, 0o644, "p\n"), "p\n", state(file, 0o600, "p\n"), "p\n")
		add("binary", state(file, 0o644, "\x00new"), "\x00new", state(file, 0o644, "\x00old"), "\x00old")
		add("link", state(link, 0, "here"), "here", state(link, 0, "there"), "there")
		add("file-to-link", state(file, 0o644, "f\n"), "f\n", state(link, 0, "gone-away"), "gone-away")
		add("already", state(file, 0o644, "s\n"), "s\n", state(file, 0o644, "s\n"), "s\n")
		w.write("conflict", "c\n", 0o644)
		conflict := w.target("conflict", state(file, 0o644, "c\n"), "c\n", state(file, 0o644, "c\n"), "c\n")
		conflict.Conflict = true
		targets = append(targets, conflict)

		patch := Normalised(targets)
		head, _, _ := strings.Cut(string(patch), "diff --git ")
		if n := strings.Count(head, "\n"); n != len(targets) || strings.Count(head, "# now ") != n {
			t.Errorf("%s: %d lines for %d targets:\n%s", format, n, len(targets), head)
		}
		if !strings.Contains(head, " conflict path conflict\n") || strings.Contains(string(patch), "a/conflict") {
			t.Errorf("%s: the conflict is not in its line alone:\n%s", format, patch)
		}
		w.apply(patch)
		for _, target := range targets {
			w.check(target)
		}
	}
}

func permOf(s model.FileState) (perm uint32) {
	fmt.Sscanf(s.Mode[3:], "%o", &perm)
	return perm
}

func (w work) apply(patch []byte) {
	w.t.Helper()
	file := filepath.Join(w.t.TempDir(), "patch")
	if err := os.WriteFile(file, patch, 0o644); err != nil {
		w.t.Fatal(err)
	}
	for _, args := range [][]string{{"apply", "--check", "-p1", "--whitespace=nowarn", file}, {"apply", "-p1", "--whitespace=nowarn", file}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = w.dir, gitEnv(w.dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %v: %v %s\n%s", args, err, out, patch)
		}
	}
}

func (w work) check(target NormTarget) {
	w.t.Helper()
	full := filepath.Join(w.dir, string(target.Path))
	info, err := os.Lstat(full)
	switch target.To.Kind {
	case model.KindAbsent:
		if err == nil {
			w.t.Errorf("%q is still there", target.Path)
		}
	case model.KindLink:
		if text, err := os.Readlink(full); err != nil || text != string(target.ToContent) {
			w.t.Errorf("%q leads to %q, %v", target.Path, text, err)
		}
	default:
		content, err := os.ReadFile(full)
		if err != nil || string(content) != string(target.ToContent) {
			w.t.Errorf("%q holds %q, %v", target.Path, content, err)
		} else if (info.Mode()&0o100 != 0) != (permOf(target.To)&0o100 != 0) {
			w.t.Errorf("%q has mode %v", target.Path, info.Mode())
		}
	}
}

func TestNormalisedLine(t *testing.T) {
	target := NormTarget{Path: "a b\n", From: state(model.KindFile, 0o600, "x"), To: model.Absent(), FromID: strings.Repeat("1", 40),
		FromContent: []byte("x"), Index: &IndexChange{FromMode: "100644", FromID: strings.Repeat("2", 40)}}
	want := "# now file 100600 1 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881 after absent 000000 0 - index 100644 " +
		strings.Repeat("2", 40) + " - - path \"a b\\n\"\n"
	got, _, _ := strings.Cut(string(Normalised([]NormTarget{target})), "diff --git")
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestFingerprint(t *testing.T) {
	// printf abc | sha256sum
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := Fingerprint([]byte("abc")); got != want {
		t.Errorf("%s", got)
	}
	if err := ParseFingerprint(want); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"", want[1:], want + "0", strings.ToUpper(want), "g" + want[1:], " " + want[1:], want[:63] + "\n"} {
		if err := ParseFingerprint(s); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%q: %v", s, err)
		}
	}
}
