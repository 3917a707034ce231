package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"overturn/model/wire"
)

// FuzzText holds every string against encoding/json.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "plain", "\"\\/<>&\b\f\n\r\t\x00\x1f\x7f", "é\u2028\u2029\ufeff", "\xff\xfe a\xc3", "\ufffd"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var w wire.Writer
		w.Text("", s)
		want, err := json.Marshal(s)
		if err != nil || string(w.Bytes()) != string(want) {
			t.Errorf("%q is %s, want %s (%v)", s, w.Bytes(), want, err)
		}
	})
}

func TestValues(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 5, 6, 789_000_000, time.FixedZone("", 3600))
	plain, lines := new(wire.Writer), wire.Indented()
	for _, w := range []*wire.Writer{plain, lines} {
		w.Open("")
		w.Text("a<b", "x")
		w.TextIf("none", "")
		w.TextIf("some", "y")
		w.Int("n", -5)
		w.IntIf("zero", 0)
		w.Bool("no", false)
		w.BoolIf("left out", false)
		w.BoolIf("yes", true)
		w.Null("null")
		w.Time("at", at)
		wire.List(w, "empty", []int(nil), func(n *int) { w.Int("", *n) })
		wire.List(w, "list", []int{1, 2}, func(n *int) { w.Open(""); w.Int("n", *n); w.Close() })
		w.Open("in")
		w.Close()
		if err := w.Any("any", map[string]any{"k": []int{1}, "none": []int{}}); err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	const want = `{"a\u003cb":"x","some":"y","n":-5,"no":false,"yes":true,"null":null,"at":"2026-11-30T14:05:06.789+01:00","empty":[],"list":[{"n":1},{"n":2}],"in":{},"any":{"k":[1],"none":[]}}`
	if string(plain.Bytes()) != want {
		t.Errorf("written\n%s\nwant\n%s", plain.Bytes(), want)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, plain.Bytes(), "", " "); err != nil || indented.String() != string(lines.Bytes()) {
		t.Errorf("in lines\n%s\nwant\n%s (%v)", lines.Bytes(), indented.String(), err)
	}
}
