package doctor

import (
	"fmt"
	"maps"
	"slices"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

// readRecords is how many records are read, the newest of each thread; of the others it
// is looked whether they are there.
const readRecords = 10

// records holds the turns against the durable records of them.
func (e *exam) records() {
	const check = "records"
	infos, missing, err := e.Records.ListAll(e.ctx)
	if err != nil {
		e.failed(check, err, "git for-each-ref refs/overturn/checkpoints says what is wrong")
		return
	}
	for _, why := range missing {
		e.failed(check, why, "the records that are read from elsewhere are not concerned")
	}
	there := map[model.ID]bool{}
	for _, info := range infos {
		there[info.ID] = true
	}
	waiting := e.waiting()
	var lost, broken []string
	for _, t := range e.turnsOf {
		for i := range t.turns {
			turn := &t.turns[i]
			switch {
			case turn.Checkpoint == "" || turn.State == model.TurnOpen || turn.Status != model.StatusReady || waiting[label(turn)]:
			case !there[turn.Checkpoint]:
				lost = append(lost, label(turn))
			case i >= len(t.turns)-readRecords:
				if _, err := e.Records.Read(e.ctx, turn.Checkpoint); err != nil {
					broken = append(broken, label(turn)+" ("+err.Error()+")")
				}
			}
		}
	}
	if len(lost) > 0 {
		e.bad(check, "none here: a clone, a mirror or a backup may have refs/overturn/checkpoints, git reflog overturn/checkpoints/v1 tells where that branch was moved from; the turns' own snapshots are not concerned", "no record of %s: %s", count(len(lost), "turn"), some(lost))
	}
	if len(broken) > 0 {
		e.bad(check, "git fsck says which objects are damaged; copy them from another clone or a backup", "cannot be read: %s", some(broken))
	}
	if len(lost)+len(broken)+len(missing) == 0 {
		e.good(check, "%s", count(len(infos), "record"))
	}
}

// waiting are the turns whose record is still to be written.
func (e *exam) waiting() map[string]bool {
	list := map[string]bool{}
	if b, err := e.Ledger.Backlog(); err == nil {
		for _, of := range b.Records {
			list[label(&model.Turn{Thread: of.Thread, Number: of.Turn})] = true
		}
	}
	return list
}

// policy tells whether the repository lets records be written as the settings have it.
func (e *exam) policy() {
	const check = "policy"
	if err := e.Records.Writable(e.ctx); err != nil {
		e.failed(check, err, "see "+checkpoint.PolicyRef)
		return
	}
	e.good(check, "records may be written in %s", checkpoint.FormatOf(e.Records.Type()))
}

// mirrorTypes tells of mirrors that can take nothing.
func (e *exam) mirrorTypes() {
	const check = "mirrors"
	mirrors := e.Records.Mirrors()
	if e.Records.Type() != checkpoint.TypeBranch && slices.Contains(mirrors, checkpoint.TypeBranch) {
		e.bad(check, "overturn config unset checkpoints.mirrors, or name files", "%s cannot mirror %s: its ids are others, and no reader would find them there", checkpoint.TypeBranch, e.Records.Type())
		return
	}
	e.good(check, "%s", count(len(mirrors), "mirror"))
}

// queueTries is after how many pushes that did not land a ref is told of.
const queueTries = 3

// queue holds what waits to be pushed against the refs that are here.
func (e *exam) queue() {
	const check = "push-queue"
	waiting, any, err := e.Queue.Waiting(e.ctx)
	if err != nil {
		e.failed(check, err, "rm the file that is named: the next overturn sync push asks the remotes what they lack")
		return
	}
	var stuck []string
	for _, remote := range slices.Sorted(maps.Keys(waiting)) {
		for _, w := range waiting[remote] {
			if w.Failure.Tries >= queueTries {
				stuck = append(stuck, fmt.Sprintf("%s (%s)", w.Ref, w.Failure.Reason))
			}
		}
	}
	if len(stuck) > 0 {
		e.bad(check, "overturn sync status tells what keeps each; overturn sync push tries again", "%s did not land in %d pushes or more: %s", count(len(stuck), "ref"), queueTries, some(stuck))
	}
	entries, err := e.Queue.Entries(e.ctx)
	if err != nil {
		e.failed(check, err, "")
		return
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Ref)
	}
	held, err := e.Refs.Values(e.ctx, names)
	if err != nil {
		e.failed(check, err, "")
		return
	}
	if len(stuck) > 0 {
		return
	}
	if gone := len(names) - len(held); gone > 0 {
		e.good(check, "%s; %d of records that are gone, dropped with the next push", count(any, "ref")+" to be pushed", gone)
		return
	}
	e.good(check, "%s to be pushed", count(any, "ref"))
}
