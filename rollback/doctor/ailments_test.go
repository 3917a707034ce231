//go:build linux || darwin

package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/rollback/doctor"
)

// ailment is something that is wrong, the check that finds it and what is said.
type ailment struct {
	check, detail, repair string
	cause                 func(p *patient)
}

// state is a path in the state folder.
func (p *patient) state(path string) string { return filepath.Join(p.deps.Repo.StateDir(), path) }

func (p *patient) put(path, text string) {
	p.t.Helper()
	p.must(os.MkdirAll(filepath.Dir(p.state(path)), 0o700))
	p.must(os.WriteFile(p.state(path), []byte(text), 0o600))
}

// shut takes rights from something until the test ends.
func (p *patient) shut(name string, perm os.FileMode) {
	p.t.Helper()
	info, err := os.Lstat(name)
	p.must(err)
	p.must(os.Chmod(name, perm))
	p.t.Cleanup(func() { _ = os.Chmod(name, info.Mode().Perm()) })
}

func (p *patient) aged(path string, age time.Duration) {
	p.t.Helper()
	at := time.Now().Add(-age)
	p.must(os.Chtimes(p.state(path), at, at))
}

func ailments() map[string]ailment {
	const rollback, end = "01arz3ndektsv4rrffq69g5fav", "refs/overturn/threads/VA/turn/1"
	return map[string]ailment{
		"others may read prompts": {"state-folder", "can be read by others (mode 0755)", "chmod 700", func(p *patient) { p.must(os.Chmod(p.state(""), 0o755)) }},
		"a folder that is shut":   {"state-folder", "cannot be read or written", "chmod -R u+rwX", func(p *patient) { p.put("journal/x", ""); p.shut(p.state("journal"), 0) }},
		"a file that is shut":     {"state-folder", "cannot be read or written", "chmod -R u+rwX", func(p *patient) { p.put("odd", ""); p.shut(p.state("odd"), 0o400) }},
		"the work tree is shut":   {"work-tree", "permission denied", "see that you may read", func(p *patient) { p.shut(p.Root, 0o300) }},
		"a lock that is shut":     {"locks", "permission denied", "see that you may read", func(p *patient) { p.put("odd.lock", ""); p.shut(p.state("odd.lock"), 0) }},
		"git's lock is left": {"locks", "index.lock is 1h", "rm ", func(p *patient) {
			p.put("../index.lock", "")
			p.t.Cleanup(func() { _ = os.Remove(p.state("../index.lock")) })
			p.aged("../index.lock", time.Hour)
		}},
		"names told apart": {"letter-case", "differ in case alone", "git config core.ignorecase false", func(p *patient) { p.Git("config", "core.ignorecase", "true"); p.again() }},
		"the table is broken": {"stat-table", "", "nothing is lost", func(p *patient) {
			p.put("table", "no table")
		}},
		"a file of the table that is shut": {"stat-table", "permission denied", "nothing is lost", func(p *patient) { p.shut(p.state("table"), 0) }},
		"what is no event":                 {"inbox", "set aside, as no events", "look at them", func(p *patient) { p.put("inbox/x.json.broken", "{") }},
		"the inbox is shut":                {"inbox", "permission denied", "see that you may read", func(p *patient) { p.put("inbox/x", ""); p.shut(p.state("inbox"), 0) }},
		"temporary files are left": {"storage", "1 temporary file left in the state folder", "rm -r them", func(p *patient) {
			p.put("x.tmp", "")
			p.aged("x.tmp", 2*time.Hour)
		}},
		"packs cannot be listed": {"storage", "permission denied", "see that you may read", func(p *patient) { p.shut(p.Path(".git/objects/pack"), 0) }},
		"a trial is left": {"storage", "left by a trial that was killed", "nothing of yours is in it", func(p *patient) {
			p.put("trial-1/x", "")
			p.aged("trial-1", 2*time.Hour)
		}},
		"the staged set is broken":  {"staged-set", "", "unstage", func(p *patient) { p.put("staged.json", "{") }},
		"the staged set is shut":    {"staged-set", "permission denied", "unstage", func(p *patient) { p.put("staged.json", "{}"); p.shut(p.state("staged.json"), 0) }},
		"a journal is broken":       {"history", rollback, "aside to go on without it", func(p *patient) { p.put("journal/"+rollback+".jsonl", "{\"v\":1,\"type\":\"odd\"}\n{}\n") }},
		"the journals are shut":     {"history", "permission denied", "see that you may read", func(p *patient) { p.put("journal/x", ""); p.shut(p.state("journal"), 0) }},
		"settling cannot be told":   {"interrupted-rollback", "permission denied", "see that you may read", func(p *patient) { p.put("journal/x", ""); p.shut(p.state("journal"), 0) }},
		"a file of ours is left":    {"left-overs", "1 file left in the work tree by a rollback that was killed: .overturn-", "overturn recover", func(p *patient) { p.Write(".overturn-"+rollback+"-0", "left\n") }},
		"a ref of somebody else's":  {"refs", "1 ref that overturn did not make: refs/overturn/odd", "git update-ref -d", func(p *patient) { p.Git("update-ref", "refs/overturn/odd", "HEAD") }},
		"a ref of no thread's":      {"refs", "refs/overturn/threads/!/turn/1", "git update-ref -d", func(p *patient) { p.Git("update-ref", "refs/overturn/threads/!/turn/1", "HEAD") }},
		"a remote takes all":        {"mirror-push", "a push to odd sends overturn's refs too", "git config", func(p *patient) { p.Git("config", "remote.odd.mirror", "true") }},
		"a fetch replaces ours":     {"mirror-push", "a fetch from odd writes over overturn's refs", "git config --replace-all", func(p *patient) { p.Git("config", "remote.odd.fetch", "+refs/*:refs/*") }},
		"a remote takes ours":       {"mirror-push", "a push to odd sends overturn's refs too", "git config", func(p *patient) { p.Git("config", "remote.odd.push", "+refs/overturn/*:refs/overturn/*") }},
		"the git directory is shut": {"file-system", "permission denied", "can be written", func(p *patient) { p.must(os.RemoveAll(p.state(""))); p.shut(p.deps.Repo.GitDir, 0o500) }},
		"a ref of a turn went":      {"turn", "T/1", "git update-ref " + end, func(p *patient) { p.Git("update-ref", "-d", end) }},
		"a ref of a turn was moved": {"turn", "T/1", "git update-ref " + end, func(p *patient) { p.Git("update-ref", end, "HEAD") }},
		"an event is not recorded":  {"inbox", "1 event of hooks not recorded yet, the oldest from", "overturn status", func(p *patient) { p.put("inbox/x.json", "{}") }},
		"the comments are broken":   {"comments", "comments.json", "move it away to begin anew", func(p *patient) { p.put("comments.json", "{") }},
		"a hand-over is broken":     {"comments", "handover.json", "move it away", func(p *patient) { p.put("handover.json", "{") }},
		"a temporary folder is left": {"storage", "1 temporary file left in the state folder", "rm -r them", func(p *patient) {
			p.put("x.tmp/y", "")
			p.aged("x.tmp", 2*time.Hour)
		}},
		"what a rollback holds went": {"history", "cannot be taken back: 1 content no longer stored", "copy the missing objects", func(p *patient) {
			p.rolled(true)
			journals, err := filepath.Glob(p.state("journal/*.jsonl"))
			p.must(err)
			text, err := os.ReadFile(journals[0])
			p.must(err)
			_, rest, ok := strings.Cut(string(text), `"before":"`)
			if !ok {
				p.t.Fatalf("the journal names no content: %s", text)
			}
			p.must(os.WriteFile(journals[0], []byte(strings.Replace(string(text), rest[:40], strings.Repeat("a", 40), 1)), 0o600))
		}},
		"the lists of turns are shut": {"turns", "permission denied", "see that you may read", func(p *patient) { p.shut(p.state("ledger"), 0) }},
	}
}

