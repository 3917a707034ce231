package rollback

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/patch"
)

func sampleSet() *stagedSet {
	id := strings.Repeat("ab", 20)
	file := stagedSide{State: model.FileState{Kind: model.KindFile, Mode: "100644", Size: 1, SHA256: strings.Repeat("0", 64)}, Blob: id}
	absent := stagedSide{State: model.Absent()}
	return &stagedSet{
		Schema: stagedSchema,
		Scopes: []stagedScope{{Scope: "3", Thread: "t", Effects: []model.Effect{{Domain: model.DomainOther, Summary: "x"}}}, {Scope: "working"}},
		Entries: []stagedEntry{
			{Path: "a\xff\n", Scope: 1, Method: model.TakeOut, First: file, Last: file, Mode: true, Old: [][2]int{{0, 1}}, New: [][2]int{{0, 2}, {4, 5}}, Hunks: []int{1}, ByLines: true, Owner: model.OwnerMixed, Turns: []int{3}},
			{Path: "d/b", Scope: 0, Method: model.Restore, Discard: true, First: absent, Last: file, Whole: true, Owner: model.OwnerAgent, Turns: []int{3}, Index: &stagedIndex{"", "", "100644", id}, Made: model.Paths{"d"}},
		},
		Kept: []stagedKept{{Scope: 0, Kept: model.Noted{Path: "k", Reason: "made by the user"}}},
	}
}

func TestStagedRoundTrip(t *testing.T) {
	data, err := sampleSet().encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := decodeStaged(data)
	if err != nil {
		t.Fatal(err)
	}
	want := sampleSet()
	for i := range want.Entries {
		want.Entries[i].Name = model.Paths{want.Entries[i].Path}
	}
	if !reflect.DeepEqual(back, want) {
		t.Errorf("\n got %+v\nwant %+v", back, want)
	}
}

func TestStagedRefuses(t *testing.T) {
	data, err := sampleSet().encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{stagedSchema, "overturn.staged/2"}, {`"scope": 1`, `"scope": 2`}, {`"scope": 1`, `"scope": -1`}, {`"d/b"`, `"d/../b"`}, {`"d/b"`, `".git/b"`},
		{`"d/b"`, `""`}, {`"restore"`, `"undo"`}, {`"whole": true`, `"whole": false`}, {`"absent"`, `"gone"`}, {`"scope": "3"`, `"scope": "x"`},
		{strings.Repeat("ab", 20), "zz"}, {`"k"`, `"/k"`}, {`"d"`, `"e"`}, {`"d/b"`, `"\u0000"`},
	} {
		broken := bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(broken, data) {
			t.Fatalf("%q is not in the file:\n%s", change[0], data)
		}
		if set, err := decodeStaged(broken); err == nil {
			t.Errorf("%q was taken as %+v", change[1], set.Entries)
		}
	}
}

func TestTidy(t *testing.T) {
	s := sampleSet()
	s.Entries = s.Entries[:1]
	s.tidy()
	if len(s.Scopes) != 1 || s.Scopes[0].Scope != "working" || s.Entries[0].Scope != 0 || len(s.Kept) != 0 {
		t.Errorf("%+v", s)
	}
	s.Entries = nil
	s.tidy()
	if !reflect.DeepEqual(s, &stagedSet{}) {
		t.Errorf("%+v", s)
	}
}

func TestShownLines(t *testing.T) {
	e := &stagedEntry{}
	e.setLines(patch.Selection{Old: []patch.Range{{From: 2, To: 3}}, New: []patch.Range{{From: 0, To: 4}}})
	if got := e.shownLines(); got != "-3-3,1-4" {
		t.Error(got)
	}
}

// FuzzStaged: whatever the file holds, it is refused or comes back the same.
func FuzzStaged(f *testing.F) {
	data, err := sampleSet().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"overturn.staged/1"}`))
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := decodeStaged(data)
		if err != nil {
			return
		}
		again, err := set.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeStaged(again)
		if err != nil {
			t.Fatalf("%v: %s", err, again)
		}
		twice, err := back.encode()
		if err != nil || !bytes.Equal(again, twice) {
			t.Fatalf("%v: %s\n%s", err, again, twice)
		}
	})
}
