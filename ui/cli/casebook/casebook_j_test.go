package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// TestCasebookJ: links, kinds of files, modes, permissions.
func TestCasebookJ(t *testing.T) {
	runCases(t, []caseOf{
		{"J-01", caseLinkFollowedAtCapture},
		{"J-02", caseRestoreThroughLink},
		{"J-04", caseFolderBecomesLink},
		{"J-06", caseFileInTheWay},
		{"J-07", caseDanglingLinks},
		{"J-09", caseLinksInExports},
		{"J-10", caseModesKept},
		{"J-13", caseSpecialFiles},
		{"J-14", caseSpecialFilesOfGit},
		{"J-15", casePathsThatEscape},
	})
}

// beside writes a file outside the work tree and returns its absolute path.
func (b *book) beside(name, content string) string {
	b.t.Helper()
	full := filepath.Join(filepath.Dir(b.Root), name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return full
}

// linked holds that path is a link with that very text.
func (b *book) linked(path, text string) {
	b.t.Helper()
	if got, err := os.Readlink(b.Path(path)); err != nil || got != text {
		b.t.Errorf("%s is a link to %q (%v), want %q", path, got, err, text)
	}
}

// allObjects is the content of every object of the repository.
func (b *book) allObjects() string {
	b.t.Helper()
	return b.Git("cat-file", "--batch-all-objects", "--batch", "--unordered")
}

// caseLinkFollowedAtCapture: links are stored as links, whatever they lead to.
func caseLinkFollowedAtCapture(b *book) {
	const secret = "PRIVATE KEY 4711, not for any snapshot\n"
	key := b.beside("ssh/id_rsa", secret)
	b.Write("plain", "plain\n")
	b.Symlink(key, "tracked")
	b.Commit("base")
	b.Symlink(key, "leak")
	b.turn("T", func() {
		b.Remove("plain")
		b.Symlink(key, "plain") // a file becomes a link
		b.Remove("tracked")
		b.Symlink(filepath.Dir(key), "tracked") // another target: a folder
		b.Symlink("../ssh/id_rsa", "made")
	})
	ref := b.show("T", "1").End.Ref
	for path, text := range map[string]string{"leak": key, "plain": key, "made": "../ssh/id_rsa", "tracked": filepath.Dir(key)} {
		if got := b.Git("ls-tree", ref, path); !strings.HasPrefix(got, "120000 blob ") {
			b.t.Errorf("%s is stored as %q", path, got)
		}
		if got := b.Git("cat-file", "blob", ref+":"+path); got != text {
			b.t.Errorf("%s is stored with %q", path, got)
		}
	}
	shown := b.ok("diff", "latest", "--exact") + b.ok("diff", "working", "--exact")
	b.stage("latest")
	shown += b.ok("plan", "--patch")
	if r := b.carry(0); !r.Verified {
		b.t.Errorf("not verified: %+v", r)
	}
	b.undo()
	for what, text := range map[string]string{"an object": b.allObjects(), "what was shown": shown, "overturn's files": b.ownFiles()} {
		if strings.Contains(text, "PRIVATE KEY 4711") { // the number alone may be part of an id
			b.t.Errorf("the secret is in %s", what)
		}
	}
	b.linked("leak", key)
	b.linked("plain", key)
}

// ownFiles is all that overturn keeps in the git directory, with names.
func (b *book) ownFiles() string {
	b.t.Helper()
	var all strings.Builder
	root := filepath.Join(b.GitDir(), "overturn")
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		all.WriteString(name + "\n" + string(data) + "\n")
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all.String()
}

// caseRestoreThroughLink: no byte is written through a link, at the path or above.
func caseRestoreThroughLink(b *book) {
	b.Write("d/t", "before\n")
	b.Write("f", "before\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("d/t", "turn\n")
		b.Write("d/new", "made\n")
		b.Write("f", "turn\n")
	})
	// The outside looks just like what the turn left.
	file, made := b.beside("outside/t", "turn\n"), b.beside("outside/new", "made\n")
	b.sh("rm -r d; ln -s ../outside d; rm f; ln -s ../outside/t f")
	for _, path := range []string{"d/t", "f"} {
		p := b.stage("latest", "--", path)
		if len(p.Targets) != 1 || p.Targets[0].Verdict != "conflict" || p.Targets[0].Reason == "" {
			b.t.Errorf("%s: %+v", path, p.Targets)
		}
		b.refusal()
		b.stage("latest", "--method", "restore", "--", path)
		b.refusal()
	}
	// What was to go is not below the link: it is gone already.
	if p := b.stage("latest"); p.verdicts() != "d/new delete already, d/t write conflict, f write conflict" {
		b.t.Errorf("the turn: %s", p.verdicts())
	}
	// In part: nothing of it can be done.
	if r := b.carry(3, "--partial"); r.paths() != "" || r.ID != "" || len(r.Skipped) != 2 {
		b.t.Errorf("in part: %+v", r)
	}
	b.linked("d", "../outside")
	b.linked("f", "../outside/t")
	for name, want := range map[string]string{file: "turn\n", made: "made\n"} {
		if data, err := os.ReadFile(name); string(data) != want {
			b.t.Errorf("outside: %s is %q (%v)", name, data, err)
		}
	}
}

