package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// ask is a path of which git is asked whether it ignores it.
type ask struct {
	dir   int32
	path  string
	isDir bool
}

// admit asks git about the candidates and takes in those that are not ignored.
func (c *capture) admit() error {
	names := make([]ask, len(c.cands))
	for i, cand := range c.cands {
		names[i] = ask{cand.dir, join(c.t.dirs[cand.dir].path, cand.name), cand.stat.mode&typeMask == typeDir}
		if cand.name == ignoreFile && isRules(cand.stat.mode) {
			if err := c.rulesReadable(filepath.Join(c.e.repo.Root, names[i].path)); err != nil {
				return err
			}
		}
	}
	verdicts, err := c.ignored(names)
	if err != nil {
		return err
	}
	for i := range c.cands {
		c.admitOne(&c.cands[i], verdicts[i])
	}
	c.cands = c.cands[:0]
	for d, added := range c.added {
		if c.t.dirs[d].flags&dGone == 0 {
			old := c.t.dirs[d].ents
			c.t.setEntries(d, append(old[:len(old):len(old)], added...))
			c.todo = append(c.todo, d)
		}
		delete(c.added, d)
	}
	return nil
}

func (c *capture) admitOne(cand *candidate, v verdict) {
	if v == refused {
		c.leaveOutNew(cand, whyName)
		return
	}
	e := c.t.newEntry(cand.name, cand.stat.mode)
	e.setStat(&cand.stat)
	if c.t.watched(&e) {
		c.asksWith(join(c.t.dirs[cand.dir].path, cand.name))
	}
	if cand.dir < c.known {
		c.steers(cand.name) // in a new folder it steers new names only, which are asked with it in place
	}
	switch {
	case v == ignored:
		e.flags = fIgnored
		if c.racy(&cand.stat) {
			e.flags |= fRacy
		}
	case e.isDir():
		e.dir = c.t.newDir(cand.dir, cand.name, c.t.dirs[cand.dir].flags&dTurned)
		c.queue = append(c.queue, e.dir)
	default:
		e.flags = fTodo
		if c.t.dirs[cand.dir].flags&dTurned != 0 {
			e.flags |= fTurned
		}
		e.mtime = -1
	}
	c.added[cand.dir] = append(c.added[cand.dir], e)
}

type verdict uint8

const (
	free verdict = iota
	ignored
	refused // git died of the name itself
)

// ignored tells which of the names git ignores, by the rules on disk alone.
// Any failure that is not one name's own is an error: nothing is ever taken for
// "not ignored" because git could not be asked.
func (c *capture) ignored(names []ask) ([]verdict, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if err := c.ignoreFilesReadable(); err != nil {
		return nil, err
	}
	out := make([]verdict, len(names))
	open := c.plainly(names, out)
	program := c.e.repo.Program()
	if program != "" && program == c.t.aux.Program {
		return out, c.askSome(names, open, out)
	}
	all, err := c.askAll(pathsOf(names))
	if err == nil && agree(out, all, open) {
		c.t.aux.Program, c.t.changed = program, true
	}
	return all, err
}

func (c *capture) askAll(paths []string) ([]verdict, error) {
	out := make([]verdict, len(paths))
	for at := 0; at < len(paths); {
		n, err := c.askIgnored(paths[at:], out[at:])
		at += n
		if err == nil {
			continue
		}
		if at == len(paths) || c.ctx.Err() != nil || !c.nameKills(paths[at]) {
			return nil, model.Failf(err, "cannot ask git which files it ignores").WithHint("run `git status` here: it meets the same trouble; then try again")
		}
		out[at] = refused
		at++
	}
	return out, nil
}

// nameKills tells whether a stream dies of this one name, while it answers for a
// harmless one.
func (c *capture) nameKills(path string) bool {
	one := make([]verdict, 1)
	if _, err := c.askIgnored([]string{"overturn-probe"}, one); err != nil {
		return false
	}
	_, err := c.askIgnored([]string{path}, one)
	return err != nil
}

