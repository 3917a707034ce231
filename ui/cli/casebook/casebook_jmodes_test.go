package casebook_test

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"overturn/ui/cli/clitest"
)

// modes holds the permission bits of files, "path=bits" each.
func (b *book) modes(want ...string) {
	b.t.Helper()
	for _, w := range want {
		path, bits, _ := strings.Cut(w, "=")
		info, err := os.Lstat(b.Path(path))
		if err != nil {
			b.t.Error(err)
		} else if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != bits {
			b.t.Errorf("%s has mode %s, want %s", path, got, bits)
		}
	}
}

// caseModesKept: content goes back, every bit of the modes stays, whatever the umask.
func caseModesKept(b *book) {
	modes := []string{"script=0755", "text=0644", "secret=0600", "shared=0664", "odd=0751"}
	for _, m := range modes {
		path, _, _ := strings.Cut(m, "=")
		b.Write(path, path+"\nsame\n")
	}
	setModes := func() { b.sh("chmod 755 script; chmod 644 text; chmod 600 secret; chmod 664 shared; chmod 751 odd") }
	setModes()
	b.Commit("base")
	b.turn("T", func() {
		b.sh("for f in script text secret shared odd; do echo turn >> $f; done; rm secret shared; cp text secret; cp text shared")
		setModes() // edited through new files: the modes are the same
	})
	b.modes(modes...)
	for _, method := range []string{"take-out", "restore"} {
		for _, umask := range []string{"000", "077"} {
			b.stage("latest", "--method", method)
			b.sh("umask " + umask + "; '" + clitest.Bin() + "' rollback --expect " + b.plan().Fingerprint)
			b.modes(modes...)
			b.reads("script", "script\nsame\n")
			b.reads("secret", "secret\nsame\n")
			b.sh("umask " + umask + "; '" + clitest.Bin() + "' undo")
			b.modes(modes...)
		}
	}
	// What the turn removed comes back with its bits; bits that it changed too.
	b.turn("T", func() { b.sh("rm secret odd; chmod 777 shared; chmod 644 script; chmod 666 text; echo more >> text") })
	b.rollback("latest")
	b.modes(modes...)
	b.undo()
	b.gone("secret", "odd")
	b.modes("shared=0777", "script=0644", "text=0666")
}

// special puts a FIFO, a socket and a link to a device into the folder.
func (b *book) special(folder string) {
	b.t.Helper()
	b.sh("mkdir -p " + folder + "; mkfifo " + folder + "/p; ln -s /dev/zero " + folder + "/zero")
	b.socket(b.Path(folder + "/s"))
}

// socket leaves a socket at name, which may be longer than sockets' names can be.
func (b *book) socket(name string) {
	b.t.Helper()
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { l.Close() })
	if err := os.Rename(filepath.Join(dir, "s"), name); err != nil {
		b.t.Fatal(err)
	}
}

// kinds holds the types of what stands at paths.
func (b *book) kinds(want map[string]fs.FileMode) {
	b.t.Helper()
	for path, kind := range want {
		if info, err := os.Lstat(b.Path(path)); err != nil || info.Mode().Type() != kind {
			b.t.Errorf("%s: %v, want type %v (%v)", path, info, kind, err)
		}
	}
}