// caseFolderBecomesLink: a tracked folder that became a link stops no capture.
func caseFolderBecomesLink(b *book) {
	b.Write("d/f", "one\n")
	b.Write("d/deep/g", "two\n")
	b.Commit("base")
	before := b.world()
	b.turn("T", func() { b.sh("mv d e; ln -s e d") })
	b.turn("T", func() {})
	if got := b.show("T", "1").names(); got != "d added, e/deep/g renamed, e/f renamed" {
		b.t.Errorf("turn 1: %s", got)
	}
	if turn := b.show("T", "2"); turn.Status != "ready" || turn.names() != "" {
		b.t.Errorf("turn 2: %s %s", turn.Status, turn.names())
	}
	after := b.world()
	b.rollback("1")
	b.same(before, "d", "e") // the times are those of the rollback
	b.restored(before)
	b.undo()
	b.restored(after)
	b.linked("d", "e")
}

// caseFileInTheWay: what the user put in the way stays.
func caseFileInTheWay(b *book) {
	b.Write("d/t", "tracked\n")
	b.Write("k", "kept\n")
	b.Commit("base")
	b.turn("T", func() { b.sh("rm -r d; rm k") })
	b.Write("d", "the user's\n")
	b.Write("k/mine", "the user's too\n")
	for _, path := range []string{"d/t", "k"} {
		for _, method := range []string{"take-out", "restore"} {
			if p := b.stage("latest", "--method", method, "--", path); p.verdicts() != path+" create conflict" {
				b.t.Errorf("%s %s: %s", method, path, p.verdicts())
			}
			b.refusal()
		}
	}
	b.reads("d", "the user's\n")
	b.reads("k/mine", "the user's too\n")
}

// caseDanglingLinks: whether a link is there is told by the link, not its target.
func caseDanglingLinks(b *book) {
	for _, path := range []string{"still", "moved", "gone"} {
		b.Symlink("nowhere/"+path, path)
	}
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {})
	if turn := b.show("T", "1"); turn.names() != "" {
		b.t.Errorf("links that lead nowhere are shown as changed: %s", turn.names())
	}
	b.turn("T", func() {
		b.sh("ln -sfn elsewhere/x moved; rm gone; mkdir sub; ln -s ../../none sub/made")
	})
	if got := b.show("T", "2").names(); got != "gone deleted, moved modified, sub/made added" {
		b.t.Errorf("turn 2: %s", got)
	}
	after := b.world()
	for _, path := range []string{"moved", "gone", "sub/made"} { // each alone
		b.rollback("2", "--", path)
		b.undo()
		b.restored(after)
	}
	b.rollback("2")
	b.restored(before)
	b.linked("moved", "nowhere/moved")
	b.gone("sub")
	b.undo()
	b.restored(after)
}

// caseLinksInExports: the patch and the snapshot carry links as they are.
func caseLinksInExports(b *book) {
	outside := b.beside("outside/file", "outside\n")
	b.Write("real", "real\n")
	b.Commit("base")
	links := map[string]string{"abs": outside, "in/rel": "../real", "in/up": "../../outside", "dead": "no where\tat all", "dir": "in"}
	b.turn("T", func() {
		for path, text := range links {
			b.Symlink(text, path)
		}
	})
	turn := b.show("T", "1")
	scratch := b.At(b.t.TempDir())
	b.sh("git archive " + turn.End.Ref + " | tar -xf - -C '" + scratch.Root + "'")
	// The plan's patch takes the links out; turned round it puts them into a clone.
	b.stage("latest")
	clone := b.At(b.t.TempDir())
	clone.Git("clone", "-q", b.Root, ".")
	clone.GitInput(b.ok("plan", "--patch"), "apply", "-R", "-")
	for _, made := range []*gittest.Repo{scratch, clone} {
		for path, text := range links {
			(&book{Repo: made, t: b.t}).linked(path, text)
		}
		if made.Read("real") != "real\n" {
			b.t.Error("the file beside the links is another")
		}
	}
}
