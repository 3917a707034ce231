package patch

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitMergeFile runs the real program; ok is false where it finds conflicts.
func gitMergeFile(t testing.TB, dir string, base, ours, theirs []byte) (merged []byte, ok bool) {
	t.Helper()
	for name, content := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "merge-file", "-p", "-q", "ours", "base", "theirs")
	cmd.Dir = dir
	cmd.Env = gitEnv(dir)
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 127) {
		t.Fatalf("git merge-file: %v", err)
	}
	return out, err == nil
}

func gitEnv(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
}

// mutate changes n places of lines: insertions, deletions, replacements, moves.
func mutate(r *rand.Rand, lines []string, n, words int) []string {
	out := append([]string(nil), lines...)
	word := func() string { return fmt.Sprint(r.Intn(words)) }
	for ; n > 0; n-- {
		at := r.Intn(len(out) + 1)
		switch r.Intn(4) {
		case 0:
			out = append(out[:at:at], append([]string{word()}, out[at:]...)...)
		case 1:
			if at < len(out) {
				out = append(out[:at:at], out[at+1:]...)
			}
		case 2:
			if at < len(out) {
				out[at] = word()
			}
		default:
			to := min(len(out), at+r.Intn(5))
			block := append([]string(nil), out[at:to]...)
			out = append(out[:at:at], out[to:]...)
			at = r.Intn(len(out) + 1)
			out = append(out[:at:at], append(block, out[at:]...)...)
		}
	}
	return out
}

func randomLines(r *rand.Rand, n, words int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprint(r.Intn(words))
	}
	return lines
}

func joinLines(r *rand.Rand, lines []string, ending string) []byte {
	text := strings.Join(lines, ending)
	if len(lines) > 0 && r.Intn(4) > 0 {
		text += ending
	}
	return []byte(text)
}

// TestMergeIsGits holds Merge against `git merge-file` on random texts: the same
// bytes, or a conflict on both sides. Few words mean many ambiguous alignments;
// the long ones reach git's cut-offs.
func TestMergeIsGits(t *testing.T) {
	cases := []struct{ rounds, lines, words, edits int }{
		{100, 12, 2, 3}, {100, 30, 3, 5}, {60, 40, 10, 6}, {40, 60, 1000, 8},
		{15, 800, 4, 40}, {2, 4000, 3, 700}, {2, 3000, 50000, 900}, {2, 6000, 300, 2500},
	}
	dir := t.TempDir()
	for _, c := range cases {
		merged := 0
		for seed := range c.rounds {
			r := rand.New(rand.NewSource(int64(seed)))
			lines := randomLines(r, 1+r.Intn(c.lines), c.words)
			ending := []string{"\n", "\n", "\n", "\r\n"}[r.Intn(4)]
			base := joinLines(r, lines, ending)
			ours := joinLines(r, mutate(r, lines, r.Intn(c.edits), c.words), ending)
			theirs := joinLines(r, mutate(r, lines, r.Intn(1+c.edits/4), c.words), ending)
			want, ok := gitMergeFile(t, dir, base, ours, theirs)
			got, conflicts := Merge(base, ours, theirs)
			if ok != (len(conflicts) == 0) || ok && !bytes.Equal(got, want) {
				t.Fatalf("%+v seed %d: git merges: %v, we find %v\nbase %.300q\nours %.300q\ntheirs %.300q\n got %.300q\nwant %.300q", c, seed, ok, conflicts, base, ours, theirs, got, want)
			}
			if ok {
				merged++
			}
		}
		if c.lines < 100 && (merged == 0 || merged == c.rounds) {
			t.Errorf("%+v: %d of %d merged: the texts prove nothing", c, merged, c.rounds)
		}
	}
}

func TestMergeCases(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs, want string
		conflicts                      int
	}{
		{"far apart", "a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n", 0},
		{"neighbours", "a\nb\n", "A\nb\n", "a\nB\n", "", 1},
		{"same change", "a\nb\n", "A\nb\n", "A\nb\n", "A\nb\n", 0},
		{"same change and another", "a\nb\nc\nd\n", "A\nb\nc\nD\n", "A\nb\nc\nd\n", "A\nb\nc\nD\n", 0},
		{"edit against deletion", "a\nb\nc\n", "a\nB\nc\n", "a\nc\n", "", 1},
		{"final newline stays away", "a\nb\nc", "A\nb\nc", "a\nb\nc", "A\nb\nc", 0},
		{"final newline on one side", "a\nb\nc", "a\nb\nc\n", "A\nb\nc", "A\nb\nc\n", 0},
		{"CRLF kept", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n", 0},
		{"binary", "a\x00\nb\nc\n", "A\x00\nb\nc\n", "a\x00\nb\nC\n", "", 1},
		{"binary, ours unchanged", "a\x00", "a\x00", "b\x00", "b\x00", 0},
		{"two conflicts", "a\nb\nc\nd\ne\n", "1\nb\nc\nd\n1\n", "2\nb\nc\nd\n2\n", "", 2},
		{"all gone", "a\n", "a\n", "", "", 0},
	} {
		got, conflicts := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs))
		if len(conflicts) != c.conflicts || string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, conflicts)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nB\nc\n"), []byte("a\nb\nc\nd"))
	f.Add([]byte(""), []byte("x"), []byte("x\n"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		if got, c := Merge(base, ours, base); c != nil || !bytes.Equal(got, ours) {
			t.Fatalf("no change of theirs: %q %v", got, c)
		}
		got, c := Merge(base, ours, theirs)
		back, d := Merge(base, theirs, ours)
		if len(c) != len(d) || c == nil && !bytes.Equal(got, back) {
			t.Fatalf("sides are not alike: %q %v, %q %v", got, c, back, d)
		}
		b, o, th := NewText(base), NewText(ours), NewText(theirs)
		for _, x := range c {
			for _, side := range []struct {
				r    Range
				text Text
			}{{x.Base, b}, {x.Ours, o}, {x.Theirs, th}} {
				if side.r.From < 0 || side.r.From > side.r.To || side.r.To > side.text.Lines() {
					t.Fatalf("%v lies outside", x)
				}
			}
		}
	})
}
