package model

import (
	"time"

	"overturn/model/wire"
)

// How what Write wrote is read back without reflection, by wire.Into. What is left
// to encoding/json there has the same value.

// Read is the inverse of Write.
func (t *Turn) Read(r *wire.Reader) {
	r.Fields(func(key string) {
		switch key {
		case "turn":
			t.Number = int(r.Int())
		case "start":
			t.Start = readBoundary(r)
		case "end":
			t.End = readBoundary(r)
		case "head_moved":
			t.HeadMoved = r.Bool()
		case "started_at":
			t.StartedAt = r.Time()
		case "completed_at":
			t.CompletedAt = readTime(r)
		case "files":
			t.Files = wire.ReadList(r, ReadFileChange)
		case "left_out":
			t.LeftOut = wire.ReadList(r, ReadNoted)
		case "effects":
			t.Effects = wire.ReadList(r, ReadEffect)
		default:
			t.readText(r, key)
		}
	})
}

func (t *Turn) readText(r *wire.Reader, key string) {
	switch key {
	case "thread":
		t.Thread = ThreadID(r.Text())
	case "agent":
		t.Agent = r.Text()
	case "work_tree":
		t.WorkTree = r.Text()
	case "turn_id":
		t.TurnID = r.Text()
	case "prompt":
		t.Prompt = r.Text()
	case "state":
		t.State = TurnState(r.Text())
	case "checkpoint":
		t.Checkpoint = ID(r.Text())
	case "status":
		t.Status = SnapshotStatus(r.Text())
	case "status_reason":
		t.StatusReason = r.Text()
	case "ref":
		t.Ref = r.Text()
	case "base":
		t.Base = r.Text()
	case "message_id":
		t.MessageID = r.Text()
	default:
		r.Fail()
	}
}

func readTime(r *wire.Reader) *time.Time {
	if r.Null() {
		return nil
	}
	t := r.Time()
	return &t
}

func readBoundary(r *wire.Reader) *Boundary {
	if r.Null() {
		return nil
	}
	b := new(Boundary)
	r.Fields(func(key string) {
		switch key {
		case "ref":
			b.Ref = r.Text()
		case "commit":
			b.Commit = r.Text()
		case "tree":
			b.Tree = r.Text()
		case "head":
			b.Head = r.Text()
		case "branch":
			b.Branch = r.Text()
		case "operation":
			b.Operation = r.Text()
		case "captured_at":
			b.CapturedAt = r.Time()
		case "inventory":
			b.Inventory.Read(r)
		default:
			r.Fail()
		}
	})
	return b
}

// Read is the inverse of Write.
func (v *Inventory) Read(r *wire.Reader) {
	r.Fields(func(key string) {
		switch key {
		case "staged":
			v.Staged = wire.ReadList(r, ReadNoted)
		case "unstaged":
			v.Unstaged = wire.ReadList(r, ReadNoted)
		case "untracked":
			v.Untracked = wire.ReadList(r, ReadNoted)
		case "submodules":
			v.Submodules = wire.ReadList(r, readSubmodule)
		case "more":
			v.More = int(r.Int())
		default:
			r.Fail()
		}
	})
}

func readSubmodule(r *wire.Reader, s *Submodule) {
	var at wirePath
	r.Fields(func(key string) {
		switch key {
		case "head":
			s.Head = r.Text()
		default:
			at.read(r, key)
		}
	})
	s.Path = at.known(r)
}

// read reads the field of a path that key names.
func (w *wirePath) read(r *wire.Reader, key string) {
	switch key {
	case "path":
		w.Path = r.Text()
	case "path_b64":
		w.B64 = r.Text()
	default:
		r.Fail()
	}
}

// known is the path that was read.
func (w wirePath) known(r *wire.Reader) Path {
	p, err := w.path()
	if err != nil {
		r.Fail()
	}
	return p
}

// ReadNoted reads what WriteNoted wrote of one path.
func ReadNoted(r *wire.Reader, n *Noted) {
	var at wirePath
	r.Fields(func(key string) {
		switch key {
		case "reason":
			n.Reason = r.Text()
		default:
			at.read(r, key)
		}
	})
	n.Path = at.known(r)
}

// ReadFileChange reads one row of a change set.
func ReadFileChange(r *wire.Reader, f *FileChange) {
	var at, old wirePath
	r.Fields(func(key string) {
		switch key {
		case "old_path":
			old.Path = r.Text()
		case "old_path_b64":
			old.B64 = r.Text()
		case "change":
			f.Change = Change(r.Text())
		case "additions":
			f.Additions = int(r.Int())
		case "deletions":
			f.Deletions = int(r.Int())
		case "binary":
			f.Binary = r.Bool()
		case "owner":
			f.Owner = Owner(r.Text())
		default:
			at.read(r, key)
		}
	})
	f.Path, f.OldPath = at.known(r), old.known(r)
}

// ReadEffect is the inverse of Effect.Write.
func ReadEffect(r *wire.Reader, e *Effect) {
	r.Fields(func(key string) {
		switch key {
		case "domain":
			e.Domain = Domain(r.Text())
		case "summary":
			e.Summary = r.Text()
		case "reversible":
			e.Reversible = Reversible(r.Text())
		case "compensation":
			e.Compensation = r.Text()
		case "identity":
			e.Identity = r.Text()
		case "at":
			e.At = r.Time()
		default:
			r.Fail()
		}
	})
}
