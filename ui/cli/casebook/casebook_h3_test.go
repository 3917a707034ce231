package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
)

// caseDiscardSubmodule: the row of a submodule can be read; nothing takes it back.
func caseDiscardSubmodule(b *book) {
	b.withSource().submodule("dir/sub")
	b.turn("T", func() { b.sh("git -C dir/sub checkout -q HEAD~1") })
	before := b.world()
	if got := b.show("T", "1").names(); got != "dir/sub modified" {
		b.t.Errorf("turn: %s", got)
	}
	for _, scope := range []string{"latest", "working"} {
		if s := b.exits(5, "stage", scope, "--", "dir/sub"); !strings.Contains(s.stderr, "submodule") {
			b.t.Errorf("%s: %s", scope, s.stderr)
		}
		b.exits(5, "stage", scope, "--method", "restore", "--discard-edits", "--", "dir/sub")
		b.exits(5, "stage", scope, "--hunk", "1", "--", "dir/sub")
		for _, folder := range []string{"dir/sub/", "dir", "."} {
			p := b.staged(scope, "--", folder)
			if len(p.Targets) != 0 {
				b.t.Errorf("%s %s: %s", scope, folder, p.verdicts())
			}
			b.stays(p.Kept, "dir/sub", "submodule")
			b.exits(2, "rollback", "--expect", b.plan().Fingerprint)
		}
	}
	s := b.review(120, 30)
	s.wait("sub")
	s.press("GX", "submodule")
	s.press("gX", "submodule")
	s.quit()
	if p := b.plan(); len(p.Targets) != 0 {
		b.t.Errorf("on the screen: %s", p.verdicts())
	}
	b.same(before)
	// A submodule that the turn added or removed, or made of a folder of files.
	b.turn("T", func() {
		b.sh("git submodule --quiet add " + filepath.Join(filepath.Dir(b.Root), "source") + " made; rm dir/f; git clone -q ../source dir/f; git add dir/f 2>/dev/null")
	})
	before, links := b.world(), b.Git("ls-files", "-s", "made", "dir")
	b.stays(b.stage("latest").Kept, "made", "submodule")
	b.carry(0)
	b.restored(before, ".gitmodules") // the turn staged it: its entry goes back too
	if got := b.Git("ls-files", "-s", "made", "dir"); got != links {
		b.t.Errorf("index: %s\nwas %s", got, links)
	}
}

// caseClonedInTheTurn: a repository that the turn made stays, and is said to.
func caseClonedInTheTurn(b *book) {
	b.withSource()
	b.turn("T", func() {
		b.sh("git clone -q ../source child; git clone -q ../source dir/child; echo x > child/new")
		b.Write("made/f", "agent\n")
		b.sh("git init -q made/inner; echo x > made/inner/x")
	})
	turn := b.show("T", "1")
	if turn.Status != "ready" || turn.names() != "made/f added" {
		b.t.Errorf("turn: %s %s", turn.Status, turn.names())
	}
	for _, path := range []string{"child", "dir/child", "made/inner"} {
		b.stays(turn.LeftOut, path, "new nested repository")
	}
	if got := b.ok("show", "1"); !strings.Contains(got, "child (new nested repository)") {
		b.t.Errorf("show: %s", got)
	}
	after := b.world()
	p := b.stage("latest")
	for _, path := range []string{"child", "dir/child", "made/inner"} {
		b.stays(p.Kept, path, "new nested repository")
	}
	if said := b.ok("plan"); !strings.Contains(said, "child") {
		b.t.Errorf("plan: %s", said)
	}
	b.stage("latest")
	r := b.carry(0)
	b.stays(r.Kept, "child", "new nested repository")
	if r.paths() != "deleted made/f" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.same(after, "made/f")
	// Below a folder, only what lies there is meant; the next turn made none.
	b.undo()
	b.ok("unstage")
	if p := b.stage("latest", "--", "made"); len(p.Kept) != 1 || p.Kept[0].Path != "made/inner" {
		b.t.Errorf("below made: %v", p.Kept)
	}
	b.turn("T", func() { b.Write("a", "agent\n"); b.Write("child/more", "agent\n") })
	if got := b.show("T", "2").leftOut(); strings.Contains(got, "new") {
		b.t.Errorf("turn 2: %s", got)
	}
	if p := b.stage("latest"); len(p.Kept) != 0 {
		b.t.Errorf("turn 2: %v", p.Kept)
	}
	// And one that took what no snapshot has: it is said that it does not come back.
	b.sh("mkfifo pipe")
	b.turn("T", func() { b.sh("rm -rf dir/child pipe made/inner/.git; echo gone > a") })
	for _, path := range []string{"dir/child", "pipe"} {
		b.stays(b.newest("T").LeftOut, path, ", gone since")
		b.stays(b.stage("latest").Kept, path, ", gone since")
	}
	if got := b.newest("T").names(); got != "a modified" { // made/inner is files now, and none that the turn made
		b.t.Errorf("turn: %s", got)
	}
	if r := b.rollback("latest", "--", "a"); r.paths() != "restored a" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.gone("dir/child", "pipe")
	// A turn that did nothing else.
	b.turn("T", func() { b.sh("git clone -q ../source alone") })
	alone := b.staged("latest")
	b.stays(alone.Kept, "alone", "new nested repository")
	if _, err := os.Stat(b.Path("alone/.git")); err != nil || len(alone.Targets) != 0 {
		b.t.Errorf("%v, %s", err, alone.verdicts())
	}
}
