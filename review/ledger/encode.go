package ledger

import (
	"overturn/model"
	"overturn/model/wire"
)

// MarshalJSON writes the fields in their order, to the bytes that encoding/json
// would give without it.
func (t turnFile) MarshalJSON() ([]byte, error) {
	var w wire.Writer
	w.Open("")
	w.Text("schema", t.Schema)
	t.Turn.Write(&w, "turn")
	w.Open("process")
	w.Int("pid", t.Process.PID)
	w.TextIf("started", t.Process.Started)
	w.Close()
	w.Bool("reports_tools", t.ReportsTools)
	w.Bool("aside", t.Aside)
	w.Text("beside", t.Beside)
	model.WriteNoted(&w, "start_perm", t.StartPerm)
	w.BoolIf("start_raw", t.StartRaw)
	w.Text("record_waits", t.RecordWaits)
	w.Bool("apart", t.Apart)
	if t.Sum != nil {
		w.Open("sum")
		w.Int("files", t.Sum.Files)
		w.Int("additions", t.Sum.Additions)
		w.Int("deletions", t.Sum.Deletions)
		w.IntIf("uncounted", t.Sum.Uncounted)
		w.Close()
	}
	if t.Pruned != nil {
		w.Time("pruned", *t.Pruned)
	}
	w.Close()
	return w.Bytes(), nil
}

// MarshalJSON writes a line as encoding/json would without it.
func (l evidenceLine) MarshalJSON() ([]byte, error) {
	var w wire.Writer
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
		l.Paths.Write(&w, "paths")
	}
	w.TextIf("command", l.Command)
	w.BoolIf("failed", l.Failed)
	w.TextIf("tree", l.Tree)
	w.BoolIf("late", l.Late)
	w.TextIf("thread", string(l.Thread))
	w.IntIf("turn", l.Turn)
	if l.Effect != nil {
		l.Effect.Write(&w, "effect")
	}
	w.TextIf("text", l.Text)
	w.TextIf("reason", l.Reason)
	w.Close()
	return w.Bytes(), nil
}
