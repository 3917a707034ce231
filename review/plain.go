package review

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ownership"
)

// openPlain is what is known before the list of a comparison of another program's
// boundaries: who made it, and what it did not capture.
func (cs *ChangeSet) openPlain(ctx context.Context, e *Engine, thread *model.Thread) error {
	if err := cs.judge(ctx, e); err != nil || thread.Within == "" && thread.Except == "" {
		return err
	}
	own := false
	return e.deps.Objects.DiffFunc(ctx, cs.Base.Tree, cs.Target.Tree, func(c objects.TreeChange) error {
		switch {
		case thread.Except != "" && c.Path.Under(thread.Except):
			if !own {
				own, cs.LeftOut = true, append(cs.LeftOut, model.Noted{Path: thread.Except, Reason: "records of the program that captured it"})
			}
		case !c.Path.Under(thread.Within):
			cs.LeftOut = append(cs.LeftOut, model.Noted{Path: c.Path, Reason: "not captured: " + string(thread.Within) + " was, and of the rest what HEAD had"})
		}
		return nil
	})
}

// judge says who made what lies between two boundaries of another program. Its agent is
// said to have made a turn only where that program captured the start of the turn, and no
// other turn ran beside it: else the user's own edits may be among what is seen.
func (cs *ChangeSet) judge(ctx context.Context, e *Engine) error {
	cs.by = ownership.Verdict{Owner: model.OwnerUnknown}
	if len(cs.Turns) != 1 || cs.Scope.Kind != model.ScopeTurn {
		return nil
	}
	cs.by.Turn, cs.by.In = cs.Scope.Turn, cs.Thread
	ev, err := e.deps.Ledger.Evidence(ctx, cs.Thread, cs.Scope.Turn)
	if err == nil && !ev.Gone && len(ev.Overlaps) == 0 {
		cs.by.Owner, cs.by.Thread = model.OwnerAgent, cs.Thread
	}
	return err
}

// diskModes gives both sides the permission bits of the file as it stands, where git
// sees no difference from it: git keeps one bit of nine, and the other eight were never
// the scope's to change.
func (l *lister) diskModes(f *File) {
	info, err := os.Lstat(filepath.Join(l.e.deps.Repo.Root, filepath.FromSlash(string(f.Path))))
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	disk := octal(0o100000 | permBits(info.Mode()))
	for _, en := range []*Entry{&f.Old, &f.New} {
		if en.Kind == model.KindFile && executable(en.Mode) == executable(disk) {
			en.Mode = disk
		}
	}
}

// permBits is the mode of a file as stat has it, without its type.
func permBits(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	special := []fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid}
	for i, m := range special {
		if mode&m != 0 {
			bits |= 0o1000 << i
		}
	}
	return bits
}
