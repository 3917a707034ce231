package plan

import (
	"fmt"
	"strings"

	"overturn/model"
	"overturn/review/patch"
)

// Work works an item out.
func Work(i Item) Outcome {
	want := i.want()
	o := i.work(want)
	if o.Verdict == model.VerdictConflict || o.Verdict == model.VerdictAlready {
		o.After = i.Present
	}
	o.Op = opOf(i, want, o)
	return o
}

func (i Item) work(want Version) Outcome {
	switch {
	case i.Obstacle != "":
		return conflict(i.Obstacle)
	case gitlink(i.First) || gitlink(i.Last) || gitlink(i.Present):
		return conflict("a submodule is never a target")
	case i.Present.is(model.KindOther):
		return conflict("a folder or a special file stands there")
	case i.Present.State == want.State:
		return Outcome{Verdict: model.VerdictAlready}
	case i.Present.State == i.Last.State:
		return Outcome{Verdict: model.VerdictClean, After: want}
	case i.Method == model.Restore:
		return i.restore(want)
	default:
		return i.takeOut(want)
	}
}

func gitlink(v Version) bool { return v.is(model.KindGitlink) }

func conflict(reason string) Outcome {
	return Outcome{Verdict: model.VerdictConflict, Reason: reason}
}

// restore of a path that was changed since: that change would be lost.
func (i Item) restore(want Version) Outcome {
	if !i.Discard {
		return conflict(i.drift() + "; restore would lose that edit")
	}
	return Outcome{Verdict: model.VerdictDrifted, After: want, Reason: i.drift() + "; that edit is discarded"}
}

// drift says how the present differs from what the scope left.
func (i Item) drift() string {
	switch {
	case i.Last.is(model.KindAbsent):
		return "it was made again since"
	case i.Present.is(model.KindAbsent):
		return "it was deleted since"
	case i.Present.State.Kind != i.Last.State.Kind:
		return "it became a " + string(i.Present.State.Kind) + " since"
	case i.Present.same(i.Last):
		return "its mode was changed since"
	default:
		return "it was edited since"
	}
}

// takeOut of a path that was changed since: a three-way merge of modes and of
// contents, where the scope's last state is the base and the scope's change, turned
// round, is one side. What is no file on all three sides cannot be merged.
func (i Item) takeOut(want Version) Outcome {
	if !want.is(model.KindFile) || !i.Last.is(model.KindFile) || !i.Present.is(model.KindFile) {
		return i.whole(want)
	}
	mode, ok := mergeMode(i.Last.State.Mode, i.Present.State.Mode, want.State.Mode)
	if !ok {
		return conflict("its mode was changed since, and by the scope")
	}
	content, conflicts := patch.Merge(i.Last.Content, i.Present.Content, want.Content)
	if len(conflicts) > 0 {
		return Outcome{Verdict: model.VerdictConflict, Conflicts: conflicts, Reason: i.overlap(conflicts)}
	}
	after := New(model.KindFile, mode, content)
	if after.State == i.Present.State {
		return Outcome{Verdict: model.VerdictAlready}
	}
	return Outcome{Verdict: model.VerdictMerged, After: after}
}

// whole is takeOut of what is there or not there, or a link: there is nothing to
// merge, only a later edit to keep. What is equal but for its mode is back already,
// and that mode is such an edit.
func (i Item) whole(want Version) Outcome {
	switch {
	case want.is(model.KindAbsent):
		return conflict(i.drift() + "; it is not deleted")
	case i.Present.same(want):
		return Outcome{Verdict: model.VerdictAlready}
	}
	return conflict(i.drift())
}

func mergeMode(base, ours, theirs string) (mode string, ok bool) {
	switch {
	case base == theirs || ours == theirs:
		return ours, true
	case base == ours:
		return theirs, true
	}
	return "", false
}

// maxStretches is how many conflicting stretches a reason names.
const maxStretches = 3

func (i Item) overlap(conflicts []patch.Conflict) string {
	if patch.IsBinary(i.Last.Content) || patch.IsBinary(i.Present.Content) || patch.IsBinary(i.First.Content) {
		return i.drift() + ", and it is binary"
	}
	var stretches []string
	for n, c := range conflicts {
		if n == maxStretches {
			stretches = append(stretches, fmt.Sprintf("and %d more", len(conflicts)-n))
			break
		}
		stretches = append(stretches, stretch(c.Ours))
	}
	return "edited since where the scope changed it: " + strings.Join(stretches, ", ")
}

// stretch names lines as people count them.
func stretch(r patch.Range) string {
	switch r.To - r.From {
	case 0:
		return fmt.Sprintf("behind line %d", r.From)
	case 1:
		return fmt.Sprintf("line %d", r.To)
	}
	return fmt.Sprintf("lines %d-%d", r.From+1, r.To)
}

// opOf names what is done, or would have been.
func opOf(i Item, want Version, o Outcome) model.Op {
	from, to := i.Present, o.After
	if o.Verdict == model.VerdictConflict || o.Verdict == model.VerdictAlready {
		from, to = i.Last, want
	}
	switch {
	case to.is(model.KindAbsent):
		return model.OpDelete
	case to.is(model.KindLink):
		return model.OpLink
	case from.is(model.KindAbsent):
		return model.OpCreate
	case from.same(to) && from.State.Mode != to.State.Mode:
		return model.OpMode
	}
	return model.OpWrite
}
