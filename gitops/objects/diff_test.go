package objects_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
)

// raw is a change as `git diff-tree -r -z --raw` has it, without the status.
func raw(c objects.TreeChange, zero string) string {
	id := func(s string) string {
		if s == "" {
			return zero
		}
		return s
	}
	return fmt.Sprintf("%06o %06o %s %s %s", c.OldMode, c.NewMode, id(c.OldOID), id(c.NewOID), c.Path)
}

func TestDiffIsThatOfGit(t *testing.T) {
	r := gittest.New(t)
	r.Write("same/deep/file", "x")
	r.Write("gone/a", "x")
	r.Write("a", "file that becomes a folder")
	r.Write("b/x", "folder that becomes a file")
	r.Write("a.b", "sorts between a and a/")
	r.Write("a-", "sorts before a/")
	r.Write("mode", "m")
	r.Write("odd \xff\n\"name", "x")
	r.Symlink("target", "link")
	one := r.Commit("one")
	r.Remove("gone")
	r.Remove("a")
	r.Write("a/inside", "now")
	r.Remove("b")
	r.Write("b", "now")
	r.Write("a.b", "changed")
	r.Chmod("mode", 0o755)
	r.Remove("link")
	r.Write("link", "a file now")
	r.Write("odd \xff\n\"name", "y")
	r.Write("z/new", "n")
	two := r.Commit("two")
	empty := r.Git("hash-object", "-t", "tree", "/dev/null")
	s, ctx := open(t, r), context.Background()
	for _, pair := range [][2]string{{one, two}, {two, one}, {empty, two}, {one, empty}, {one, one}} {
		tree := func(rev string) string {
			if rev == empty {
				return ""
			}
			return r.Git("rev-parse", rev+"^{tree}")
		}
		var want []string
		fields := strings.Split(strings.TrimSuffix(r.Git("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", pair[0], pair[1]), "\x00"), "\x00")
		for i := 0; i+1 < len(fields); i += 2 {
			f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
			want = append(want, strings.Join(f[:4], " ")+" "+fields[i+1])
		}
		changes, err := s.Diff(ctx, tree(pair[0]), tree(pair[1]))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes {
			got = append(got, raw(c, strings.Repeat("0", 40)))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%v: got\n%q\nwant\n%q", pair, got, want)
		}
	}
	stop := errors.New("enough")
	n := 0
	err := s.DiffFunc(ctx, "", r.Git("rev-parse", two+"^{tree}"), func(objects.TreeChange) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("a stream that was stopped: %v after %d", err, n)
	}
}

func BenchmarkDiff(b *testing.B) {
	r := gittest.New(b)
	for i := range 2000 {
		r.Write(fmt.Sprintf("d%d/e%d/f%d", i%20, i%7, i), fmt.Sprint(i))
	}
	one := r.Commit("one")
	for i := 0; i < 2000; i += 10 {
		r.Write(fmt.Sprintf("d%d/e%d/f%d", i%20, i%7, i), "changed")
	}
	two := r.Commit("two")
	r.Git("repack", "-adfq")
	repo := r.Open()
	a, c := r.Git("rev-parse", one+"^{tree}"), r.Git("rev-parse", two+"^{tree}")
	for b.Loop() {
		s := objects.Open(repo)
		if changes, err := s.Diff(context.Background(), a, c); err != nil || len(changes) != 200 {
			b.Fatal(len(changes), err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
