//go:build linux

package casebook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/ui/cli/clitest"
	"overturn/ui/cli/trial"
)

// finding is one line of overturn.doctor/1.
type finding struct {
	Check, Detail, Repair string
	OK                    bool
}

// doctor is what the verb says; code is what it must exit with.
func (b *book) doctor(code int) []finding {
	b.t.Helper()
	var d struct {
		Schema   string
		Findings []finding
	}
	s := b.exits(code, "--json", "doctor")
	if err := json.Unmarshal([]byte(s.stdout), &d); err != nil || d.Schema != "overturn.doctor/1" {
		b.t.Fatalf("doctor: %v, schema %q\n%s", err, d.Schema, s.stdout)
	}
	return d.Findings
}

// bad are the findings that are not good.
func bad(list []finding) []finding {
	var out []finding
	for _, f := range list {
		if !f.OK {
			out = append(out, f)
		}
	}
	return out
}

// patient is a repository with user work, a turn and a rollback that was undone.
func patient(t *testing.T) *book {
	b := openBook(t)
	b.userWork()
	b.turn("T", b.agentWork)
	b.rollback("1", "--", "edit")
	b.undo()
	return b
}

// shell runs a repair as a user would, with overturn in the PATH.
func (b *book) shell(command string) {
	b.t.Helper()
	bin := filepath.Dir(clitest.Bin())
	b.sh(`PATH="` + bin + `:$PATH"; export PATH; export ` + strings.Join(quoted(clitest.Hermetic(b.Home)), " ") + "\n" + command)
}

func quoted(entries []string) []string {
	var out []string
	for _, e := range entries {
		name, value, _ := strings.Cut(e, "=")
		out = append(out, name+"='"+value+"'")
	}
	return out
}

// TestDoctorFindsAndRepairs does one damage at a time: exactly the check that is
// meant says so, and after what it names as the repair all is well again.
func TestDoctorFindsAndRepairs(t *testing.T) {
	t.Parallel()
	well := patient(t)
	if list := bad(well.doctor(0)); len(list) > 0 {
		t.Fatalf("before any damage: %+v", list)
	}
	const turn1 = "refs/overturn/threads/VA/turn/1"
	for _, c := range []struct {
		name   string
		damage func(b *book)
		check  string
		detail string // stands in the detail
		repair string // how the repair begins; run as a command when run is ""
		run    string
	}{
		{name: "rollback cut short", damage: func(b *book) {
			b.stage("1", "--", "edit", "bin")
			b.killed("rollback.swapped", "rollback", "--expect", b.plan().Fingerprint)
		},
			check: "interrupted-rollback", detail: "at 1 of 2 paths", repair: "overturn recover --unwind puts back", run: "overturn recover --unwind"},
		{name: "file beside", damage: func(b *book) { b.Write("dir.d/.overturn-01arz3ndektsv4rrffq69g5fav-3", "x") },
			check: "left-overs", detail: "dir.d/.overturn-01arz3ndektsv4rrffq69g5fav-3", repair: "overturn recover, if", run: "rm -r dir.d"},
		{name: "ref gone", damage: func(b *book) { b.Git("update-ref", "-d", turn1) }, check: "turn", detail: "T/1: its snapshot is gone", repair: "git update-ref " + turn1},
		{name: "ref moved", damage: func(b *book) { b.Git("update-ref", turn1, "HEAD") }, check: "turn", detail: "holds another value", repair: "git update-ref " + turn1},
		{name: "packs gone", damage: func(b *book) { b.sh("mv .git/objects/pack ../pack; mkdir .git/objects/pack") },
			check: "turn", detail: "T/1", repair: "copy the missing objects", run: "rmdir .git/objects/pack; mv ../pack .git/objects/pack"},
		{name: "no event", damage: func(b *book) {
			b.sh("mkdir -p .git/overturn/inbox; echo nonsense > .git/overturn/inbox/1.json")
			b.ok("status")
		},
			check: "inbox", detail: "set aside", repair: "look at them and remove them", run: "rm .git/overturn/inbox/*"},
		{name: "event waits", damage: func(b *book) { b.sh("mkdir -p .git/overturn/inbox; echo nonsense > .git/overturn/inbox/1.json") },
			check: "inbox", detail: "1 event of hooks", repair: "overturn status", run: "overturn status; rm .git/overturn/inbox/*"},
		{name: "lock of git", damage: func(b *book) { b.sh("touch -d '1 hour ago' .git/index.lock") }, check: "locks", detail: "index.lock is 1h0m", repair: "if no git is running here, rm ", run: "rm .git/index.lock"},
		{name: "open to others", damage: func(b *book) { b.sh("chmod 755 .git/overturn") }, check: "state-folder", detail: "mode 0755", repair: "chmod 700 "},
		{name: "state locked", damage: func(b *book) { b.sh("chmod 500 .git/overturn/ledger") }, check: "state-folder", detail: "cannot be read or written", repair: "chmod -R u+rwX "},
		{name: "table torn", damage: func(b *book) { b.sh("truncate -s -9 .git/overturn/table") }, check: "stat-table", detail: "cannot be used", repair: "rm ", run: "rm .git/overturn/table"},
		{name: "staged set torn", damage: func(b *book) { b.stage("1", "--", "edit"); b.sh("truncate -s -9 .git/overturn/staged.json") },
			check: "staged-set", detail: "cannot be used", repair: "`overturn unstage`", run: "overturn unstage"},
		{name: "journal torn", damage: func(b *book) { b.sh("for f in .git/overturn/journal/*; do sed -i '1s/.$/x/' $f; done") },
			check: "history", detail: "is damaged", repair: "mv ", run: "rm .git/overturn/journal/*"},
		{name: "settings", damage: func(b *book) { b.Write(".overturn/settings.json", "{") }, check: "settings", detail: "settings.json", repair: "", run: "rm -r .overturn"},
		{name: "foreign ref", damage: func(b *book) { b.Git("update-ref", "refs/overturn/mine", "HEAD") }, check: "refs", detail: "refs/overturn/mine", repair: "git update-ref -d REF", run: "git update-ref -d refs/overturn/mine"},
		{name: "mirror", damage: func(b *book) { b.sh("git remote add --mirror=push a.b ../other") }, check: "mirror-push", detail: "a push to a.b", repair: "git config "},
		{name: "push of all", damage: func(b *book) { b.sh("git remote add o ../other; git config remote.o.push '+refs/*:refs/*'") }, check: "mirror-push", detail: "a push to o", repair: "git config "},
		{name: "letter case", damage: func(b *book) { b.Git("config", "core.ignorecase", "true") }, check: "letter-case", detail: "git takes them for one", repair: "git config core.ignorecase false"},
		{name: "record gone", damage: func(b *book) {
			b.sh("git for-each-ref --format='%(objectname) %(refname)' refs/overturn/checkpoints > ../records; git for-each-ref --format='delete %(refname)' refs/overturn/checkpoints | git update-ref --stdin")
		}, check: "records", detail: "no record of 1 turn: T/1", repair: "none here", run: "while read -r id ref; do git update-ref $ref $id; done < ../records"},
		{name: "trial killed", damage: func(b *book) { b.sh("mkdir -p .git/overturn/trial-1/x; touch -d '2 hours ago' .git/overturn/trial-1") },
			check: "storage", detail: "trial-1", repair: "rm -rf ", run: "rm -rf .git/overturn/trial-1"},
		{name: "temporary file", damage: func(b *book) { b.sh("touch -d '2 hours ago' .git/overturn/table-1.tmp") }, check: "storage", detail: "table-1.tmp", repair: "rm -r them", run: "rm .git/overturn/*.tmp"},
		{name: "folder of a conversion", damage: func(b *book) {
			b.sh("mkdir .git/overturn/convert-1.tmp; touch -d '2 hours ago' .git/overturn/convert-1.tmp")
		}, check: "storage", detail: "convert-1.tmp", repair: "rm -r them", run: "rm -r .git/overturn/*.tmp"},
		{name: "program of hooks gone", damage: func(b *book) {
			b.ok("enable", "claude-code")
			b.sh("sed -i 's|[^\"]*/overturn hook|/nowhere/overturn hook|' .claude/settings.local.json")
		}, check: "agent claude-code", detail: "call /nowhere/overturn, which is not there", repair: "overturn enable claude-code",
			run: "PATH=/usr/bin:/bin " + clitest.Bin() + " enable claude-code"},
		{name: "settings of an agent", damage: func(b *book) { b.Write(".claude/settings.local.json", "{") }, check: "agent claude-code", detail: "settings.local.json", repair: "", run: "rm -r .claude"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := well.copyOf(t)
			c.damage(b)
			f := b.found(c.check)
			if !strings.Contains(f.Detail, c.detail) || !strings.HasPrefix(f.Repair, c.repair) || f.Repair == "" {
				t.Errorf("it says %+v", f)
			}
			repair := c.run
			if repair == "" {
				repair = f.Repair
			}
			b.shell(repair)
			if list := bad(b.doctor(0)); len(list) > 0 {
				t.Errorf("after %q: %+v", repair, list)
			}
		})
	}
}

