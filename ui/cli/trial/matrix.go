package trial

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
)

// Matrix takes one kind of state through checkpoint, mutation, review, a stale
// review, scoped recovery, verification and undo. In each phase, whatever the row
// does not name as a target must be untouched: to the byte, the mode and the time.
func Matrix(_ context.Context, y *Yard, seed uint64) error {
	rows, folders := matrixRows(), matrixFolders()
	set := seed / uint64(len(rows))
	m := &matrix{Yard: y, row: rows[seed%uint64(len(rows))], folder: folders[set%uint64(len(folders))]}
	if m.folder != "" {
		if err := os.MkdirAll(y.Path(m.folder), 0o755); err != nil {
			m.folder = "" // this file system takes no such name
		} else {
			y.Sh("mkdir -p -- " + quote(m.folder))
		}
		m.Yard = y.In(m.folder)
	}
	m.run()
	return y.Err()
}

// matrix is one row on its way.
type matrix struct {
	*Yard
	row    matrixRow
	folder string // the row is played in it
}

func (m *matrix) run() {
	m.Sh(matrixBase)
	if m.row.user != "" {
		m.Sh(m.row.user)
	}
	m.Phase("before")
	mine := m.State().Timeless()
	m.reading(func() { m.Start("T") })
	m.Phase("checkpoint")

	m.Sh(m.row.agent)
	m.reading(m.end)
	m.Phase("mutation")

	var p Plan
	m.reading(func() {
		m.OK("diff", "1", "--patch")
		p = m.Stage(append([]string{"1", "--"}, m.row.targets...)...)
	})
	m.Phase("review")
	m.stale(p.Fingerprint)
	m.Phase("stale review")

	m.writing(func() { m.isBack(mine, m.Rollback(0, m.Plan().Fingerprint)) })
	m.Phase("recovery")
	m.writing(func() { m.Undo() })
	m.Phase("undo")
	m.traced(matrixEvents()...)
}

// at is a target's path from the top of the work tree.
func (m *matrix) at(target string) string { return path.Join(m.folder, target) }

func (m *matrix) targets() []string {
	var list []string
	for _, target := range m.row.targets {
		list = append(list, m.at(target))
	}
	return list
}

func (m *matrix) end() {
	if m.row.effect {
		m.OK("turn", "effect", "--thread", "T", "--domain", "messages", "--summary", "mail to a customer", "--reversible", "no")
	}
	m.End("T")
}

// reading does what may change nothing at all.
func (m *matrix) reading(do func()) {
	before := m.State()
	do()
	m.Held(before)
}

// writing does what may change the targets alone, and the index where the turn
// itself staged one of them: then every entry of others must be as it was.
func (m *matrix) writing(do func()) {
	except := m.targets()
	before, entries := m.State(), m.othersStaged()
	if m.row.staged {
		except = append(except, ".git/index")
	}
	do()
	m.Held(before, except...)
	m.Wrote(before, except...)
	if now := m.othersStaged(); now != entries {
		m.Tally.Survival.Add(false)
		m.Faultf("entries of the index that are no target changed: %q, now %q", entries, now)
	}
}

// othersStaged are the entries of the index that are no targets.
func (m *matrix) othersStaged() string {
	var kept []string
	for _, entry := range strings.Split(m.Git("ls-files", "--stage", "--full-name", "-z", ":/"), "\x00") {
		if _, name, _ := strings.Cut(entry, "\t"); !Below(name, m.targets()) {
			kept = append(kept, entry)
		}
	}
	return strings.Join(kept, "\x00")
}

// stale edits a target after the review, and sees the confirmation rejected with
// nothing written; then takes the edit back, or leaves the row's own.
func (m *matrix) stale(print string) {
	at := m.row.targets[len(m.row.targets)-1]
	m.Sh(`mkdir "$YARD/aside"; if [ -e ` + at + " ] || [ -L " + at + ` ]; then cp -a ` + at + ` "$YARD/aside/"; rm ` + at + "; fi; printf 'typed after the review\n' > " + at)
	m.reading(func() {
		said := m.Overturn("rollback", "--expect", print)
		rejected := said.Code == 4 && strings.Contains(said.Stderr, "changed since the review")
		m.Tally.Stale.Add(rejected)
		if !rejected {
			m.Faultf("a stale review was not rejected: exit code %d: %s", said.Code, said.Stderr)
		}
	})
	kept := `"$YARD/aside/` + at + `"`
	m.Sh("rm " + at + "; if [ -e " + kept + " ] || [ -L " + kept + " ]; then cp -a " + kept + " .; fi")
	if m.row.later != "" {
		m.Sh(m.row.later)
	}
}

// isBack holds that the user's part of the targets is what it was before the turn,
// and that the report says what was done and what was not.
func (m *matrix) isBack(mine State, r Result) {
	if m.Err() != nil {
		return
	}
	if r.Outcome != "complete" || !r.Verified || len(r.Skipped) > 0 {
		m.Faultf("the report says %+v", r)
	}
	m.effects(r)
	now := m.State().Timeless()
	for _, target := range m.row.targets {
		at := m.at(target)
		back := now[at] == mine[at]
		if m.row.later != "" { // the later edit stays, without the turn's
			data, err := os.ReadFile(m.Path(at))
			back = err == nil && string(data) == "one\ntwo\nthree\nlater\n"
		}
		if m.Tally.Recovery.Add(back); !back {
			m.Faultf("%s is %q, was %q", at, now[at], mine[at])
		}
	}
}

// effects holds that what a rollback cannot take back is named, with the domains.
func (m *matrix) effects(r Result) {
	if m.row.effect {
		named := len(r.Residual) == 1 && r.Residual[0].Reversible == "no"
		m.Tally.Residual.Add(named)
	}
	if m.row.effect != (len(r.Residual) == 1) {
		m.Faultf("residual effects: %+v", r.Residual)
	}
	for _, d := range r.Domains {
		want := slices.Contains([]string{"tracked", "untracked", "modes"}, d.Domain) || d.Domain == "index" && m.row.staged
		if d.Covered != want {
			m.Faultf("domain %s is said to be covered: %t", d.Domain, d.Covered)
		}
	}
}

// traced counts the events that must be in the trace.
func (y *Yard) traced(want ...string) {
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(y.OK("--json", "trace")), "\n") {
		if y.Err() != nil {
			return
		}
		var e struct{ Event string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			y.Faultf("a line of the trace cannot be read: %v", err)
		}
		names = append(names, e.Event)
	}
	for _, name := range want {
		recorded := slices.Contains(names, name)
		if y.Tally.Trace.Add(recorded); !recorded {
			y.Faultf("the trace has no %s", name)
		}
	}
}
