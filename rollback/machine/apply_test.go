//go:build linux || darwin

package machine_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback/plan"
)

// change is what a turn did to one text, and what stands there now.
type change struct {
	path                 model.Path
	first, last, present []byte
	hunks                []int // of the exact comparison, those that are taken out
}

// changes are what the turn did to paths whose three sides are files with lines.
func (w *world) changes() []change {
	w.t.Helper()
	cmp, err := w.source.Open(w.t.Context(), latest())
	w.must(err)
	now := w.state()
	var list []change
	for _, f := range cmp.Files() {
		if f.Gitlink {
			continue
		}
		first, last, err := cmp.Sides(w.t.Context(), f)
		w.must(err)
		present, ok := w.present(now, f.Path)
		if !ok || !lines(first) || !lines(last) || !lines(present) {
			continue
		}
		c := change{f.Path, first.Content, last.Content, present.Content, nil}
		for _, h := range c.diff().Exact() {
			c.hunks = append(c.hunks, h.Number)
		}
		if len(c.hunks) > 0 {
			list = append(list, c)
		}
	}
	return list
}

func lines(v plan.Version) bool {
	return v.State.Kind == model.KindFile && !patch.IsBinary(v.Content)
}

func (c change) diff() *patch.Diff { return patch.Compare(c.first, c.last, patch.Options{}) }

// applied has git take the hunks of each change out: the patch that the review shows of
// them, turned round, by three-way merge. Of each the text is returned, nil where git
// finds a conflict.
func (w *world) applied(list []change) [][]byte {
	w.t.Helper()
	if len(list) == 0 {
		return nil
	}
	dir := w.t.TempDir()
	w.must(gittest.InitFiles(dir, "sha1"))
	git := w.At(dir)
	var all strings.Builder
	for n, c := range list {
		git.Write(fmt.Sprint(n), string(c.present))
		w.store(dir, c.last)
		all.WriteString(c.patch(w, fmt.Sprint(n)))
	}
	git.Git("add", "-A")
	out := make([][]byte, len(list))
	_, failed := git.GitInputMayFail(all.String(), "apply", "--reverse", "--3way", "--whitespace=nowarn", "-")
	open := ""
	if failed != nil {
		if open = git.Git("ls-files", "--unmerged"); open == "" {
			w.t.Fatalf("git does not take the patch: %v\n%s", failed, all.String())
		}
	}
	for n := range list {
		if !slices.ContainsFunc(strings.Split(open, "\n"), func(row string) bool { return strings.HasSuffix(row, fmt.Sprintf("\t%d", n)) }) {
			out[n] = []byte(git.Read(fmt.Sprint(n)))
		}
	}
	return out
}

// patch is what `overturn diff --patch --exact` prints of the hunks, under another name.
func (c change) patch(w *world, name string) string {
	w.t.Helper()
	var b strings.Builder
	h := patch.FileHeader{Path: model.Path(name), OldMode: "100644", NewMode: "100644", OldID: blob(c.first), NewID: blob(c.last)}
	d := c.diff()
	w.must(patch.Unified(&b, h, d))
	part := strings.SplitAfter(b.String(), "\n@@ ")
	text := strings.TrimSuffix(part[0], "@@ ")
	for i, hunk := range part[1:] {
		if slices.Contains(c.hunks, i+1) {
			text += "@@ " + strings.TrimSuffix(hunk, "@@ ")
		}
	}
	if len(part)-1 != len(d.Exact()) {
		w.t.Fatalf("%q: the patch has %d hunks, and %d are counted", c.path, len(part)-1, len(d.Exact()))
	}
	return text
}

func blob(content []byte) string { return fmt.Sprintf("%x", sha1.Sum(loose(content))) }

func loose(content []byte) []byte {
	return append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...)
}

// store puts a blob into a repository, which costs no git.
func (w *world) store(dir string, content []byte) {
	w.t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := z.Write(loose(content))
	w.must(err)
	w.must(z.Close())
	id := blob(content)
	name := filepath.Join(dir, ".git", "objects", id[:2], id[2:])
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.WriteFile(name, b.Bytes(), 0o644))
}
