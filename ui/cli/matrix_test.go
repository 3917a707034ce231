//go:build linux || darwin

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The recovery matrix: every kind of state that a rollback meets, taken through
// checkpoint, mutation, review, a stale review, scoped recovery, verification and
// undo. After each phase the hashes of all files and git's own status must be those
// of testdata/matrix (written anew with UPDATE_GOLDEN=1), and whatever the row does
// not name as a target must be untouched, to the byte, the mode and the time.
//
// `go test ./ui/cli -run RecoveryMatrix -v` prints the figures.

// matrixRow is one kind of state. user is what stands there before the turn, agent
// the turn's work; targets are staged, and back tells whether what stands there
// afterwards is what the user had.
type matrixRow struct {
	name, user, agent string
	targets           []string
	later             string // the user's work after the review, that must survive
	effect            bool   // the turn did something outside, which stays
	staged            bool   // the turn staged an entry, which goes back
}

func matrixRows() []matrixRow {
	return []matrixRow{
		{name: "clean", agent: "printf 'one\nTWO\nthree\n' > tracked", targets: []string{"tracked"}},
		{name: "staged", user: "printf 'one\ntwo\nthree\nstaged\n' > tracked; git add tracked",
			agent: "printf 'ONE\ntwo\nthree\nstaged\n' > tracked", targets: []string{"tracked"}},
		{name: "staged-by-turn", agent: "printf 'one\nTWO\nthree\n' > tracked; printf 'new\n' > new; git add tracked new", targets: []string{"tracked", "new"}, staged: true},
		{name: "unstaged", user: "printf 'one\ntwo\nthree\nunstaged\n' > tracked",
			agent: "printf 'ONE\ntwo\nthree\nunstaged\n' > tracked", targets: []string{"tracked"}},
		{name: "untracked", user: "printf 'material\n' > mine; chmod 600 mine", agent: "printf 'overwritten\n' > mine; printf 'made\n' > made", targets: []string{"mine", "made"}},
		{name: "ignored", user: "mkdir build; printf 'old\n' > build/out.o", agent: "printf 'new\n' > build/out.o; printf 'one\nTWO\nthree\n' > tracked", targets: []string{"tracked"}},
		{name: "deleted", agent: "rm tracked", targets: []string{"tracked"}},
		{name: "rename", agent: "mv other renamed; printf 'and more\n' >> renamed", targets: []string{"other", "renamed"}},
		{name: "symlink", agent: "rm link; ln -s other link; rm tracked; ln -s other tracked", targets: []string{"link", "tracked"}},
		{name: "mode", user: "chmod 640 tracked", agent: "chmod 755 tracked", targets: []string{"tracked"}},
		{name: "binary", agent: `printf '\0\377new' > binary`, targets: []string{"binary"}},
		{name: "edit-after-review", agent: "printf 'ONE\ntwo\nthree\n' > tracked", targets: []string{"tracked"}, later: "printf 'ONE\ntwo\nthree\nlater\n' > tracked"},
		{name: "external-effect", agent: "printf 'ONE\ntwo\nthree\n' > tracked", targets: []string{"tracked"}, effect: true},
	}
}

func TestRecoveryMatrix(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	for _, row := range matrixRows() {
		t.Run(row.name, func(t *testing.T) {
			m := &matrixRun{book: openBook(t), row: row}
			m.run()
			t.Log(m.figures())
		})
	}
}

// matrixResult is the report of a rollback with what it says of its limits.
type matrixResult struct {
	result
	Residual []struct{ Domain, Summary, Reversible string }
	Domains  []struct {
		Domain  string
		Covered bool
	}
}

// matrixRun is one row on its way, and what was measured.
type matrixRun struct {
	*book
	row      matrixRow
	log      bytes.Buffer // the phases
	took     time.Duration
	back     int // targets that are as the user had them
	over     int // files beyond the targets that moved
	residual int // effects that stay
	rejected bool
}

func (m *matrixRun) run() {
	t := m.t
	m.userState()
	m.phase("before")
	mine := m.standing()
	m.reading(func() { m.start("T") })
	m.phase("checkpoint")

	m.sh(m.row.agent)
	m.reading(func() {
		if m.row.effect {
			m.ok("turn", "effect", "--thread", "T", "--domain", "messages", "--summary", "mail to a customer", "--reversible", "no")
		}
		m.end("T")
	})
	m.phase("mutation")

	var p plan
	m.reading(func() {
		m.ok("diff", "1", "--patch")
		m.ok(append([]string{"stage", "1", "--"}, m.row.targets...)...)
		p = m.plan()
	})
	m.phase("review")
	m.stale(p.Fingerprint)
	m.phase("stale review")

	before := m.world()
	began := time.Now()
	var r matrixResult
	m.json(0, &r, "rollback", "--expect", m.plan().Fingerprint)
	m.took = time.Since(began)
	m.beyond(before)
	m.phase("recovery")
	m.isBack(mine, r)

	before = m.world()
	m.ok("undo")
	m.beyond(before)
	m.phase("undo")
	m.compare(filepath.Join("testdata", "matrix", m.row.name+".txt"))
	if t.Failed() {
		t.Logf("row %+v", m.row)
	}
}

