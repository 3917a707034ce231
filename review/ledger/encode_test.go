package ledger

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"overturn/model"
)

type (
	plainTurnFile turnFile
	plainLine     evidenceLine
)

// TestWrittenAsDeclared holds what is written by hand against encoding/json and the
// tags of the fields: a field that is added and not written fails.
func TestWrittenAsDeclared(t *testing.T) {
	at := time.Unix(11, 13).UTC()
	file := turnFile{Schema: "s", Turn: model.Turn{Thread: "T", StartedAt: at}, Process: model.Process{PID: 7, Started: "x"}, ReportsTools: true, Aside: true, Beside: "b",
		StartPerm: []model.Noted{{Path: "p", Reason: "600"}}, StartRaw: true, RecordWaits: "w", Apart: true, Sum: &model.FileSum{Files: 1, Additions: 2, Deletions: 3, Uncounted: 4}, Pruned: &at}
	line := evidenceLine{Kind: lineTool, At: at, Captured: &at, Phase: "begin", Tool: "t", Call: "c", Paths: model.Paths{"a", "\xff"}, Command: "<&>", Failed: true,
		Tree: "t", Late: true, Thread: "T", Turn: 4, Effect: &model.Effect{Summary: "s"}, Text: "x", Reason: "r"}
	for _, v := range []any{file, line} {
		fields := reflect.ValueOf(v)
		for i := range fields.NumField() {
			if name := fields.Type().Field(i).Name; fields.Field(i).IsZero() && name != "filled" {
				t.Fatalf("%T.%s is zero: the test does not look at it", v, name)
			}
		}
	}
	for _, pair := range [][2]any{{file, plainTurnFile(file)}, {line, plainLine(line)}, {turnFile{}, plainTurnFile{StartPerm: []model.Noted{}}}, {evidenceLine{}, plainLine{}}} {
		got, err := json.Marshal(pair[0])
		want, wantErr := json.Marshal(pair[1])
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%T is written\n%s\nwant\n%s (%v, %v)", pair[0], got, want, err, wantErr)
		}
	}
}
