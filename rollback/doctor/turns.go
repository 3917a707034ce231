package doctor

import (
	"context"
	"fmt"
	"strings"

	"overturn/model"
)

// threadTurns is a thread with its turns as they are shown.
type threadTurns struct {
	thread model.ThreadID
	tree   string // work tree that it was recorded in
	turns  []model.Turn
}

// toldTurns is how many damaged turns get a line of their own.
const toldTurns = 10

// turns holds what the ledger says of every turn against the refs and the objects
// that are there. A turn whose snapshot was not taken has nothing to repair, and is
// bad only while it is the newest and something failed: then what the user has now is
// not protected, and the next turn may not be either.
func (e *exam) turns() {
	const check = "turns"
	threads, err := e.Ledger.Threads(e.ctx)
	if err != nil {
		e.failed(check, err, "see that you may read "+e.Repo.StateDir())
		return
	}
	total, ready, damaged := 0, 0, 0
	var without []string
	for _, t := range threads {
		turns, err := e.Ledger.Briefs(e.ctx, t.ID, 0)
		if err != nil {
			e.failed(check, err, "")
			damaged++
			continue
		}
		e.turnsOf = append(e.turnsOf, threadTurns{t.ID, t.WorkTree, turns})
		e.Ledger.Check(e.ctx, turns)
		for i := range turns {
			turn := &turns[i]
			total++
			newest := i == len(turns)-1 && len(e.turnsOf) == 1 && t.WorkTree == e.Repo.WorkTree
			switch told, bad := e.turn(turn, newest); {
			case bad:
				if damaged++; damaged <= toldTurns {
					e.findings = append(e.findings, told)
				}
			case turn.Status == model.StatusReady || turn.State == model.TurnOpen:
				ready++
			default:
				without = append(without, label(turn))
			}
		}
	}
	e.sumOfTurns(check, len(threads), total, damaged, without)
}

func (e *exam) sumOfTurns(check string, threads, total, damaged int, without []string) {
	detail := fmt.Sprintf("%s in %s", count(total, "turn"), count(threads, "thread"))
	if len(without) > 0 {
		detail += fmt.Sprintf("; %s without a snapshot, nothing is to be done: %s", count(len(without), "turn"), some(without))
	}
	switch {
	case damaged > toldTurns:
		e.bad(check, "see the turns above; overturn turns lists all", "%s; %d damaged", detail, damaged)
	case damaged > 0:
		e.bad(check, "see the turns above", "%s; %d damaged", detail, damaged)
	default:
		e.good(check, "%s", detail)
	}
}

// label names a turn.
func label(t *model.Turn) string { return fmt.Sprintf("%s/%d", t.Thread, t.Number) }

// turn is what is wrong with one turn.
func (e *exam) turn(t *model.Turn, newest bool) (Finding, bool) {
	f := Finding{Check: "turn", Detail: label(t) + ": " + t.StatusReason}
	if strings.HasPrefix(t.StatusReason, "pruned") {
		return f, false // let go on purpose
	}
	for _, b := range []*model.Boundary{t.Start, t.End} {
		if b == nil || b.Ref == "" {
			continue
		}
		held, err := e.Refs.Read(e.ctx, b.Ref)
		if err != nil || held == b.Commit {
			continue
		}
		if has, err := e.Objects.Has(e.ctx, b.Commit); err == nil && has {
			f.Repair = fmt.Sprintf("git update-ref %s %s %s", b.Ref, b.Commit, expected(held))
		} else {
			f.Repair = "none: the snapshot " + b.Commit + " is not stored any more; later turns are not concerned"
		}
		return f, true
	}
	switch {
	case t.Status == model.StatusReady || t.State == model.TurnOpen:
		return f, false
	case strings.HasPrefix(t.StatusReason, "incomplete"):
		f.Repair = "copy the missing objects from another clone or a backup of .git/objects (git fsck names them); other turns are not concerned"
		return f, true
	case newest && e.Ledger.Fillable(t.Thread, t.Number):
		f.Repair = "overturn status captures the end, where nothing has changed since"
		return f, true
	case neverBegan(t):
		return f, false
	case newest:
		f.Detail += " (the newest turn: what you have now has no snapshot)"
		f.Repair = "mend what the reason names; the next turn is captured anew"
		return f, true
	}
	return f, false
}

// neverBegan tells of a turn of which only the end was told: it is rightly missing, the
// next one is captured, and there is nothing to mend.
func neverBegan(t *model.Turn) bool {
	return t.Status == model.StatusMissing && t.Start == nil && t.End == nil && t.CompletedAt != nil
}

// TurnRepair is what repairs one turn, "" where nothing is to be done or nothing can
// be.
func TurnRepair(ctx context.Context, d Deps, t *model.Turn) string {
	e := &exam{Deps: d, ctx: ctx}
	f, bad := e.turn(t, d.Ledger.Fillable(t.Thread, t.Number))
	if !bad {
		return ""
	}
	return f.Repair
}

// expected is a ref's present value as git update-ref takes it: "" must not exist.
func expected(held string) string {
	if held == "" {
		return "''"
	}
	return held
}