// caseSpecialFiles: nothing waits for a FIFO or reads a device, and all are kept.
func caseSpecialFiles(b *book) {
	b.Write("f", "regular\n")
	b.Write("g", "other\n")
	b.Commit("base")
	b.special("d")
	b.special("later")
	b.sh("rm -r later")
	before := b.world()
	b.turn("T", func() {
		b.Write("g", "turn\n")
		b.sh("rm f; mkfifo f") // a file is replaced by a FIFO
		b.special("later")
	})
	kinds := map[string]fs.FileMode{
		"d/p": fs.ModeNamedPipe, "d/s": fs.ModeSocket, "d/zero": fs.ModeSymlink, "later/p": fs.ModeNamedPipe, "later/s": fs.ModeSocket,
	}
	turn := b.show("T", "1")
	if turn.Status != "ready" || turn.names() != "g modified, later/zero added" {
		b.t.Errorf("turn: %s, %s", turn.Status, turn.names())
	}
	left := fmt.Sprint(turn.LeftOut)
	for _, path := range []string{"d/p", "d/s", "f", "later/p", "later/s"} {
		if !strings.Contains(left, "{"+path+" special file") {
			b.t.Errorf("%s is not listed as left out: %s", path, left)
		}
	}
	b.ok("diff", "latest")
	b.ok("diff", "working")
	b.ok("status")
	// What stands where f was, was not taken: it is never overwritten (CONTRACT,
	// "left out"), so the file that it replaced cannot be staged either.
	if s := b.exits(2, "stage", "latest", "--", "f"); !strings.Contains(s.stderr, "left out") {
		b.t.Errorf("the FIFO: %s", s.stderr)
	}
	if r := b.rollback("latest"); r.paths() != "restored g, deleted later/zero" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	delete(kinds, "later/zero")
	kinds["f"] = fs.ModeNamedPipe
	b.kinds(kinds)
	b.restored(before, "f", "later")
	// A FIFO that comes where the turn left a file is a conflict.
	b.undo()
	b.sh("rm g; mkfifo g")
	for _, method := range []string{"take-out", "restore"} {
		if p := b.stage("latest", "--method", method, "--", "g"); p.verdicts() != "g write conflict" {
			b.t.Errorf("a FIFO in the way: %s", p.verdicts())
		}
		b.refusal()
	}
	// A turn that puts a file where a FIFO stood cannot be taken back there: what a
	// FIFO held is not known.
	b.turn("T", func() { b.sh("rm f d/p; echo made > f; echo made > d/p") })
	b.ok("show", "2", "--thread", "T")
}

// caseSpecialFilesOfGit: what lies in the git directory is neither copied nor
// waited for.
func caseSpecialFilesOfGit(b *book) {
	b.Write("f", "one\n")
	b.Commit("base")
	git := b.GitDir()
	b.socket(filepath.Join(git, "fsmonitor--daemon.ipc"))
	b.sh("mkfifo .git/sharedindex.x .git/x.lock")
	b.turn("T", func() { b.Write("f", "two\n"); b.Write("made", "made\n") })
	b.ok("diff", "working")
	b.rollback("latest")
	b.reads("f", "one\n")
	b.undo()
	b.reads("f", "two\n")
	b.kinds(map[string]fs.FileMode{
		".git/fsmonitor--daemon.ipc": fs.ModeSocket, ".git/sharedindex.x": fs.ModeNamedPipe, ".git/x.lock": fs.ModeNamedPipe,
	})

	b.sh("rm .git/x.lock")

	// Where git itself would wait for ever, a capture says so, or does without.
	b.Git("update-index", "--split-index")
	shared, _ := filepath.Glob(filepath.Join(git, "sharedindex.????*"))
	if len(shared) != 1 {
		b.t.Fatalf("shared indexes: %v", shared)
	}
	must := map[string]bool{shared[0]: true, "HEAD": true, "index": true, "packed-refs": true, "info/exclude": true, "../.gitignore": true} // fail
	for _, path := range []string{shared[0], "HEAD", "index", "packed-refs", "info/exclude", "info/attributes", "objects/info/alternates", "../.gitignore", "../sub/.gitattributes"} {
		b.withFIFO(path, func() {
			b.Write("sub/new", path) // so that git is asked what it ignores
			if s := b.overturn("turn", "start", "--thread", "U"); s.code == 0 && strings.Contains(s.stdout, "ready") && must[path] {
				b.t.Errorf("%s is a FIFO: %s", path, s.stdout)
			}
		})
	}
	// A hook ends even where the system does not come back from a read.
	hook := b.call("hook", "claude-code")
	hook(`{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"p"}`)
	turns, _ := filepath.Glob(filepath.Join(git, "overturn", "ledger", "*", "1.json"))
	for _, path := range turns {
		aside := b.t.TempDir()
		b.sh("mv '" + path + "' '" + aside + "'; mkfifo '" + path + "'")
		defer b.sh("mv '" + aside + "/1.json' '" + path + "'")
	}
	began := time.Now()
	if s := hook(`{"hook_event_name":"SessionEnd","session_id":"s1"}`); s.code != 0 || s.stdout != "" || time.Since(began) > 15*time.Second || len(turns) < 2 {
		b.t.Errorf("the hook: exit code %d after %v, %q", s.code, time.Since(began), s.stdout)
	}
}

