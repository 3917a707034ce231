package trace

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"overturn/model"
)

type plainEvent Event

// TestLineAsDeclared holds a line against encoding/json and the tags of the fields.
func TestLineAsDeclared(t *testing.T) {
	whole := Event{At: time.Unix(5, 7).UTC(), Event: TurnEnded, Thread: "T", Turn: 3, Paths: model.Paths{"a", "\xff"}, Before: "b", After: "a", Additions: 1, Deletions: 2,
		GitStatus: " M a\n", Outcome: "o", ID: "i", Reason: "<r>", Detail: map[string]any{"k": []int{1}}}
	for fields, i := reflect.ValueOf(whole), 0; i < fields.NumField(); i++ {
		if fields.Field(i).IsZero() {
			t.Fatalf("%s is zero: the test does not look at it", fields.Type().Field(i).Name)
		}
	}
	for _, e := range []Event{whole, {}} {
		got, err := e.line()
		want, wantErr := json.Marshal(plainEvent(e))
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("the line is\n%s\nwant\n%s (%v, %v)", got, want, err, wantErr)
		}
	}
}
