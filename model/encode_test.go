package model

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

type (
	plainTurn      Turn
	plainBoundary  Boundary
	plainInventory Inventory
	plainEffect    Effect
)

// TestWrittenAsDeclared holds what is written by hand against encoding/json and the
// tags of the fields: a field that is added and not written fails.
func TestWrittenAsDeclared(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)
	odd, old := Path("d/\xff\"<\n"), Path("old/\xfe")
	effect := Effect{DomainNetwork, "s", ReversibleNo, "c", "i", at}
	inventory := Inventory{[]Noted{{odd, "added"}}, []Noted{{"u", "modified"}, {"v", ""}}, []Noted{{"w", ""}}, []Submodule{{odd, "h"}}, 3}
	boundary := Boundary{"r", "c", "t", "h", "b", "merge", at, inventory}
	file := FileChange{odd, old, Renamed, 1, -1, true, OwnerAgent}
	turn := Turn{Thread: "T", Agent: "a", WorkTree: "/w", Number: 2, TurnID: "id", Prompt: "p\u2028", State: TurnCompleted, Checkpoint: "c", Status: StatusReady, StatusReason: "why",
		Ref: "r", Start: &boundary, End: &boundary, Base: "b", HeadMoved: true, MessageID: "m", StartedAt: at, CompletedAt: &at, Files: []FileChange{file, {Path: "x"}},
		LeftOut: []Noted{{odd, "too large"}}, Effects: []Effect{effect}}
	for _, v := range []any{turn, boundary, inventory, effect} {
		if fields := reflect.ValueOf(v); fields.Kind() == reflect.Struct {
			for i := range fields.NumField() {
				if fields.Field(i).IsZero() && fields.Type().Field(i).Name != "Sum" {
					t.Fatalf("%T.%s is zero: the test does not look at it", v, fields.Type().Field(i).Name)
				}
			}
		}
	}
	bare := Turn{LeftOut: []Noted{}, Effects: []Effect{}}
	empty := Inventory{[]Noted{}, []Noted{}, []Noted{}, []Submodule{}, 0}
	for _, pair := range [][2]any{
		{turn, plainTurn(turn)}, {bare, plainTurn(bare)}, {Turn{Files: []FileChange{}}, plainTurn{Files: []FileChange{}, LeftOut: []Noted{}, Effects: []Effect{}}},
		{boundary, plainBoundary(boundary)}, {Boundary{}, plainBoundary{}}, {inventory, plainInventory(inventory)}, {Inventory{}, plainInventory(empty)},
		{effect, plainEffect(effect)}, {Noted{odd, "r"}, notedWire{toWire(odd), "r"}}, {Submodule{"s", "h"}, submoduleWire{toWire("s"), "h"}},
		{file, fileChangeWire{toWire(odd), toWire(old).Path, toWire(old).B64, file.Change, 1, -1, true, OwnerAgent}},
		{FileChange{}, fileChangeWire{}}, {Paths{"a", odd}, []any{"a", toWire(odd)}}, {Paths(nil), []any{}},
	} {
		got, err := json.Marshal(pair[0])
		want, wantErr := json.Marshal(pair[1])
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%T is written\n%s\nwant\n%s (%v, %v)", pair[0], got, want, err, wantErr)
		}
	}
}