// withFIFO does work while a FIFO stands in the place of a file of the git
// directory; a call that waits for it fails the test by its time.
func (b *book) withFIFO(path string, work func()) {
	b.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.GitDir(), path)
	}
	aside := filepath.Join(b.t.TempDir(), "aside")
	there := os.Rename(path, aside) == nil
	b.sh("mkdir -p '" + filepath.Dir(path) + "'; mkfifo '" + path + "'")
	began := time.Now()
	work()
	if took := time.Since(began); took > 20*time.Second {
		b.t.Errorf("%s is a FIFO: it took %v", path, took)
	}
	if err := os.Remove(path); err != nil {
		b.t.Error(err)
	}
	if there {
		if err := os.Rename(aside, path); err != nil {
			b.t.Fatal(err)
		}
	}
}

// call is a call of overturn that takes text on its stdin.
func (b *book) call(args ...string) func(stdin string) said {
	return func(stdin string) said {
		b.t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), callLimit)
		defer cancel()
		cmd := exec.CommandContext(ctx, clitest.Bin(), args...)
		var stdout, stderr strings.Builder
		cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = b.dir, b.env, strings.NewReader(stdin), &stdout, &stderr
		cmd.SysProcAttr = b.attr
		_ = cmd.Run() // the code tells
		return said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	}
}

// casePathsThatEscape: a PATH outside the work tree, or in .git, is wrong use.
func casePathsThatEscape(b *book) {
	outside := b.beside("x", "outside\n")
	b.Write("a/f", "one\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("a/f", "two\n"); b.Write("x", "inside\n") })
	before := b.world()
	escapes := []string{
		"../x", "/etc/x", ".git/config", "a/../../x", ".git", ":/../x", ":/.git/config", "a/../.git/config", ".GIT/config",
		outside, filepath.Join(b.Root, "..", "x"), filepath.Join(b.Root, ".git", "config"), "..", "a/../..", "", "\x01/../../x",
	}
	for _, path := range escapes {
		for _, call := range [][]string{{"stage", "latest", "--", path}, {"unstage", path}, {"diff", "latest", "--", path}, {"turn", "touch", "--thread", "T", path}} {
			if s := b.overturn(call...); s.code != 2 || s.stdout != "" || s.stderr == "" {
				b.t.Errorf("overturn %q: exit code %d, %q, %q", call, s.code, s.stdout, s.stderr)
			}
		}
	}
	inA := b.in("a")
	for _, path := range []string{"../../x", "../.git/config", "f/../../../x"} {
		inA.exits(2, "stage", "latest", "--", path)
	}
	if p := b.plan(); len(p.Targets) != 0 {
		b.t.Errorf("staged: %s", p.verdicts())
	}
	b.same(before)
	// What stays inside is taken, however it is spelt.
	for _, path := range []string{"a/../x", ":/x", filepath.Join(b.Root, "x"), "./x"} {
		if p := b.stage("latest", "--", path); p.verdicts() != "x delete clean" {
			b.t.Errorf("%q: %s", path, p.verdicts())
		}
	}
}
