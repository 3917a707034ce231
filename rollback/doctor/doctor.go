package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/queue"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback"
)

// Finding is one line of the report. OK false says that something is to be done, or
// that something was lost; Repair says in words what to do about it.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Repair string `json:"repair"`
}

// Deps is what there is to be examined.
type Deps struct {
	Repo      *gitops.Repo
	Objects   *objects.Store
	Refs      *refs.Store
	Snapshots *snapshot.Engine
	Ledger    *ledger.Ledger
	Records   *checkpoint.Topology
	Queue     *queue.Queue // what waits to be pushed
	Rollback  *rollback.Engine
	Clock     model.Clock
}

// Examine makes every check, in an order in which what is further down rests on what
// is above.
func Examine(ctx context.Context, d Deps) []Finding {
	e := &exam{Deps: d, ctx: ctx, now: d.Clock()}
	for _, check := range []func(){
		e.workTree, e.stateFolder, e.locks, e.fileSystem,
		e.statTable, e.captures, e.inbox, e.turns, e.records, e.policy, e.mirrorTypes, e.queue, e.strayRefs, e.mirrors, e.storage,
		e.stagedSet, e.comments, e.interrupted, e.history, e.leftovers,
	} {
		if ctx.Err() != nil {
			break
		}
		check()
	}
	return e.findings
}

// exam is one examination.
type exam struct {
	Deps
	ctx      context.Context
	now      time.Time
	findings []Finding
	turnsOf  []threadTurns // filled in by turns
}

func (e *exam) good(check, format string, args ...any) {
	e.findings = append(e.findings, Finding{Check: check, OK: true, Detail: fmt.Sprintf(format, args...)})
}

func (e *exam) bad(check, repair, format string, args ...any) {
	e.findings = append(e.findings, Finding{Check: check, Detail: fmt.Sprintf(format, args...), Repair: repair})
}

// failed is a check that could not be made.
func (e *exam) failed(check string, err error, repair string) {
	e.findings = append(e.findings, Failed(check, err, repair))
}

// Failed is the finding of an error: its words, and its own hint where it has one.
func Failed(check string, err error, repair string) Finding {
	if hint := model.HintOf(err); hint != "" {
		repair = hint
	}
	return Finding{Check: check, Detail: err.Error(), Repair: repair}
}

// count is "1 turn", "2 turns".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// some is the first few of a list, and how many more there are.
func some(list []string) string {
	const few = 5
	if len(list) <= few {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:few], ", "), len(list)-few)
}

// size is a number of bytes as people read it.
func size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d bytes", n)
	}
	value, names := float64(n)/unit, "KMGTPE"
	i := 0
	for ; value >= unit && i < len(names)-1; i++ {
		value /= unit
	}
	return fmt.Sprintf("%.1f %ciB", value, names[i])
}

// since is how long ago something was, in whole seconds.
func (e *exam) since(at time.Time) time.Duration { return e.now.Sub(at).Round(time.Second) }
