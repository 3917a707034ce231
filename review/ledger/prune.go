package ledger

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/settings"
)

// Holds says why turns stay whatever a rule says: what is staged from them, or an
// interrupted rollback of them.
type Holds map[ThreadTurn]string

// Prune lets go of the snapshots and records of turns that the rule does not keep: of
// every work tree, and of threads whose work tree is gone. The turns stay listed, and
// say that they were pruned. Work trees are taken one by one, each under its lock.
// Their objects stay stored until Objects.Retire.
func (l *Ledger) Prune(ctx context.Context, rule model.PruneRule, holds Holds, done *model.Pruned) error {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return err
	}
	onBranch, err := l.onBranch(ctx)
	if err != nil {
		return err
	}
	known := map[model.ThreadID]bool{}
	for _, d := range dirs {
		if err := l.pruneWorkTree(ctx, d, rule, holds, known, onBranch, done); err != nil {
			return err
		}
	}
	return l.pruneOrphans(ctx, rule, holds, known, onBranch, done)
}

func (l *Ledger) pruneWorkTree(ctx context.Context, d gitops.StateDir, rule model.PruneRule, holds Holds, known map[model.ThreadID]bool, onBranch map[model.ID]string, done *model.Pruned) error {
	rows, err := threadsIn(d)
	if err != nil || len(rows) == 0 {
		return err
	}
	if !rule.DryRun {
		wait, cancel := context.WithTimeout(ctx, l.d.LockWait)
		defer cancel()
		lock, err := durable.Acquire(wait, filepath.Join(d.Dir, lockName), "pruning turns")
		if err != nil {
			return err
		}
		defer lock.Unlock()
	}
	newest := slices.MaxFunc(rows, func(a, b model.Thread) int { return a.LastAt.Compare(b.LastAt) }).ID
	for _, row := range rows {
		known[row.ID] = true
		th, err := l.load(ctx, d.Dir, row.ID)
		if err != nil {
			return err
		}
		th.newestHere, th.onBranch = row.ID == newest, onBranch
		if err := l.pruneThread(ctx, th, rule, holds, done); err != nil {
			return err
		}
	}
	return nil
}