// userState is what every row has beside its own: something staged, unstaged,
// untracked, ignored, stashed and in the reflog, none of which is ever a target.
func (m *matrixRun) userState() {
	m.sh(`printf 'one\ntwo\nthree\n' > tracked; printf 'other\nlines\nof\na\nfile\n' > other; printf '\0\1\2' > binary; ln -s tracked link
		printf 's\n' > user-staged; printf 'u\n' > user-unstaged; printf '*.o\n' > .gitignore
		git add -A; git commit -qm base; printf 'stashed\n' >> user-staged; git stash -q
		printf 'staged\n' >> user-staged; git add user-staged; printf 'unstaged\n' >> user-unstaged
		printf 'untracked\n' > user-untracked; chmod 600 user-untracked; printf 'built\n' > user-ignored.o`)
	m.sh(m.row.user)
}

// reading does what may change nothing at all.
func (m *matrixRun) reading(do func()) {
	m.t.Helper()
	before := m.world()
	do()
	m.same(before)
}

// stale edits a target after the review, and sees the confirmation refused with
// nothing written; then takes the edit back, or leaves the row's own.
func (m *matrixRun) stale(print string) {
	m.t.Helper()
	at := m.row.targets[len(m.row.targets)-1]
	m.sh("mkdir ../aside; if [ -e " + at + " ] || [ -L " + at + " ]; then cp -a " + at + " ../aside/; rm " + at + "; fi; printf 'typed after the review\n' > " + at)
	m.reading(func() {
		s := m.exits(4, "rollback", "--expect", print)
		m.rejected = strings.Contains(s.stderr, "changed since the review")
	})
	m.sh("rm " + at + "; if [ -e ../aside/" + at + " ] || [ -L ../aside/" + at + " ]; then cp -a ../aside/" + at + " .; fi")
	if m.row.later != "" {
		m.sh(m.row.later)
	}
	if !m.rejected {
		m.t.Error("the stale review was not rejected")
	}
}

// beyond holds that nothing but the targets moved. The index may, where the turn
// itself staged something; every entry of others is in the phases.
func (m *matrixRun) beyond(before world) {
	m.t.Helper()
	for name, is := range m.world().files {
		if is != before.files[name] && !isBelow(name, m.row.targets) {
			m.over++
		}
	}
	if !m.row.staged {
		m.same(before, m.row.targets...)
		return
	}
	now := m.world()
	if d := before.git.Diff(now.git); d != "/index changed" {
		m.t.Errorf("git's own state: %s", d)
	}
	m.sameFiles(before, now, false, m.row.targets)
}

// isBack holds that the user's part of the targets is what it was before the turn,
// and that the report says so.
func (m *matrixRun) isBack(mine map[string]string, r matrixResult) {
	m.t.Helper()
	if m.residual = len(r.Residual); m.row.effect != (m.residual == 1) || m.row.effect && r.Residual[0].Reversible != "no" {
		m.t.Errorf("residual effects: %+v", r.Residual)
	}
	for _, d := range r.Domains {
		if want := slices.Contains([]string{"tracked", "untracked", "modes"}, d.Domain) || d.Domain == "index" && m.row.staged; d.Covered != want {
			m.t.Errorf("domain %s is said to be covered: %t", d.Domain, d.Covered)
		}
	}
	if r.Outcome != "complete" || !r.Verified || len(r.Skipped) > 0 {
		m.t.Errorf("the report says %+v", r)
	}
	now := m.standing()
	for _, target := range m.row.targets {
		if m.row.later != "" || now[target] == mine[target] {
			m.back++
		} else {
			m.t.Errorf("%s is %q, was %q", target, now[target], mine[target])
		}
	}
	if m.row.later != "" {
		m.reads("tracked", "one\ntwo\nthree\nlater\n")
	}
}

// standing is each file's mode and hash, or the link's text, without times.
func (m *matrixRun) standing() map[string]string {
	files := m.world().files
	for name, what := range files {
		files[name], _, _ = strings.Cut(what, " changed ")
	}
	return files
}

// phase notes git's status and the hash of every file.
func (m *matrixRun) phase(name string) {
	m.t.Helper()
	fmt.Fprintf(&m.log, "== %s\n%s\n", name, m.Git("status", "--porcelain=v2", "--untracked-files=all", "--ignored"))
	files := m.standing()
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&m.log, "%s %s\n", files[name], name)
	}
}

func (m *matrixRun) compare(golden string) {
	m.t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, m.log.Bytes(), 0o644); err != nil {
			m.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		m.t.Fatal(err)
	}
	if !bytes.Equal(want, m.log.Bytes()) {
		m.t.Errorf("the phases are not those of %s:\n%s", golden, firstDifference(want, m.log.Bytes()))
	}
}

// figures is the row's line: what the seed asks to be measured.
func (m *matrixRun) figures() string {
	survived := "survived"
	if m.t.Failed() {
		survived = "see above"
	}
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(m.ok("--json", "trace")), "\n") {
		var e struct{ Event string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			m.t.Error(err)
		}
		names = append(names, e.Event)
	}
	complete := 0
	want := []string{"turn.started", "turn.ended", "checkpoint.create", "rollback.staged", "checkpoint.diff", "rollback.stale",
		"rollback.confirmed", "rollback.started", "checkpoint.rollback", "rollback.verified", "rollback.undone"}
	for _, name := range want {
		if slices.Contains(names, name) {
			complete++
		} else {
			m.t.Errorf("the trace has no %s", name)
		}
	}
	return fmt.Sprintf("protected state %s · %d of %d targets recovered · stale review rejected: %t · overreach %d · %d ms · residual effects %d · trace %d of %d",
		survived, m.back, len(m.row.targets), m.rejected, m.over, m.took.Milliseconds(), m.residual, complete, len(want))
}
