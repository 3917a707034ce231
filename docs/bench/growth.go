package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review/ledger"
)

// recorder records turns in this process: a thousand of them through the program
// would take ten times as long and be the same.
type recorder struct {
	objects *objects.Store
	ledger  *ledger.Ledger
}

func record(r *repo) (*recorder, error) {
	environ := append(environment(), "HOME="+r.dir+"-home")
	env := gitops.Env{Environ: environ, Clock: time.Now, Getenv: func(name string) string {
		for _, entry := range environ {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}}
	repo, err := gitops.Find(context.Background(), r.dir, env)
	if err != nil {
		return nil, err
	}
	objs, store := objects.Open(repo), refs.New(repo)
	records, err := refstore.Open(checkpoint.Context{Repo: repo, Objects: objs, Refs: store, Clock: time.Now})
	if err != nil {
		return nil, err
	}
	return &recorder{objs, ledger.New(ledger.Deps{
		Repo: repo, Objects: objs, Refs: store, Records: records, Clock: time.Now, IDs: model.NewIDSource(time.Now, rand.Reader),
		Snapshots: snapshot.New(repo, objs, store, snapshot.Options{MaxFileSize: 100 << 20, Clock: time.Now}),
	})}, nil
}

// turns records n turns, each with n files changed by a line somewhere in them.
func (c *recorder) turns(r *repo, n, files int) error {
	ctx := context.Background()
	for range n {
		if _, err := c.ledger.Start(ctx, ledger.StartEvent{Thread: "bench", Agent: "generic", Prompt: "change some lines of some files"}); err != nil {
			return err
		}
		if err := r.scatter(files); err != nil {
			return err
		}
		if _, err := c.ledger.End(ctx, ledger.EndEvent{Thread: "bench"}); err != nil {
			return err
		}
	}
	return nil
}

// scatter changes one line of n files, chosen anew each time.
func (r *repo) scatter(n int) error {
	for range n {
		name := r.files[r.rand.Intn(len(r.files))]
		data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		lines[r.rand.Intn(len(lines))] = r.text(40)
		if err := r.write(name, bytes.Join(lines, nil)); err != nil {
			return err
		}
	}
	return nil
}

// growthRow measures what 1,000 turns of 10 files take after the roll-up, against the
// same objects stored loose; both as blocks of the file system, as du counts.
func (b *bench) growthRow() error {
	const turns, files = 1000, 10
	r, err := newRepo(filepath.Join(b.dir, "growth"), 1000, 0)
	if err != nil {
		return err
	}
	c, err := record(r)
	if err != nil {
		return err
	}
	packs := filepath.Join(r.dir, ".git/objects/pack")
	users, err := blocks(packs)
	if err != nil {
		return err
	}
	if err := c.turns(r, turns, files); err != nil {
		return err
	}
	joined, err := blocks(packs)
	if err != nil {
		return err
	}
	count, err := r.ask("count-objects", "-v")
	if err == nil && !strings.Contains(count, "count: 0\n") {
		err = fmt.Errorf("loose objects were left for the user's gc: %s", count)
	}
	if err != nil {
		return err
	}
	loose, err := r.looseSize(filepath.Join(b.dir, "loose"))
	if err != nil {
		return err
	}
	start := time.Now()
	if err := c.objects.RollUp(context.Background()); err != nil {
		return err
	}
	took := time.Since(start)
	rolled, err := blocks(packs)
	if err != nil {
		return err
	}
	b.printSizes("packs of 1,000 turns before the roll-up / loose", 1, joined-users, loose)
	b.printSizes(fmt.Sprintf("packs of 1,000 turns after it (%.1f s) / loose", took.Seconds()), 0.06, rolled-users, loose)
	return nil
}

// looseSize unpacks our packs into a scratch repository.
func (r *repo) looseSize(dir string) (int64, error) {
	defer os.RemoveAll(dir)
	if err := r.git("init", "-q", "--bare", dir); err != nil {
		return 0, err
	}
	keeps, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.keep"))
	if err != nil {
		return 0, err
	}
	empty, err := blocks(filepath.Join(dir, "objects"))
	if err != nil {
		return 0, err
	}
	for _, keep := range keeps {
		pack, err := os.Open(strings.TrimSuffix(keep, ".keep") + ".pack")
		if err != nil {
			return 0, err
		}
		cmd := exec.Command("git", "unpack-objects", "-q")
		cmd.Dir, cmd.Env, cmd.Stdin = dir, environment(), pack
		out, err := cmd.CombinedOutput()
		pack.Close()
		if err != nil {
			return 0, fmt.Errorf("git unpack-objects: %w: %s", err, out)
		}
	}
	full, err := blocks(filepath.Join(dir, "objects"))
	return full - empty, err
}

// blocks is what the files and folders at and below dir take on disk, in bytes.
func blocks(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += onDisk(info)
		}
		return err
	})
	return n, err
}

func (b *bench) printSizes(name string, bar float64, size, reference int64) {
	fmt.Printf("%-58s %6.2f  %-22s %-22s %d/%d KiB\n", name, bar, fmt.Sprintf("%.3f", float64(size)/float64(reference)), "", size>>10, reference>>10)
}

// longRow measures what shows turns in a thread of many turns against one of 100.
func (b *bench) longRow(many int) func() error {
	return func() error {
		var repos [2]*repo
		for i, turns := range []int{100, many} {
			r, err := newRepo(filepath.Join(b.dir, fmt.Sprint("turns", turns)), 300, 0)
			if err != nil {
				return err
			}
			// All files are changed beforehand: what a turn says of the work tree is as
			// long in the first hundred turns as in the last, whose user never committed.
			if err := r.scatter(20 * len(r.files)); err != nil {
				return err
			}
			c, err := record(r)
			if err != nil {
				return err
			}
			if err := c.turns(r, turns, 1); err != nil {
				return err
			}
			if err := c.objects.RollUp(context.Background()); err != nil {
				return err
			}
			repos[i] = r
		}
		for _, packed := range []string{"", ", refs packed"} {
			if packed != "" {
				if err := repos[1].git("pack-refs", "--all"); err != nil {
					return err
				}
			}
			if err := b.race100(repos, fmt.Sprintf(" of %d turns%s / of 100", many, packed)); err != nil {
				return err
			}
		}
		return nil
	}
}

func (b *bench) race100(repos [2]*repo, suffix string) error {
	var list []contender
	names := []string{"review, first patch", "status", "turns --limit 100"}
	for i := range names {
		for _, r := range repos {
			switch i {
			case 0:
				list = append(list, contender{name: names[i], measure: func() (figure, error) { return b.firstPatch(r) }})
			case 1:
				list = append(list, contender{name: names[i], run: func() *exec.Cmd { return b.command(r.dir, b.overturn, "status") }})
			case 2:
				list = append(list, contender{name: names[i], run: func() *exec.Cmd { return b.command(r.dir, b.overturn, "turns", "--limit", "100") }})
			}
		}
	}
	figures, err := race(b.rounds, list)
	if err != nil {
		return err
	}
	for i, name := range names {
		b.print(name+suffix, 1.2, figures[2*i+1], figures[2*i])
	}
	return nil
}
