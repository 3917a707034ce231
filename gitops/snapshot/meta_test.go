package snapshot

import (
	"encoding/json"
	"reflect"
	"testing"

	"overturn/model"
)

// TestMetaIsWrittenAsDeclared holds what is written by hand against encoding/json
// and the tags of the fields: a field that is added and not written fails.
func TestMetaIsWrittenAsDeclared(t *testing.T) {
	noted := []model.Noted{{Path: "a<\xff", Reason: "why"}}
	full := meta{metaSchema, model.Inventory{Staged: noted}, noted, 3, noted, []stage{{[]byte("p\xff"), 2, 0o100644, "id"}}, []pathMode{{[]byte("q"), 0o600}}, [][]byte{[]byte("e")}}
	for i := range reflect.ValueOf(full).NumField() {
		if reflect.ValueOf(full).Field(i).IsZero() {
			t.Fatalf("%s is zero: the test does not look at it", reflect.TypeOf(full).Field(i).Name)
		}
	}
	for _, m := range []meta{full, {}, {LeftOut: []model.Noted{}, Perm: []pathMode{}}} {
		got, err := m.encode()
		want, wantErr := json.Marshal(m)
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("written\n%s\nwant\n%s (%v, %v)", got, want, err, wantErr)
		}
	}
}
