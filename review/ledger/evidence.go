package ledger

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/wire"
)

// The kinds of evidence line.
const (
	lineTool    = "tool"
	lineTouch   = "touch"
	lineEffect  = "effect"
	lineOverlap = "overlap"
	lineEnd     = "end"     // an end that was moved later: the state it had captured
	lineMessage = "message" // the agent's last words

	lineRollback = "rollback" // the user took something back while the turn was open
)

// evidenceLine is one line of <n>.evidence.jsonl and of a record's
// evidence.jsonl. At is the event's own time, Captured that of Tree.
type evidenceLine struct {
	Kind     string         `json:"kind"`
	At       time.Time      `json:"at"`
	Captured *time.Time     `json:"captured,omitempty"`
	Phase    Phase          `json:"phase,omitempty"`
	Tool     string         `json:"tool,omitempty"`
	Call     string         `json:"call,omitempty"`
	Paths    model.Paths    `json:"paths,omitempty"`
	Command  string         `json:"command,omitempty"`
	Failed   bool           `json:"failed,omitempty"`
	Tree     string         `json:"tree,omitempty"`
	Late     bool           `json:"late,omitempty"` // came after the end of the turn
	Thread   model.ThreadID `json:"thread,omitempty"`
	Turn     int            `json:"turn,omitempty"`
	Effect   *model.Effect  `json:"effect,omitempty"`
	Text     string         `json:"text,omitempty"`
	Reason   string         `json:"reason,omitempty"` // why there is no Tree
}

// appendEvidence adds lines with one write each, so that processes that append
// at the same time do not tear each other's lines. A last line that a crash tore
// is closed first. Nothing is synced: evidence refines who owns what, and without
// it the owner is the agent.
func (d threadDir) appendEvidence(n int, lines ...evidenceLine) error {
	if err := d.makeRoom(n); err != nil {
		return err
	}
	durable.Point("ledger.appendevidence.open")
	f, err := os.OpenFile(d.evidencePath(n), os.O_RDWR|os.O_APPEND|os.O_CREATE|durable.NoFollow, 0o600)
	if err != nil {
		return localFailure(err, d.evidencePath(n))
	}
	defer f.Close()
	for _, line := range lines {
		data := written(line)
		if tornEnd(f) {
			data = append([]byte{'\n'}, data...)
		}
		durable.Point("ledger.appendevidence.write")
		if _, err := f.Write(data); err != nil {
			return localFailure(err, d.evidencePath(n))
		}
	}
	return f.Close()
}

func tornEnd(f *os.File) bool {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], size-1)
	return err == nil && last[0] != '\n'
}

// evidence reads the lines of turn n; raw holds the whole ones, as a record keeps
// them. A line that is not JSON was torn and is left out.
func (d threadDir) evidence(n int) (lines []evidenceLine, raw []byte, err error) {
	data, err := gitops.ReadFile(d.evidencePath(n))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, model.Failf(err, "cannot read the evidence of turn %d", n)
	}
	lines, raw = parseEvidence(data)
	return lines, raw, nil
}

func parseEvidence(data []byte) (lines []evidenceLine, raw []byte) {
	for text := range bytes.Lines(data) {
		var line evidenceLine
		if text[len(text)-1] != '\n' || wire.Into(text, &line, readEvidenceLine) != nil || line.Kind == "" {
			continue
		}
		lines = append(lines, line)
		raw = append(raw, text...)
	}
	return lines, raw
}

// effectsOf lists the effects among the lines. One of a call that several hooks told of
// counts once, and so does one that goes with calls of the same words.
func effectsOf(lines []evidenceLine) []model.Effect {
	type key struct {
		call, summary string
		domain        model.Domain
	}
	var list []model.Effect
	seen := map[key]bool{}
	for _, line := range lines {
		if line.Effect == nil {
			continue
		}
		k := key{line.Call, line.Effect.Summary, line.Effect.Domain}
		if line.Kind == lineTool {
			k.call = lineTool
		}
		if k.call != "" && seen[k] {
			continue
		}
		seen[k] = true
		list = append(list, *line.Effect)
	}
	return list
}

// readEvidence turns lines into what ownership works with.
func readEvidence(lines []evidenceLine, reportsTools bool) Evidence {
	ev := Evidence{ToolsReported: reportsTools}
	touched := map[model.Path]bool{}
	for _, line := range lines {
		switch line.Kind {
		case lineTool, lineEnd, lineRollback:
			ev.Moments = append(ev.Moments, momentOf(line))
			ev.ToolsReported = ev.ToolsReported || line.Kind == lineTool
		case lineOverlap:
			if o := (Overlap{line.Thread, line.Turn}); !slices.Contains(ev.Overlaps, o) {
				ev.Overlaps = append(ev.Overlaps, o)
			}
		}
		if line.Kind == lineTool || line.Kind == lineTouch {
			for _, p := range line.Paths {
				touched[p] = true
			}
		}
	}
	slices.SortStableFunc(ev.Moments, func(a, b Moment) int { return a.At.Compare(b.At) })
	countRunning(ev.Moments)
	for p := range touched {
		ev.Touched = append(ev.Touched, p)
	}
	slices.Sort(ev.Touched)
	return ev
}

// momentOf dates a moment by its capture: that is when the tree was true, however
// long the event waited.
func momentOf(line evidenceLine) Moment {
	m := Moment{At: line.At, Phase: line.Phase, CallID: line.Call, Tool: line.Tool, Tree: line.Tree, Paths: line.Paths}
	if line.Kind == lineEnd {
		m.Phase = PhaseEnd
	}
	if line.Captured != nil {
		m.At = *line.Captured
	}
	return m
}

// countRunning works out how many calls are under way after each moment. A call
// without an id is taken for the one before it. One that never ends counts until
// the end of the turn: what happens then is the agent's, which is the rule when
// nothing says otherwise.
func countRunning(moments []Moment) {
	running := map[string]bool{}
	for i, m := range moments {
		switch m.Phase {
		case PhasePre:
			running[m.CallID] = true
		case PhasePost:
			delete(running, m.CallID)
		case PhaseEnd:
			clear(running)
		}
		moments[i].Running = len(running)
	}
}