// again reads the repository's settings anew.
func (p *patient) again() { p.deps.Repo = p.Open() }

// TestAilments: each is found by its check, is said, and comes with a repair; without it
// the check finds nothing.
func TestAilments(t *testing.T) {
	gittest.Unprivileged(t)
	for what, a := range ailments() {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t, time.Now)
			found := func() *doctor.Finding {
				for _, f := range doctor.Examine(t.Context(), p.deps) {
					if f.Check == a.check && !f.OK {
						return &f
					}
				}
				return nil
			}
			if f := found(); f != nil {
				t.Fatalf("beforehand: %+v", f)
			}
			a.cause(p)
			if f := found(); f == nil || f.Detail == "" || !strings.Contains(f.Detail, a.detail) || !strings.Contains(f.Repair, a.repair) {
				t.Errorf("it says %+v, want %q and %q", f, a.detail, a.repair)
			}
		})
	}
}

// TestManyTurnsAreDamaged: ten of them are told one by one, and all are counted.
func TestManyTurnsAreDamaged(t *testing.T) {
	p := newPatient(t, time.Now)
	for n := 2; n <= 12; n++ {
		p.turn(n)
	}
	for ref := range strings.FieldsSeq(p.Git("for-each-ref", "--format=%(refname)", "refs/overturn/threads")) {
		p.Git("update-ref", "-d", ref)
	}
	told := 0
	for _, f := range doctor.Examine(t.Context(), p.deps) {
		if f.Check == "turn" {
			told++
		}
	}
	if told != 10 {
		t.Errorf("%d turns are told one by one", told)
	}
	p.bad("turns", "12 turns in 1 thread; 12 damaged")
}
