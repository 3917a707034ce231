package model

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"overturn/model/wire"
)

// fullTurn has a value in every field that is written.
func fullTurn() Turn {
	at := time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)
	odd, old := Path("d/\xff\"<\n"), Path("old/\xfe")
	inventory := Inventory{[]Noted{{odd, "added"}}, []Noted{{"u", "modified"}, {"v", ""}}, []Noted{}, []Submodule{{odd, "h"}}, 3}
	boundary := Boundary{"r", "c", "t", "h", "b", "merge", at, inventory}
	return Turn{Thread: "T", Agent: "a", WorkTree: "/w", Number: 2, TurnID: "id", Prompt: "p\u2028", State: TurnCompleted, Checkpoint: "c", Status: StatusReady, StatusReason: "why",
		Ref: "r", Start: &boundary, End: &boundary, Base: "b", HeadMoved: true, MessageID: "m", StartedAt: at, CompletedAt: &at,
		Files: []FileChange{{odd, old, Renamed, 1, -1, true, OwnerAgent}, {Path: "x"}}, LeftOut: []Noted{{odd, "too large"}},
		Effects: []Effect{{DomainNetwork, "s", ReversibleNo, "c", "i", at}}}
}

// TestReadAsWritten: every field comes back, by the quick reader alone.
func TestReadAsWritten(t *testing.T) {
	bare := Turn{LeftOut: []Noted{}, Effects: []Effect{}}
	for _, want := range []Turn{fullTurn(), bare} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got, quick Turn
		err = wire.Into(data, &got, func(r *wire.Reader, v *Turn) { v.Read(r); quick = *v })
		if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(quick, want) {
			t.Errorf("read\n%+v\nquickly\n%+v\nwant\n%+v (%v)", got, quick, want, err)
		}
	}
}

// FuzzReadTurn holds the quick reader against encoding/json.
func FuzzReadTurn(f *testing.F) {
	data, err := json.Marshal(fullTurn())
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{string(data), `{}`, `{"turn":1,"unknown":2}`, `{"files":[{"path":"a","path_b64":"!"}]}`, `{"start":null,"end":{"inventory":{"more":-1}}}`, `{"left_out":[{"PATH":"x"}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want Turn
		err := wire.Into(data, &got, func(r *wire.Reader, v *Turn) { v.Read(r) })
		wantErr := json.Unmarshal(data, &want)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, %v; encoding/json says %+v, %v", data, got, err, want, wantErr)
		}
	})
}
