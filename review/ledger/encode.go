package ledger

import (
	"overturn/model"
	"overturn/model/wire"
)

// written is one line of JSON.
func written(v interface{ write(w *wire.Writer) }) []byte {
	var w wire.Writer
	v.write(&w)
	return append(w.Bytes(), '\n')
}

// MarshalJSON writes the fields in their order, to the bytes that encoding/json
// would give without it.
func (t turnFile) MarshalJSON() ([]byte, error) {
	var w wire.Writer
	t.write(&w)
	return w.Bytes(), nil
}

func (t turnFile) write(w *wire.Writer) {
	w.Open("")
	w.Text("schema", t.Schema)
	t.Turn.Write(w, "turn")
	w.Open("process")
	w.Int("pid", t.Process.PID)
	w.TextIf("started", t.Process.Started)
	w.Close()
	w.Bool("reports_tools", t.ReportsTools)
	w.Bool("aside", t.Aside)
	w.Text("beside", t.Beside)
	model.WriteNoted(w, "start_perm", t.StartPerm)
	w.BoolIf("start_raw", t.StartRaw)
	w.Text("record_waits", t.RecordWaits)
	w.Bool("apart", t.Apart)
	w.BoolIf("below", t.Below)
	if t.Sum != nil {
		w.Open("sum")
		w.Int("files", t.Sum.Files)
		w.Int("additions", t.Sum.Additions)
		w.Int("deletions", t.Sum.Deletions)
		w.IntIf("uncounted", t.Sum.Uncounted)
		w.Close()
	}
	if t.Transcript != nil {
		w.Open("transcript")
		w.Text("path", t.Transcript.Path)
		w.Int("from", int(t.Transcript.From))
		w.Close()
	}
	if t.Pruned != nil {
		w.Time("pruned", *t.Pruned)
	}
	w.TextIf("conversation", t.Conversation)
	w.Close()
}

// write writes the lists, each as a turn or a boundary has it.
func (l turnLists) write(w *wire.Writer) {
	w.Open("")
	if l.Files == nil {
		w.Null("files")
	} else {
		wire.List(w, "files", l.Files, func(f *model.FileChange) { f.Write(w) })
	}
	model.WriteNoted(w, "left_out", l.LeftOut)
	if l.Start != nil {
		l.Start.Write(w, "start")
	}
	if l.End != nil {
		l.End.Write(w, "end")
	}
	w.Close()
}

// MarshalJSON writes a line as encoding/json would without it.
func (l evidenceLine) MarshalJSON() ([]byte, error) {
	var w wire.Writer
	l.write(&w)
	return w.Bytes(), nil
}

func (l evidenceLine) write(w *wire.Writer) {
	w.Open("")
	w.Text("kind", l.Kind)
	w.Time("at", l.At)
	if l.Captured != nil {
		w.Time("captured", *l.Captured)
	}
	w.TextIf("phase", string(l.Phase))
	w.TextIf("tool", l.Tool)
	w.TextIf("call", l.Call)
	if len(l.Paths) > 0 {
		l.Paths.Write(w, "paths")
	}
	w.TextIf("command", l.Command)
	w.BoolIf("failed", l.Failed)
	w.TextIf("tree", l.Tree)
	w.BoolIf("late", l.Late)
	w.TextIf("thread", string(l.Thread))
	w.IntIf("turn", l.Turn)
	if l.Effect != nil {
		l.Effect.Write(w, "effect")
	}
	w.TextIf("text", l.Text)
	w.TextIf("reason", l.Reason)
	w.Close()
}

func (s stateFile) write(w *wire.Writer) {
	w.Open("")
	w.Text("thread", string(s.Thread))
	w.Int("turn", s.Turn)
	w.Time("started_at", s.StartedAt)
	w.BoolIf("reverted", s.Reverted)
	w.Close()
}