// found is the finding of the one check that is not good, beside those that only
// count what it says.
func (b *book) found(check string) finding {
	b.t.Helper()
	var first finding
	for _, f := range bad(b.doctor(1)) {
		switch {
		case f.Check == check && first.Check == "":
			first = f
		case f.Check != check && f.Check != "turns" && f.Check != "history" && f.Check != "left-overs":
			b.t.Errorf("and it says %+v", f)
		}
	}
	if first.Check == "" {
		b.t.Fatalf("no finding of %s", check)
	}
	return first
}

// TestDoctorWritesNothing looks at everything there is, overturn's own state too.
func TestDoctorWritesNothing(t *testing.T) {
	t.Parallel()
	b := patient(t)
	b.stage("1", "--", "edit")
	b.factsKept()
	before, own := b.world(), b.own()
	b.doctor(0)
	b.ok("doctor")
	b.same(before)
	if now := b.own(); now != own {
		t.Errorf("overturn's own state was\n%s\nis\n%s", own, now)
	}
}

// factsKept waits until a verb has kept what it learnt of the repository, which any does
// once the configuration is old enough for its stat to vouch for it.
func (b *book) factsKept() {
	b.t.Helper()
	for range 100 {
		b.ok("status")
		if b.Exists(".git/overturn/facts.json") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.t.Fatal("facts.json is not kept")
}

// own is all of overturn's state, with times.
func (b *book) own() string {
	b.t.Helper()
	var lines []string
	err := filepath.WalkDir(filepath.Join(b.Root, ".git", "overturn"), func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		what, err := trial.Standing(name)
		lines = append(lines, name+" "+what)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// TestDoctorBeforeAnything: a repository in which nothing is recorded stays as it is,
// and where there is none, what can be said is said.
func TestDoctorBeforeAnything(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	if list := bad(b.doctor(0)); len(list) > 0 {
		t.Errorf("%+v", list)
	}
	if b.Exists(".git/overturn") {
		t.Error("a state folder was made")
	}
	c := *b
	c.dir = b.Home
	list := bad(c.doctor(10))
	if len(list) != 1 || list[0].Check != "repository" || list[0].Repair == "" {
		t.Errorf("%+v", list)
	}
}