// pruneOrphans takes the threads that have refs and no state folder: that of their
// work tree is gone. Their turns are what their snapshots say.
func (l *Ledger) pruneOrphans(ctx context.Context, rule model.PruneRule, holds Holds, known map[model.ThreadID]bool, onBranch map[model.ID]string, done *model.Pruned) error {
	all, err := l.d.Refs.List(ctx, refRoot)
	if err != nil {
		return err
	}
	threads := map[model.ThreadID]*threadState{}
	for _, ref := range all {
		id, n, _, err := ParseRef(ref.Name)
		if err != nil || known[id] {
			continue
		}
		th := threads[id]
		if th == nil {
			th = &threadState{id: id, turns: map[int]*turnFile{}, onBranch: onBranch}
			threads[id] = th
		}
		if n > 0 && th.turns[n] == nil {
			th.turns[n], th.last = l.recoverTurn(ctx, id, n), max(th.last, n)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(threads)) {
		if err := l.pruneThread(ctx, threads[id], rule, holds, done); err != nil {
			return err
		}
	}
	return nil
}

// pruneThread works out what of a thread goes, and lets it go: first that is written
// down (pruning), then the refs move, then the turns say so, and the local files go
// that only a comparison needs.
func (l *Ledger) pruneThread(ctx context.Context, th *threadState, rule model.PruneRule, holds Holds, done *model.Pruned) error {
	if !rule.DryRun {
		if err := l.finishPruning(ctx, th); err != nil { // one that was killed
			return err
		}
	}
	var gone, kept []*turnFile
	reasons := map[string]string{} // by ref that stays
	for n := 1; n <= th.last; n++ {
		t, err := th.turn(n)
		if err != nil {
			return err
		}
		if t == nil {
			continue
		}
		why := l.keepsTurn(th, t, rule, holds)
		if why == "" {
			gone = append(gone, t)
			continue
		}
		kept = append(kept, t)
		for _, ref := range refsOf(t) {
			reasons[ref] = why
		}
	}
	for _, t := range kept { // the start of a turn may be the end of the one before
		if s := t.Turn.Start; s != nil && s.Ref != startRef(th.id, t.Turn.Number) {
			reasons[s.Ref] = fmt.Sprintf("turn %d starts from it: %s", t.Turn.Number, l.keepsTurn(th, t, rule, holds))
		}
	}
	gone = slices.DeleteFunc(gone, func(t *turnFile) bool { return staysWhole(t, reasons) })
	updates, err := l.letGo(ctx, gone, reasons, done)
	if err != nil {
		return err
	}
	for _, ref := range slices.Sorted(maps.Keys(reasons)) {
		done.Keep(ref, reasons[ref])
	}
	for _, u := range updates {
		done.Removed = append(done.Removed, u.Name)
	}
	records := l.branchRecords(th, gone, rule, holds, done)
	if rule.DryRun {
		return nil
	}
	if len(updates) > 0 {
		if err := l.carryOut(ctx, th, gone, updates); err != nil {
			return err
		}
	}
	if len(records) == 0 {
		return nil
	}
	return l.d.Records.Forget(ctx, records...)
}

// staysWhole tells whether other turns keep both snapshots of a turn. It stays ready
// then: its record, and the evidence that tells its agent from the user, stay too.
func staysWhole(t *turnFile, reasons map[string]string) bool {
	start, end := t.Turn.Start, t.Turn.End
	if start == nil || end == nil || reasons[start.Ref] == "" || reasons[end.Ref] == "" {
		return false
	}
	for _, ref := range refsOf(t) {
		if reasons[ref] == "" {
			reasons[ref] = keptWhole
		}
	}
	return true
}

const keptWhole = "the turns beside it keep both of its snapshots"

// keepsTurn says why a turn stays, "" when it may go.
func (l *Ledger) keepsTurn(th *threadState, t *turnFile, rule model.PruneRule, holds Holds) string {
	of := ThreadTurn{th.id, t.Turn.Number}
	ended := lastAt(t.Turn)
	age := l.d.Clock().Sub(ended)
	switch {
	case t.open():
		return "the turn is open"
	case t.RecordWaits != "":
		return "its record is not written yet"
	case t.Turn.Number == th.last && th.newestHere:
		return "it is the newest turn of its work tree"
	case t.Turn.Number == th.last && (rule.Keep > 0 || rule.OlderThan <= 0):
		return "it is the newest turn of its thread"
	case holds[of] != "":
		return holds[of]
	case rule.Keep > 0 && t.Turn.Number > th.last-rule.Keep:
		return fmt.Sprintf("it is among the newest %d turns of its thread", rule.Keep)
	case rule.OlderThan > 0 && age < rule.OlderThan:
		return "it is younger than " + settings.AgeWords(rule.OlderThan)
	case ended.IsZero():
		return "nothing says when it ended"
	case age < rule.Term && !th.seen(t.Turn.Number):
		return "nobody has looked at it, and it ended less than " + settings.AgeWords(rule.Term) + " ago"
	}
	return ""
}

// refsOf lists the refs that are a turn's own.
func refsOf(t *turnFile) []string {
	list := []string{startRef(t.Turn.Thread, t.Turn.Number), endRef(t.Turn.Thread, t.Turn.Number)}
	if t.Turn.Number == 1 {
		list = append(list, endRef(t.Turn.Thread, 0))
	}
	if name, err := checkpoint.RefName(t.Turn.Checkpoint); err == nil && t.Turn.Checkpoint != "" {
		list = append(list, name)
	}
	return list
}

// letGo lists the refs of the turns that go, with their present values, and takes the
// refs that are not there out of the reasons.
func (l *Ledger) letGo(ctx context.Context, gone []*turnFile, reasons map[string]string, done *model.Pruned) ([]refs.Update, error) {
	names := slices.Collect(maps.Keys(reasons))
	for _, t := range gone {
		names = append(names, refsOf(t)...)
	}
	held, err := l.d.Refs.Values(ctx, names)
	if err != nil {
		return nil, err
	}
	for ref := range reasons {
		if held[ref] == "" {
			delete(reasons, ref)
		}
	}
	var updates []refs.Update
	for _, t := range gone {
		recorded := map[string]string{}
		for _, b := range []*model.Boundary{t.Turn.Start, t.Turn.End} {
			if b != nil {
				recorded[b.Ref] = b.Commit
			}
		}
		for _, ref := range refsOf(t) {
			switch {
			case held[ref] == "" || reasons[ref] != "":
			case recorded[ref] != "" && recorded[ref] != held[ref]:
				done.Keep(ref, "it holds another value than was recorded")
			default:
				updates = append(updates, refs.Update{Name: ref, Old: held[ref]})
			}
		}
	}
	return updates, nil
}

// MomentTrees lists the trees that the turns which are open in any work tree have
// captured: no ref holds them before the turn ends.
func (l *Ledger) MomentTrees(ctx context.Context) ([]string, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	var trees []string
	for _, d := range dirs {
		for _, of := range marksIn(d.Dir, markOpen) {
			lines, _, err := dirOf(d.Dir, of.Thread).evidence(of.Turn)
			if err != nil {
				return nil, err
			}
			for _, line := range lines {
				if line.Tree != "" {
					trees = append(trees, line.Tree)
				}
			}
		}
	}
	return trees, nil
}

// pruneBatch is how many refs go in one transaction.
const pruneBatch = 2000

// notePruned rewrites <n>.json as it is, with the time: the lists behind its first
// line go.
func (d threadDir) notePruned(t *turnFile) error {
	file := *t
	file.Schema, file.Below = turnSchema, false
	return writeFile(d.turnPath(t.Turn.Number), true, written(file))
}

// prunedReason is what a turn says whose snapshots were let go.
func prunedReason(at time.Time) string {
	return "pruned on " + at.UTC().Format(time.DateOnly) + ": its snapshots were let go by `overturn checkpoint prune`"
}
