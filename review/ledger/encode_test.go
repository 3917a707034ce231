package ledger

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"overturn/model"
	"overturn/model/wire"
)

type (
	plainTurnFile turnFile
	plainLine     evidenceLine
	plainLists    turnLists
	plainState    stateFile
)

// holdReading holds that what is written comes back by the quick reader alone; the
// line of evidence has a path that is left to encoding/json.
func holdReading[T interface{ write(w *wire.Writer) }](t *testing.T, v T, read func(r *wire.Reader, v *T)) {
	t.Helper()
	var got, quick T
	err := wire.Into(written(v), &got, func(r *wire.Reader, v *T) { read(r, v); quick = *v })
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("%T is read\n%+v\nwant\n%+v (%v)", v, got, v, err)
	}
	if line, ok := any(v).(evidenceLine); !reflect.DeepEqual(quick, v) && (!ok || line.Paths[1] != "\xff") {
		t.Errorf("%T is read quickly\n%+v\nwant\n%+v", v, quick, v)
	}
}

// TestWrittenAsDeclared holds what is written by hand against encoding/json and the
// tags of the fields: a field that is added and not written fails.
func TestWrittenAsDeclared(t *testing.T) {
	at := time.Unix(11, 13).UTC()
	file := turnFile{Schema: "s", Turn: model.Turn{Thread: "T", StartedAt: at, LeftOut: []model.Noted{}, Effects: []model.Effect{}}, Process: model.Process{PID: 7, Started: "x"}, ReportsTools: true, Aside: true, Beside: "b",
		StartPerm: []model.Noted{{Path: "p", Reason: "600"}}, StartRaw: true, RecordWaits: "w", Apart: true, Below: true, Sum: &model.FileSum{Files: 1, Additions: 2, Deletions: 3, Uncounted: 4}, Transcript: &transcriptMark{Path: "p", From: 7}, Pruned: &at, Conversation: "c"}
	line := evidenceLine{Kind: lineTool, At: at, Captured: &at, Phase: "begin", Tool: "t", Call: "c", Paths: model.Paths{"a", "\xff"}, Command: "<&>", Failed: true,
		Tree: "t", Late: true, Thread: "T", Turn: 4, Effect: &model.Effect{Summary: "s"}, Text: "x", Reason: "r"}
	inventory := model.Inventory{Staged: []model.Noted{{Path: "s", Reason: "added"}}, Unstaged: []model.Noted{}, Untracked: []model.Noted{}, Submodules: []model.Submodule{}}
	lists := turnLists{Files: []model.FileChange{{Path: "x"}}, LeftOut: []model.Noted{{Path: "l"}}, Start: &inventory, End: &inventory}
	state := stateFile{"T", 3, at, true}
	holdReading(t, file, readTurnFile)
	holdReading(t, line, readEvidenceLine)
	holdReading(t, lists, readLists)
	holdReading(t, turnLists{LeftOut: []model.Noted{}}, readLists)
	holdReading(t, state, readStateFile)
	for _, v := range []any{file, line, lists, state} {
		fields := reflect.ValueOf(v)
		for i := range fields.NumField() {
			if name := fields.Type().Field(i).Name; fields.Field(i).IsZero() && name != "filled" {
				t.Fatalf("%T.%s is zero: the test does not look at it", v, name)
			}
		}
	}
	for _, pair := range [][2]any{{file, plainTurnFile(file)}, {line, plainLine(line)}, {turnFile{}, plainTurnFile{StartPerm: []model.Noted{}}}, {evidenceLine{}, plainLine{}},
		{lists, plainLists(lists)}, {turnLists{}, plainLists{LeftOut: []model.Noted{}}}, {state, plainState(state)}} {
		v, ok := pair[0].(interface{ write(w *wire.Writer) })
		if !ok {
			t.Fatalf("%T cannot be written", pair[0])
		}
		got, err := bytes.TrimSuffix(written(v), []byte("\n")), error(nil)
		want, wantErr := json.Marshal(pair[1])
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%T is written\n%s\nwant\n%s (%v, %v)", pair[0], got, want, err, wantErr)
		}
	}
}
