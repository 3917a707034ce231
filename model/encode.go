package model

import (
	"time"

	"overturn/model/wire"
)

// How CONTRACT's objects are written, in the order of their fields. Lists that are
// empty are []; only an unknown summary of files is null.

func written(write func(w *wire.Writer)) ([]byte, error) {
	var w wire.Writer
	write(&w)
	return w.Bytes(), nil
}

// MarshalJSON writes CONTRACT's TURN.
func (t Turn) MarshalJSON() ([]byte, error) {
	return written(func(w *wire.Writer) { t.Write(w, "") })
}

// Write writes the turn under key.
func (t *Turn) Write(w *wire.Writer, key string) {
	w.Open(key)
	t.WriteFields(w)
	w.Close()
}

// WriteFields writes the fields of the turn into the object that is open.
func (t *Turn) WriteFields(w *wire.Writer) {
	w.Text("thread", string(t.Thread))
	w.Text("agent", t.Agent)
	w.Text("work_tree", t.WorkTree)
	w.Int("turn", t.Number)
	w.Text("turn_id", t.TurnID)
	w.Text("prompt", t.Prompt)
	w.Text("state", string(t.State))
	w.Text("checkpoint", string(t.Checkpoint))
	w.Text("status", string(t.Status))
	w.Text("status_reason", t.StatusReason)
	w.Text("ref", t.Ref)
	t.Start.write(w, "start")
	t.End.write(w, "end")
	w.Text("base", t.Base)
	w.Bool("head_moved", t.HeadMoved)
	w.Text("message_id", t.MessageID)
	w.Time("started_at", t.StartedAt)
	writeTime(w, "completed_at", t.CompletedAt)
	if t.Files == nil {
		w.Null("files")
	} else {
		wire.List(w, "files", t.Files, func(f *FileChange) { f.Write(w) })
	}
	WriteNoted(w, "left_out", t.LeftOut)
	WriteEffects(w, "effects", t.Effects)
}

func writeTime(w *wire.Writer, key string, t *time.Time) {
	if t == nil {
		w.Null(key)
	} else {
		w.Time(key, *t)
	}
}

// MarshalJSON writes CONTRACT's B.
func (b Boundary) MarshalJSON() ([]byte, error) {
	return written(func(w *wire.Writer) { b.write(w, "") })
}

func (b *Boundary) write(w *wire.Writer, key string) {
	if b == nil {
		w.Null(key)
		return
	}
	w.Open(key)
	w.Text("ref", b.Ref)
	w.Text("commit", b.Commit)
	w.Text("tree", b.Tree)
	w.Text("head", b.Head)
	w.Text("branch", b.Branch)
	w.TextIf("operation", b.Operation)
	w.Time("captured_at", b.CapturedAt)
	b.Inventory.Write(w, "inventory")
	w.Close()
}

// MarshalJSON writes empty lists as [].
func (v Inventory) MarshalJSON() ([]byte, error) {
	return written(func(w *wire.Writer) { v.Write(w, "") })
}

// Write writes the inventory under key.
func (v *Inventory) Write(w *wire.Writer, key string) {
	w.Open(key)
	WriteNoted(w, "staged", v.Staged)
	WriteNoted(w, "unstaged", v.Unstaged)
	WriteNoted(w, "untracked", v.Untracked)
	wire.List(w, "submodules", v.Submodules, func(s *Submodule) { s.write(w) })
	w.IntIf("more", v.More)
	w.Close()
}

// MarshalJSON writes {"path","head"}.
func (s Submodule) MarshalJSON() ([]byte, error) { return written(s.write) }

func (s *Submodule) write(w *wire.Writer) {
	w.Open("")
	s.Path.write(w)
	w.Text("head", s.Head)
	w.Close()
}

// write writes the path, and its exact bytes beside it when they are not UTF-8.
func (p Path) write(w *wire.Writer) {
	at := toWire(p)
	w.Text("path", at.Path)
	w.TextIf("path_b64", at.B64)
}

// MarshalJSON writes {"path","reason"}, with path_b64 where it is needed.
func (n Noted) MarshalJSON() ([]byte, error) { return written(n.write) }

func (n *Noted) write(w *wire.Writer) {
	w.Open("")
	n.Path.write(w)
	w.Text("reason", n.Reason)
	w.Close()
}

// WriteNoted writes a list of paths with their reasons.
func WriteNoted(w *wire.Writer, key string, list []Noted) {
	wire.List(w, key, list, func(n *Noted) { n.write(w) })
}

// MarshalJSON writes CONTRACT's FILE.
func (f FileChange) MarshalJSON() ([]byte, error) { return written(f.Write) }

// Write writes the row into the list that is open.
func (f *FileChange) Write(w *wire.Writer) {
	w.Open("")
	f.Path.write(w)
	old := toWire(f.OldPath)
	w.Text("old_path", old.Path)
	w.TextIf("old_path_b64", old.B64)
	w.Text("change", string(f.Change))
	w.Int("additions", f.Additions)
	w.Int("deletions", f.Deletions)
	w.Bool("binary", f.Binary)
	w.TextIf("owner", string(f.Owner))
	w.Close()
}

// MarshalJSON writes CONTRACT's EFFECT.
func (e Effect) MarshalJSON() ([]byte, error) {
	return written(func(w *wire.Writer) { e.Write(w, "") })
}

// Write writes the effect under key.
func (e *Effect) Write(w *wire.Writer, key string) {
	w.Open(key)
	w.Text("domain", string(e.Domain))
	w.Text("summary", e.Summary)
	w.Text("reversible", string(e.Reversible))
	w.Text("compensation", e.Compensation)
	w.Text("identity", e.Identity)
	w.Time("at", e.At)
	w.Close()
}

// WriteEffects writes a list of effects.
func WriteEffects(w *wire.Writer, key string, list []Effect) {
	wire.List(w, key, list, func(e *Effect) { e.Write(w, "") })
}

// MarshalJSON writes a list of strings; nil is [].
func (ps Paths) MarshalJSON() ([]byte, error) {
	return written(func(w *wire.Writer) { ps.Write(w, "") })
}

// Write writes the list under key.
func (ps Paths) Write(w *wire.Writer, key string) {
	wire.List(w, key, ps, func(p *Path) {
		if toWire(*p).B64 == "" {
			w.Text("", string(*p))
			return
		}
		w.Open("")
		p.write(w)
		w.Close()
	})
}
