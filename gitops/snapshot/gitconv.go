package snapshot

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/model/durable"
)

func cutPath(path string) (step, rest string, deeper bool) { return strings.Cut(path, "/") }

// convertByGit has git store the files that a filter, ident or an encoding
// changes, and keeps the bytes of those that it stored otherwise.
// A file whose filter fails is captured raw, with a note.
func (c *capture) convertByGit(places []place) error {
	paths, indexed := make([]string, len(places)), make([]bool, len(places))
	for i, p := range places {
		e := &c.t.dirs[p.d].ents[p.k]
		paths[i] = c.t.pathOf(p.d, e)
		indexed[i] = e.conv == convGitAuto && storedCRLF(c.indexed(paths[i]))
	}
	ids := make([]string, len(places))
	for at := 0; at < len(places); {
		var n int
		var err error
		if indexed[at] {
			n, err = c.addByGit(paths[at:at+1], ids[at:])
		} else {
			end := at + 1
			for end < len(places) && !indexed[end] {
				end++
			}
			n, err = c.hashByGit(paths[at:end], ids[at:])
		}
		at += n
		if err == nil {
			continue
		}
		if ctxErr := c.ctx.Err(); ctxErr != nil {
			return ctxErr
		}
		if c.standsFile(paths[at]) { // else it is lost, or left out
			c.note(paths[at], "captured as it is: "+reasonOf(err))
		}
		at++
	}
	h := &hashing{c: c}
	for i, p := range places {
		c.takeConverted(h, p, paths[i], ids[i])
	}
	for _, d := range h.dirty {
		c.t.touch(d)
	}
	return h.err
}

// takeConverted takes over one file that git stored as id; "" where git failed.
func (c *capture) takeConverted(h *hashing, p place, path, id string) {
	e := &c.t.dirs[p.d].ents[p.k]
	before := e.oid
	data, now, err := c.root.readFile(path, c.e.opts.MaxFileSize, nil)
	if err != nil {
		e.flags |= fRacy // it changed under git's hands; seen again next time
		switch {
		case isVanished(err):
			h.lost(p, e)
		case errors.Is(err, errNotRead) && now.size <= c.e.opts.MaxFileSize:
			h.leaveOut(p, e, *e, whySpecial)
		case errors.Is(err, errNotRead):
			h.leaveOut(p, e, *e, whySize)
		default:
			h.leaveOut(p, e, *e, whyUnreadable)
		}
		h.touch(p.d)
		return
	}
	if !e.sameStat(&now) { // git may have read other bytes than these
		e.flags |= fRacy
		if id != "" {
			id = ""
			c.note(path, "captured as it is: it was written while git converted it")
		}
	}
	if id == "" {
		h.store(e, data, false)
		c.keepRaw(h, e, data, false)
	} else if e.oid, err = c.unhex(id); err != nil {
		h.fail(err)
	} else {
		e.flags |= fUnpinned
		c.keepRaw(h, e, data, c.e.objs.Hash(objects.TypeBlob, data) != id)
	}
	if e.oid != before {
		h.dirty = append(h.dirty, p.d)
	}
	h.dirty = append(h.dirty, p.d)
}

// hashByGit runs one hash-object and returns how many paths it stored.
func (c *capture) hashByGit(paths []string, ids []string) (int, error) {
	var in bytes.Buffer
	for _, path := range paths {
		in.WriteString(quoteLine(path))
		in.WriteByte('\n')
	}
	var answered atomic.Int64
	ctx, stop := c.watch(paths, &answered)
	defer stop()
	child, err := c.e.repo.Command(ctx, gitops.CommandOptions{Stdin: &in}, "hash-object", "-w", "--stdin-paths")
	if err != nil {
		return 0, err
	}
	n, lines := 0, bufio.NewScanner(child.Stdout)
	for n < len(paths) && lines.Scan() {
		id := c.commitID(lines.Text())
		if id == "" {
			break
		}
		ids[n] = id
		n++
		answered.Store(int64(n))
	}
	err = errors.Join(lines.Err(), child.Wait())
	if err == nil && n < len(paths) {
		err = errors.New("git hash-object stopped early")
	}
	return n, err
}

// addByGit is hashByGit for one path whose line ends depend on what the index
// holds there: hash-object does not look at it.
func (c *capture) addByGit(paths []string, ids []string) (int, error) {
	found, ok := c.base(paths[0])
	if !ok {
		return c.hashByGit(paths, ids)
	}
	durable.Point("snapshot.addbygit.mkdir")
	dir, err := os.MkdirTemp(c.e.repo.StateDir(), "convert-*.tmp")
	if err != nil {
		return 0, err
	}
	durable.Point("snapshot.addbygit.remove")
	defer os.RemoveAll(dir)
	ctx, stop := c.watch(paths, new(atomic.Int64))
	defer stop()
	git := func(in string, args ...string) ([]byte, error) {
		o := gitops.CommandOptions{Env: []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}, Stdin: strings.NewReader(in)}
		return c.e.repo.GitWith(ctx, o, args...)
	}
	if _, err := git(fmt.Sprintf("%06o %s 0\t%s\x00", found.Mode, found.OID, paths[0]), "update-index", "-z", "--index-info"); err != nil {
		return 0, err
	}
	if _, err := git(paths[0]+"\x00", "update-index", "--add", "-z", "--stdin"); err != nil {
		return 0, err
	}
	out, err := git("", "ls-files", "--stage", "-z")
	if err != nil {
		return 0, err
	}
	if field := strings.Fields(string(out)); len(field) > 1 {
		ids[0] = c.commitID(field[1])
	}
	return 1, nil
}

// quoteLine quotes a path as git does, where a line cannot hold it as it is.
func quoteLine(path string) string {
	if !strings.ContainsAny(path, "\n\r\"") && path[0] != '"' {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(path); i++ {
		switch ch := path[i]; {
		case ch == '"' || ch == '\\':
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch < 0x20 || ch >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", ch)
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func reasonOf(err error) string {
	var exit *gitops.GitError
	if errors.As(err, &exit) && exit.Stderr != "" {
		lines := strings.Split(strings.TrimSpace(exit.Stderr), "\n")
		return lines[len(lines)-1]
	}
	if err == nil {
		return "git could not convert it"
	}
	return err.Error()
}

// Smudge returns the bytes that a checkout would write at path for the blob.
func (e *Engine) Smudge(ctx context.Context, path model.Path, oid string) ([]byte, error) {
	out, err := e.repo.Git(ctx, "cat-file", "--filters", "--path="+string(path), oid)
	if err != nil {
		return nil, model.Failf(err, "cannot convert %q as a checkout would", path)
	}
	return out, nil
}
