//go:build linux || darwin

package casebook_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCasebookDisk: folders that forbid, and objects that never reached the disk.
func TestCasebookDisk(t *testing.T) {
	runCases(t, []caseOf{
		{"P-08", caseFolderForbidsNewFiles},
		{"P-11", caseObjectsNotOnDisk},
	})
}

// caseFolderForbidsNewFiles: a file that may be written in a folder that takes no new
// names cannot be replaced in one step. That is said for each such path, with
// nothing written; with --partial the others are done.
func caseFolderForbidsNewFiles(b *book) {
	b.sh("mkdir shut open; for f in shut/f shut/g open/f; do echo old > $f; done; echo old > shut/gone")
	b.Commit("base")
	b.turn("T", func() {
		b.sh("for f in shut/f shut/g open/f; do echo agent > $f; done; rm shut/gone; echo new > shut/new")
	})
	b.Chmod("shut", 0o555)
	b = b.asUser()
	before := b.world()
	p := b.stage("latest")
	s := b.exits(1, "rollback", "--expect", p.Fingerprint)
	if !strings.Contains(s.stderr, "shut/") || !strings.Contains(s.stderr, "permission denied") {
		b.t.Errorf("rollback says %s", s.stderr)
	}
	b.same(before)
	var r result
	b.json(3, &r, "rollback", "--expect", p.Fingerprint, "--partial")
	var skipped []string
	for _, n := range r.Skipped {
		skipped = append(skipped, n.Path)
		if !strings.Contains(n.Reason, "permission denied") {
			b.t.Errorf("%s: %s", n.Path, n.Reason)
		}
	}
	slices.Sort(skipped)
	if r.paths() != "restored open/f" || strings.Join(skipped, " ") != "shut/f shut/g shut/gone shut/new" {
		b.t.Errorf("partial: %s, skipped %v", r.paths(), r.Skipped)
	}
	b.restored(before, "open/f")
	b.reads("open/f", "old\n")
	b.undo()
	b.restored(before)
	b.Chmod("shut", 0o755) // and when the folder lets it
	b.rollback("latest")
	b.reads("shut/f", "old\n")
	b.gone("shut/new")
}

// storage is every file in which objects are stored.
func (b *book) storage() map[string]bool {
	b.t.Helper()
	files := map[string]bool{}
	err := filepath.WalkDir(b.Path(".git/objects"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasSuffix(name, ".keep") {
			files[name] = true
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// emptied runs do with one file of objects emptied, as a power cut leaves what was
// never synced.
func (b *book) emptied(name string, do func()) {
	b.t.Helper()
	whole, err := os.ReadFile(name)
	if err == nil {
		err = os.Chmod(name, 0o644)
	}
	if err == nil {
		err = os.Truncate(name, 0)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	do()
	if err := os.WriteFile(name, whole, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// caseObjectsNotOnDisk: whichever file of stored objects is empty after a power cut,
// the project's own or ours, a rollback or an undo that needs it writes nothing; one
// that does not is right.
func caseObjectsNotOnDisk(b *book) {
	b.sh("for f in a b c; do echo $f > $f; done; printf '*.crlf text eol=crlf\n' > .gitattributes; printf 'x\r\n' > f.crlf")
	b.Commit("base")
	b.Git("gc", "-q") // few files to empty
	b = b.inMemory()
	b.sh("echo dirty >> a; printf 'y\n' > f.crlf")
	b.Write("n", "")
	before := b.world()
	b.turn("T", func() { b.sh("echo agent >> a; echo agent > b; rm c; printf 'z\r\n' > f.crlf; echo new > new") })
	b.Write("b", "agent\nand the user\n") // stored by a turn of another thread alone
	b.turn("other", func() { b.Write("n", "") })
	after := b.world()
	b.ok("unstage")
	b.ok("stage", "1", "--thread", "T", "--method", "restore", "--discard-edits")
	print := b.plan().Fingerprint
	refused, done := 0, 0
	try := func(want world, back string, args ...string) {
		b.t.Helper()
		for name := range b.storage() {
			copied := b.inMemory()
			name = copied.Root + strings.TrimPrefix(name, b.Root)
			copied.emptied(name, func() {
				switch s := copied.overturn(args...); s.code {
				case 0:
					done++
					copied.restored(want)
					if args[0] == "rollback" { // what it displaced is stored, and can be had back
						if s := copied.overturn("undo"); s.code != 0 {
							copied.t.Errorf("without %s, undo ends with %d: %s", name, s.code, s.stdout+s.stderr)
						}
						copied.restored(after)
					}
				case 3, 130:
					copied.t.Errorf("without %s, %q ends with %d: %s", name, args, s.code, s.stdout+s.stderr)
				default:
					refused++
					if strings.Contains(s.stderr, "panic") || strings.TrimSpace(s.stderr) == "" {
						copied.t.Errorf("without %s: %q", name, s.stderr)
					}
					copied.restored(map[string]world{"undo": after, "rollback": before}[back])
				}
			})
		}
	}
	try(before, "undo", "rollback", "--expect", print)
	if refused < 3 || done < 1 {
		b.t.Errorf("%d refused, %d done", refused, done)
	}
	b.carry(0)
	b.restored(before)
	refused = 0
	b.Git("gc", "-q")
	try(after, "rollback", "undo")
	if refused < 1 {
		b.t.Errorf("%d refused, %d done", refused, done)
	}
}
