package kept_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"overturn/model"
	"overturn/ui/kept"
)

func of[T any](v T) *T { return &v }

func full() kept.State {
	s := kept.State{Theme: "tide", List: true, Split: of(false), Wrap: true, Exact: true, Context: of(0),
		Folded: []model.Path{"a/b", "caf\xe9", "日本"}, Last: &kept.Spot{Scope: "branch=main", Path: `"quoted`, Line: 3, Old: true}}
	s.Put(kept.Spot{Scope: "working", Path: "a", Folder: true})
	s.Put(kept.Spot{Scope: "7", Thread: "t\x1b", Path: "x\xff/y", Key: "k", Line: 12, Head: true})
	return s
}

func TestComesBackAsItWas(t *testing.T) {
	for _, s := range []kept.State{{}, full()} {
		if got := kept.Parse(kept.Encode(s)); !reflect.DeepEqual(got, s) {
			t.Errorf("%+v\ncame back as\n%+v", s, got)
		}
	}
}

func TestWhatIsDamagedIsLeftOut(t *testing.T) {
	whole := kept.Encode(full())
	for name, data := range map[string][]byte{
		"nothing": nil, "no JSON": []byte("theme tide"), "cut": whole[:len(whole)-9], "another format": bytes.Replace(whole, []byte(`"format": 1`), []byte(`"format": 2`), 1),
		"another shape": []byte(`{"format":1,"theme":"tide","folded":"a"}`), "too long": append(whole, make([]byte, kept.Limit)...),
	} {
		if got := kept.Parse(data); !reflect.DeepEqual(got, kept.State{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	got := kept.Parse([]byte(`{"format":1,"context":-1,"new":{},"folded":["b","","a","b"],"last":{"scope":"x","path":"p"},
		"spots":[{"scope":"working","path":""},{"scope":"working","path":"p","line":-2},{"scope":"007","path":"p"},{"scope":"working","path":"one"},{"scope":"working","path":"two"}]}`))
	want := kept.State{Folded: []model.Path{"a", "b"}, Spots: []kept.Spot{{Scope: "working", Path: "one"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTheNewestSpotsStay(t *testing.T) {
	var s kept.State
	for i := range 200 {
		s.Put(kept.Spot{Scope: fmt.Sprint(i + 1), Path: "p"})
	}
	s.Put(kept.Spot{Scope: "190", Path: "q"})
	if got, ok := s.At("190", ""); !ok || got.Path != "q" || s.Spots[0] != got || s.Spots[1].Scope != "200" {
		t.Errorf("the newest are %v", s.Spots[:2])
	}
	if _, ok := s.At("190", "other"); ok {
		t.Error("a spot of another thread is found")
	}
	if _, ok := s.At("1", ""); ok || len(s.Spots) > 64 {
		t.Errorf("%d spots are kept", len(s.Spots))
	}
}

func TestItIsBounded(t *testing.T) {
	s := kept.State{Theme: strings.Repeat("t", 1<<20), Last: &kept.Spot{Scope: "working", Path: model.Path(strings.Repeat("\xff", 1<<20))}}
	for i := range 3000 {
		s.Folded = append(s.Folded, model.Path(strings.Repeat("\x01", i)))
		s.Spots = append(s.Spots, kept.Spot{Scope: fmt.Sprint(i + 1), Path: model.Path(strings.Repeat("\xfe", 1500))})
	}
	data := kept.Encode(s)
	if len(data) > kept.Limit {
		t.Errorf("%d bytes", len(data))
	}
	if got := kept.Parse(data); len(got.Spots) != 64 || len(got.Folded) == 0 || got.Last != nil || got.Theme != "" {
		t.Errorf("%d spots, %d folders, last %v", len(got.Spots), len(got.Folded), got.Last)
	}
}

// Whatever the file holds, a state comes of it that is written and read as it is.
func FuzzParse(f *testing.F) {
	f.Add(kept.Encode(full()))
	f.Add([]byte(`{"format":1,"folded":["\"\\xff\"","\"open"],"split":null,"context":1e3}`))
	f.Add([]byte(`{"format":1,"spots":[{"scope":"1..3","path":"a","line":1073741825}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := kept.Parse(data)
		out := kept.Encode(s)
		if len(out) > kept.Limit {
			t.Fatalf("%d bytes", len(out))
		}
		if again := kept.Parse(out); !reflect.DeepEqual(again, s) {
			t.Errorf("%+v\ncame back as\n%+v", s, again)
		}
	})
}
