package snapshot

import (
	"reflect"
	"testing"

	"overturn/model"
)

func TestAuxComesBack(t *testing.T) {
	whole := aux{[]int64{1, -2, 1 << 60}, "it", true, []Unmerged{{"p\xff", 2, 0o100755, "o"}}, []model.Noted{{Path: "a\xfe", Reason: "added"}, {Path: "b"}}, 7, "hc", "ht", "ig\n", "git 1",
		attrState{"src", true, []string{"lfs", ""}, "drv"}, []byte{0, 255}, "rt", "/root"}
	for fields, i := reflect.ValueOf(whole), 0; i < fields.NumField(); i++ {
		if fields.Field(i).IsZero() {
			t.Fatalf("%s is zero: the test does not look at it", fields.Type().Field(i).Name)
		}
	}
	data := whole.encode()
	got, ok := decodeAux(data)
	if !ok || !reflect.DeepEqual(got, whole) {
		t.Errorf("came back as %+v, want %+v", got, whole)
	}
	for n := range data {
		if _, ok := decodeAux(data[:n]); ok {
			t.Errorf("%d of %d bytes were taken for the whole", n, len(data))
		}
	}
	if _, ok := decodeAux(append(data, 0)); ok {
		t.Error("a byte too many was passed over")
	}
	huge := (&auxCoder{})
	n := int64(1 << 40)
	huge.number(&n)
	if _, ok := decodeAux(huge.b); ok {
		t.Error("a list of 2^40 items was begun")
	}
}

// FuzzAux: whatever stands there, reading it ends without harm, and what is read is
// written to the same meaning.
func FuzzAux(f *testing.F) {
	a := aux{Index: []int64{5}, IndexTree: "t", Staged: []model.Noted{{Path: "p", Reason: "r"}}}
	f.Add(a.encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		one, ok := decodeAux(data)
		if !ok {
			return
		}
		if two, ok := decodeAux(one.encode()); !ok || !reflect.DeepEqual(one, two) {
			t.Errorf("%+v came back as %+v", one, two)
		}
	})
}
