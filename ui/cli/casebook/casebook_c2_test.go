package casebook_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"overturn/ui/cli/clitest"
)

// hookSays is hook for an event that cannot be recorded: exit 0 and nothing on
// stdout all the same; what stderr says is returned.
func (b *book) hookSays(event string) string {
	b.t.Helper()
	cmd := exec.Command(clitest.Bin(), "hook", "generic")
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, strings.NewReader(event)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stdout.Len() > 0 {
		b.t.Errorf("hook %s: %v, stdout %q", event, err, stdout.String())
	}
	return stderr.String()
}

// state is a path as plans name it.
type state struct {
	Kind, Mode, SHA256 string
	Size               int64
}

// preview is the plan with the states that it promises.
func (b *book) preview() (p struct {
	Targets []struct {
		Path, Verdict string
		To            state
	}
}) {
	b.t.Helper()
	b.json(0, &p, "plan")
	return p
}

// stateOf is what stands at a path now.
func (b *book) stateOf(path string) state {
	b.t.Helper()
	info, err := os.Lstat(b.Path(path))
	if err != nil {
		return state{Kind: "absent", Mode: "000000"}
	}
	s := state{Kind: "file", Mode: fmt.Sprintf("100%03o", info.Mode().Perm())}
	var data []byte
	if info.Mode()&fs.ModeSymlink != 0 {
		to, lerr := os.Readlink(b.Path(path))
		data, err, s.Kind, s.Mode = []byte(to), lerr, "link", "120000"
	} else {
		data, err = os.ReadFile(b.Path(path))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	s.Size, s.SHA256 = int64(len(data)), fmt.Sprintf("%x", sha256.Sum256(data))
	return s
}

// object is the file of a loose object.
func (b *book) object(rev string) string {
	b.t.Helper()
	oid := b.Git("rev-parse", rev)
	return b.Path(".git/objects/" + oid[:2] + "/" + oid[2:])
}

// threeEdited is a turn that edited a, b and c, and what it went out from.
func (b *book) threeEdited() world {
	b.t.Helper()
	for _, name := range []string{"a", "b", "c"} {
		b.Write(name, name+"\n")
	}
	b.Commit("base")
	before := b.world()
	b.turn("T", func() { b.sh("for f in a b c; do echo agent >> $f; done") })
	return before
}

// caseLostRecord: of three files the record of one is damaged. It is named, and
// the two others go back.
func caseLostRecord(b *book) {
	for _, when := range []string{"before it is staged", "after it is staged"} {
		b := b.another()
		before := b.threeEdited()
		blob := b.object("HEAD:b")
		good, err := os.ReadFile(blob)
		if err != nil {
			b.t.Fatal(err)
		}
		damage := func() { b.sh("chmod u+w " + blob + "; echo broken > " + blob) }
		if when == "before it is staged" {
			damage()
			if s := b.exits(3, "diff", "latest"); !strings.Contains(s.stdout, "+++ b/a") || !strings.Contains(s.stdout, "+++ b/c") || !strings.Contains(s.stderr, "1 file not shown: b") {
				b.t.Errorf("diff: %+v", s)
			}
			b.exits(3, "diff", "latest", "--json")
		}
		b.stage("latest")
		if when != "before it is staged" {
			damage()
		}
		p := b.plan()
		if got := p.verdicts(); got != "a write clean, b write conflict, c write clean" || !strings.Contains(p.Targets[1].Reason, "damaged") {
			b.t.Errorf("%s: plan %s: %q", when, got, p.Targets)
		}
		b.refusal()
		r := b.carry(3, "--partial")
		if r.Outcome != "partial" || r.paths() != "restored a, restored c" || len(r.Skipped) != 1 || r.Skipped[0].Path != "b" || !strings.Contains(r.Skipped[0].Reason, "damaged") {
			b.t.Errorf("%s: %s %s, skipped %+v", when, r.Outcome, r.paths(), r.Skipped)
		}
		b.restored(before, "b")
		b.reads("b", "b\nagent\n")
		if err := os.WriteFile(blob, good, 0o444); err != nil { // and with the object back, the third
			b.t.Fatal(err)
		}
		b.rollback("latest")
		b.restored(before)
	}
}

// caseLostObject: a turn of which an object is gone is listed as incomplete, and
// refused before anything is written.
func caseLostObject(b *book) {
	b.threeEdited()
	b.turn("T", func() { b.sh("for f in a b c; do echo again >> $f; done") })
	if got := b.ok("turns"); strings.Contains(got, "incomplete") {
		b.t.Errorf("turns: %s", got)
	}
	blob := b.object("HEAD:b")
	b.sh("mv " + blob + " ../kept")
	if got := b.ok("turns"); strings.Count(got, "incomplete") != 1 || !strings.HasPrefix(strings.TrimSpace(got), "1  error") {
		b.t.Errorf("turns: %s", got)
	}
	if got := b.show("T", "1"); got.Status != "error" || !strings.HasPrefix(got.StatusReason, `incomplete: content of "b"`) {
		b.t.Errorf("turn 1: %s, %s", got.Status, got.StatusReason)
	}
	if got := b.show("T", "2"); got.Status != "ready" {
		b.t.Errorf("turn 2: %+v", got)
	}
	if got := b.ok("status"); !strings.Contains(got, "incomplete") {
		b.t.Errorf("status: %s", got)
	}
	b.stage("1")
	if got := b.plan().verdicts(); !strings.Contains(got, "b write conflict") {
		b.t.Errorf("plan: %s", got)
	}
	b.refusal()
	s := b.screen("review", "1")
	b.see(s, "1 Working")
	b.leave(s)
	b.rollback("2")
	b.sh("mv ../kept " + blob)
	if got := b.show("T", "1"); got.Status != "ready" {
		b.t.Errorf("with the object back: %s, %s", got.Status, got.StatusReason)
	}
	b.rollback("1")
	b.reads("b", "b\n")
}