// askIgnored runs one check-ignore over paths and returns how many it answered.
func (c *capture) askIgnored(paths []string, out []verdict) (int, error) {
	var in bytes.Buffer
	for _, path := range paths {
		in.WriteString("./")
		in.WriteString(path)
		in.WriteByte(0)
	}
	args := []string{"check-ignore", "--stdin", "-z", "--verbose", "--non-matching"}
	if !c.byIndex {
		args = append(args, "--no-index")
	}
	child, err := c.e.repo.Command(c.ctx, gitops.CommandOptions{Stdin: &in, NoLiteralPathspecs: true}, args...)
	if err != nil {
		return 0, err
	}
	answer, err := io.ReadAll(child.Stdout)
	n, parseErr := parseIgnored(answer, paths, out)
	waitErr := child.Wait()
	var exit *gitops.GitError
	if errors.As(waitErr, &exit) && exit.Exit == 1 && n == len(paths) {
		waitErr = nil // 1: none is ignored
	}
	if err = errors.Join(err, parseErr, waitErr); err == nil && n < len(paths) {
		err = errors.New("git check-ignore left names unanswered")
	}
	return n, err
}

// parseIgnored reads "source NUL line NUL pattern NUL path NUL" for each path. A
// pattern that begins with "!" took the path out of what is ignored.
func parseIgnored(b []byte, paths []string, out []verdict) (int, error) {
	for n, path := range paths {
		var field [4][]byte
		rest := b
		for i := range field {
			end := bytes.IndexByte(rest, 0)
			if end < 0 {
				return n, nil
			}
			field[i], rest = rest[:end], rest[end+1:]
		}
		if string(field[3]) != "./"+path {
			return n, fmt.Errorf("git check-ignore answered for %q instead of %q", field[3], path)
		}
		out[n] = free
		if len(field[2]) > 0 && field[2][0] != '!' {
			out[n] = ignored
		}
		b = rest
	}
	if len(b) > 0 {
		return len(paths), errors.New("git check-ignore answered more than it was asked")
	}
	return len(paths), nil
}

// ignoreSources are the files outside the tree that say what is ignored.
func (c *capture) ignoreSources() []string {
	return []string{filepath.Join(c.e.repo.CommonDir, "info", "exclude"), c.userFile("core.excludesfile", "ignore")}
}

// userFile is a file that a setting names, or that has a default place in the
// user's configuration folder; "" when there is none.
func (c *capture) userFile(key, name string) string {
	env := c.e.repo.Env()
	get := env.Getenv
	if get == nil {
		get = func(string) string { return "" }
	}
	path, ok := c.e.repo.Config(key)
	switch {
	case !ok:
		if dir := get("XDG_CONFIG_HOME"); dir != "" {
			return filepath.Join(dir, "git", name)
		}
		if home := get("HOME"); home != "" {
			return filepath.Join(home, ".config", "git", name)
		}
		return ""
	case strings.HasPrefix(path, "~/"):
		return filepath.Join(get("HOME"), path[2:])
	case strings.HasPrefix(path, "~"), strings.HasPrefix(path, "%("):
		full, err := c.e.repo.Git(c.ctx, "config", "--type=path", "--get", key)
		if err != nil {
			return path
		}
		return strings.TrimRight(string(full), "\n")
	case path == "" || filepath.IsAbs(path):
		return path
	}
	return filepath.Join(c.e.repo.Root, path)
}

// ignoreFilesReadable fails where a file of rules is there and cannot be read:
// git would warn, go on, and ignore nothing.
func (c *capture) ignoreFilesReadable() error {
	paths := c.ignoreSources()
	for d := range c.t.dirs {
		if c.t.dirs[d].flags&(dGone|dAbsent|dIgnored) != 0 {
			continue
		}
		if at := c.t.find(int32(d), ignoreFile, false); at >= 0 && !c.t.dirs[d].ents[at].is(fAbsent) && isRules(c.t.dirs[d].ents[at].mode) {
			paths = append(paths, filepath.Join(c.e.repo.Root, c.t.dirs[d].path, ignoreFile))
		}
	}
	for _, path := range paths {
		if err := c.rulesReadable(path); err != nil {
			return err
		}
	}
	return nil
}

// isRules tells whether git reads what stands there as rules: of a link it reads
// nothing, for the writer of a FIFO it waits.
func isRules(mode uint16) bool { return mode&typeMask == typeFile || mode&typeMask == typeFIFO }

func (c *capture) rulesReadable(path string) error {
	if path == "" {
		return nil
	}
	if err := readable(path); err != nil {
		return model.Failf(err, "cannot tell which files git ignores").WithHint("make %s readable, then try again", path)
	}
	return nil
}

func readable(path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		return &os.PathError{Op: "read", Path: path, Err: gitops.ErrNoFile} // git would wait on it for ever
	}
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) || err != nil && isVanished(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = &os.PathError{Op: "read", Path: path, Err: errors.New("it is a folder")}
	}
	return err
}
