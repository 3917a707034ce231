package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// repo is a repository that the generator made.
type repo struct {
	dir   string
	files []string // tracked, in order of their making
	rand  *rand.Rand
	fresh int // names given out by edit
}

// newRepo makes a repository of n text files in nested folders and commits them;
// beside them lie ignored files as a package manager leaves them. The same numbers
// give the same content.
func newRepo(dir string, n, ignored int) (*repo, error) {
	r := &repo{dir: dir, rand: rand.New(rand.NewSource(int64(n)))}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	rules := "node_modules/\n*.log\n/dist/\n.env*\n!.env.example\n**/build/tmp/\n*.py[co]\n"
	if err := r.write(".gitignore", []byte(rules)); err != nil {
		return nil, err
	}
	for i := range n {
		name := r.name(i, n)
		if err := r.write(name, r.text(r.size())); err != nil {
			return nil, err
		}
		r.files = append(r.files, name)
	}
	// An index that is as young as its files makes every git status read them all.
	old := time.Now().Add(-time.Hour)
	for _, name := range r.files {
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), old, old); err != nil {
			return nil, err
		}
	}
	for i := range ignored {
		if err := r.write(fmt.Sprintf("node_modules/p%d/f%d.js", i/20, i), []byte("x\n")); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "user.name", "bench"}, {"config", "user.email", "bench@localhost"},
		{"config", "gc.auto", "0"}, {"add", "-A"}, {"commit", "-q", "-m", "files"}, {"repack", "-q", "-a", "-d", "--window=0"},
	} {
		if err := r.git(args...); err != nil {
			return nil, err
		}
	}
	return r, r.tellMaking()
}

// tellMaking prints what making a file costs in the repository, in the median of a
// few. A hook makes about ten, git status none, and where the file system is ext4
// without a journal each costs up to a hundred times as much as elsewhere while much
// near it was deleted in the last minutes: the ratios are those of the disk then.
func (r *repo) tellMaking() error {
	var took []float64
	for i := range 25 {
		name := filepath.Join(r.dir, ".git", fmt.Sprintf("bench-%d", i))
		began := time.Now()
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		took = append(took, float64(time.Since(began).Nanoseconds())/1000)
		if err == nil {
			err = errors.Join(f.Close(), os.Remove(name))
		}
		if err != nil {
			return err
		}
	}
	fmt.Printf("making a file in %s takes %.0f µs\n", filepath.Base(r.dir), spreadOf(took).mid)
	return nil
}

func (r *repo) git(args ...string) error {
	_, err := r.ask(args...)
	return err
}

func (r *repo) ask(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// name spreads n files over folders of about ten.
func (r *repo) name(i, n int) string {
	if n <= 100 {
		return fmt.Sprintf("pkg/f%d.go", i)
	}
	return fmt.Sprintf("src/m%d/pkg%d/file%d.go", i/1000, i/10%100, i)
}

// size is log-normal with a median of 2.6 KB, as source files are.
func (r *repo) size() int {
	return int(math.Min(200_000, math.Max(20, 2600*math.Exp(r.rand.NormFloat64()*1.2))))
}

func (r *repo) text(size int) []byte {
	words := strings.Fields("ctx err nil return func value index buffer handler request response session option range append store record")
	var b bytes.Buffer
	for b.Len() < size {
		b.WriteByte('\t')
		for range 2 + r.rand.Intn(7) {
			fmt.Fprintf(&b, "%s%d ", words[r.rand.Intn(len(words))], r.rand.Intn(1000))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func (r *repo) write(name string, data []byte) error {
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// edit changes n files: fresh of them are new, the others get one more line. They
// are the same every time, and the new files of the last edit go, so that n files
// differ from HEAD in every round.
func (r *repo) edit(n, fresh int) error {
	for k := range fresh {
		os.Remove(filepath.Join(r.dir, fmt.Sprintf("src/new%d.go", r.fresh-fresh+k)))
		if err := r.write(fmt.Sprintf("src/new%d.go", r.fresh+k), r.text(2000)); err != nil {
			return err
		}
	}
	r.fresh += fresh
	for k := range n - fresh {
		if err := r.touch(r.files[k*len(r.files)/n]); err != nil {
			return err
		}
	}
	return nil
}

func (r *repo) touch(name string) error {
	f, err := os.OpenFile(filepath.Join(r.dir, filepath.FromSlash(name)), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\tchanged %d\n", r.rand.Int())
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
