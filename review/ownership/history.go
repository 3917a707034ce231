package ownership

import (
	"context"

	"overturn/model"
	"overturn/review/patch"
)

// State is one version of a file. Key names its content (an object id); states of
// one kind with equal keys have equal content. Mode is six octal digits.
type State struct {
	Kind model.Kind
	Key  string
	Mode string
}

// History is the versions of one file through a comparison, the base first, the
// target last. Steps[i] made States[i+1] out of States[i].
type History struct {
	Path   model.Path
	States []State
	Steps  []Verdict
}

// Append adds the version that a segment left behind. Versions that one owner made
// in one turn, one after the other, count as one step.
func (h *History) Append(s State, by Verdict) {
	last := len(h.States) - 1
	switch {
	case h.States[last] == s:
	case last > 0 && h.Steps[last-1] == by:
		h.States[last] = s
		if h.States[last-1] == s {
			h.States, h.Steps = h.States[:last], h.Steps[:last-1]
		}
	default:
		h.States, h.Steps = append(h.States, s), append(h.Steps, by)
	}
}

// Hunk is the owner of one hunk of the exact comparison. Number 0 is the change of
// mode. Turns are those that had a part in it, in order, and In the thread that
// counts them, "" where they are of several; Thread is the agent's where one agent
// made it.
type Hunk struct {
	Number int
	Owner  model.Owner
	Thread model.ThreadID
	Turns  []int
	In     model.ThreadID
}

// File sums up a file: its hunks, and one owner for all of them, OwnerMixed where
// there are several. Two agents are two owners.
type File struct {
	Owner  model.Owner
	Thread model.ThreadID
	Turns  []int
	In     model.ThreadID
	Hunks  []Hunk
}

// Loader gives the content of a state of the history.
type Loader func(context.Context, State) ([]byte, error)

// MaxWork is how many bytes of versions are compared for one file; beyond it, the
// hunks of a file are owned by all that changed it.
const MaxWork = 64 << 20

// Sole is the owner where all steps have the same one, so that no content has to
// be looked at.
func (h *History) Sole() (Verdict, bool) {
	if len(h.Steps) == 0 {
		return Verdict{Owner: model.OwnerUnknown}, true
	}
	for _, s := range h.Steps[1:] {
		if !s.same(h.Steps[0]) {
			return Verdict{}, false
		}
	}
	return h.Steps[0], true
}

// Attribute finds the owners of the hunks of diff, which compares the first state
// with the last one by lines; nil where the content is not compared by lines.
func Attribute(ctx context.Context, h *History, diff *patch.Diff, load Loader) (File, error) {
	var hunks []tally
	switch {
	case diff == nil || len(diff.Exact()) == 0:
	case len(h.Steps) <= 1 || h.last().Kind == model.KindAbsent:
		hunks = h.whole(diff, h.made())
	default:
		lines, err := h.trace(ctx, diff, load)
		if err != nil {
			return File{}, err
		}
		hunks = h.count(diff, lines)
	}
	return h.sum(hunks, diff != nil), nil
}

func (h *History) last() State { return h.States[len(h.States)-1] }

// made is the steps that brought about the kind of the target: from the last one
// that changed the kind on.
func (h *History) made() []Verdict {
	for i := len(h.Steps) - 1; i >= 0; i-- {
		if h.States[i].Kind != h.States[i+1].Kind {
			if h.last().Kind == model.KindAbsent {
				return h.Steps[i : i+1]
			}
			return h.Steps[i:]
		}
	}
	return h.Steps
}

// whole gives all hunks to the same steps.
func (h *History) whole(diff *patch.Diff, steps []Verdict) []tally {
	hunks := make([]tally, len(diff.Exact()))
	for i := range hunks {
		hunks[i].add(steps...)
	}
	return hunks
}

// mode is the step that gave a file its mode; a file that came or went has no mode
// change of its own.
func (h *History) mode() (Verdict, bool) {
	first, last := h.States[0], h.last()
	if first.Kind != model.KindFile || last.Kind != model.KindFile || first.Mode == last.Mode {
		return Verdict{}, false
	}
	for i := len(h.Steps) - 1; i >= 0; i-- {
		if h.States[i].Mode != h.States[i+1].Mode && h.States[i+1].Kind == model.KindFile {
			return h.Steps[i], true
		}
	}
	return Verdict{}, false
}

// sum makes the file of its hunks. Content that no hunk shows (binary, links,
// empty files) belongs to the steps that made it.
func (h *History) sum(hunks []tally, lines bool) File {
	var all tally
	var f File
	for i, t := range hunks {
		f.Hunks = append(f.Hunks, t.hunk(i+1))
		all.add(t.by...)
	}
	mode, moved := h.mode()
	if moved {
		var t tally
		t.add(mode)
		f.Hunks = append([]Hunk{t.hunk(0)}, f.Hunks...)
		all.add(mode)
	}
	if len(all.by) == 0 || !lines && h.States[0].Key != h.last().Key {
		all.add(h.made()...)
	}
	file := all.hunk(0)
	f.Owner, f.Thread, f.Turns, f.In = file.Owner, file.Thread, file.Turns, file.In
	return f
}
