package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
)

// CaptureSlow is Capture that trusts nothing: no table, no stat of the index, and
// the root tree made by git itself in a private index seeded from HEAD and the
// user's index (add -A, write-tree). It is the oracle of the tests. git stores its
// objects at once; the caller flushes w for the rest.
func (e *Engine) CaptureSlow(ctx context.Context, w *objects.Writer) (*Snapshot, error) {
	c, err := e.begin(ctx, w)
	if err != nil {
		return nil, err
	}
	defer c.root.close()
	c.t.close()
	c.t = newTable()
	c.t.aux.Root, c.known = e.repo.Root, 1
	c.distrust = true
	snap, err := c.run()
	if err == nil {
		snap.save = nil
		snap.CapturedAt = e.opts.Clock().UTC()
		snap.Tree, err = c.oracle(snap)
	}
	if err != nil {
		return nil, model.Failf(err, "cannot capture the work tree %s", e.repo.Root)
	}
	return snap, nil
}

// oracle makes the root tree by git. What snap left out is kept from git, which
// would fail on it or take it in.
func (c *capture) oracle(snap *Snapshot) (string, error) {
	dir, err := os.MkdirTemp(c.e.repo.StateDir(), "oracle-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	private := gitops.CommandOptions{Env: []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}, NoLiteralPathspecs: true}
	git := func(in []byte, args ...string) ([]byte, error) {
		o := private
		o.Stdin = bytes.NewReader(in)
		return c.e.repo.GitWith(c.ctx, o, args...)
	}
	seed, skipped, files, err := c.oracleSeed()
	if err != nil {
		return "", err
	}
	if _, err := git(seed, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	specs := []string{":(top)"}
	for _, left := range snap.LeftOut {
		if left.Reason != sparseReason {
			specs = append(specs, ":(top,exclude,literal)"+string(left.Path))
		}
	}
	_, err = git([]byte(strings.Join(specs, "\x00")+"\x00"), "-c", "core.fileMode=true", "-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false",
		"add", "-A", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul")
	var failed *gitops.GitError
	if errors.As(err, &failed) && failed.Exit == 1 && strings.Contains(failed.Stderr, "The following paths are ignored by one of your .gitignore files") {
		err = nil // what is left out is ignored too: git says so once all is added
	}
	if err != nil {
		return "", err
	}
	if len(skipped) > 0 {
		added, err := git(nil, "ls-files", "-z")
		if err != nil {
			return "", err
		}
		if _, err := git(notOnDisk(skipped, added), "update-index", "-z", "--index-info"); err != nil {
			return "", err
		}
	}
	if none := c.nothing(snap.LeftOut, files); len(none) > 0 {
		if _, err := git(none, "update-index", "-z", "--index-info"); err != nil {
			return "", err
		}
	}
	tree, err := git(nil, "write-tree")
	return strings.TrimSpace(string(tree)), err
}

// nothing takes names out that git was kept from and that are not there: what was only
// meant to be added has no content of ours in the index, and where a folder stands there is no
// file, nor below what is no folder.
func (c *capture) nothing(left []model.Noted, files map[string]bool) []byte {
	var lines []byte
	for _, l := range left {
		var st fileStat
		path := string(l.Path)
		there := c.root.lstatPath(path, &st) == okay && l.Reason != sparseReason && l.Reason != whySubmodule.String()
		folder := there && st.mode&typeMask == typeDir
		for name, intent := range files {
			below := strings.HasPrefix(name, path+"/")
			if intent && (name == path || below) || folder && name == path || there && !folder && below {
				lines = append(lines, "0 "+strings.Repeat("0", 2*c.e.repo.HashSize())+"\t"+name+"\x00"...)
			}
		}
	}
	return lines
}

// notOnDisk is what update-index is told of the skipped entries: git took nothing at
// their paths, so they stay. An empty folder there is nothing to git, nor is one whose
// files are ignored; with sparse checkout on git would call such a file deleted, which
// nobody did.
func notOnDisk(skipped map[string]string, added []byte) []byte {
	for name := range strings.SplitSeq(string(added), "\x00") {
		for dir := filepath.Dir(name); dir != "." && dir != ""; dir = filepath.Dir(dir) {
			delete(skipped, dir)
		}
	}
	var lines []byte
	for _, line := range skipped {
		lines = append(lines, line...)
	}
	return lines
}

// oracleSeed lists, for update-index, what HEAD and the user's index hold, the
// index last; skipped are those of them, by path, that sparse checkout left out: no
// file is on disk there, nor above. Files are all files of the index, and whether it has
// no content of ours for them: only meant to be added, or deleted by us in a merge.
func (c *capture) oracleSeed() (seed []byte, skipped map[string]string, files map[string]bool, err error) {
	var all bytes.Buffer
	skipped, files = map[string]string{}, map[string]bool{}
	list, err := c.listIndex()
	if err != nil {
		return nil, nil, nil, err
	}
	named := map[string]bool{}
	err = list.each(func(i *indexEntry) error {
		path := string(i.path)
		if named[path] && i.stage != 2 {
			return nil
		}
		named[path] = true
		if i.mode != objects.ModeGitlink {
			files[path] = !i.stands()
		}
		line := fmt.Sprintf("%06o %s 0\t%s\x00", i.mode, c.hex(&i.oid), path)
		all.WriteString(line)
		var st fileStat
		if i.flags&(indexSkip|indexIntent) != indexSkip {
			return nil
		}
		out := c.root.lstatPath(path, &st)
		folder := out == okay && st.mode&typeMask == typeDir && i.mode != objects.ModeGitlink
		if (out == gone || folder) && !c.fileAbove(path) {
			skipped[path] = line
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	var head bytes.Buffer
	err = c.e.objs.DiffFunc(c.ctx, "", c.t.aux.HeadTree, func(ch objects.TreeChange) error {
		if !named[string(ch.Path)] && !clashes(named, string(ch.Path)) {
			fmt.Fprintf(&head, "%06o %s 0\t%s\x00", ch.NewMode, ch.NewOID, ch.Path)
			if ch.NewMode != objects.ModeGitlink {
				files[string(ch.Path)] = false
			}
		}
		return nil
	})
	return append(head.Bytes(), all.Bytes()...), skipped, files, err
}

// fileAbove tells whether a parent of path is on disk and no directory.
func (c *capture) fileAbove(path string) bool {
	for {
		path = filepath.Dir(path)
		if path == "." {
			return false
		}
		var st fileStat
		if c.root.lstatPath(path, &st) == okay {
			return st.mode&typeMask != typeDir
		}
	}
}

// clashes tells whether the index has a file where path has a folder.
func clashes(named map[string]bool, path string) bool {
	for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
		if named[dir] {
			return true
		}
	}
	return false
}
