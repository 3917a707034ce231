package gitops

import (
	"encoding/json"
	"reflect"
	"testing"

	"overturn/model/wire"
)

// TestFactsAreReadQuickly: what is kept of an ordinary repository is read without
// encoding/json, every field of it.
func TestFactsAreReadQuickly(t *testing.T) {
	want := facts{factsVersion, "/r", "/r", "/r/.git", "/r/.git", "main", "sha1", "files", []text{"/home", ""}, []text{"a.b", "c"},
		[]stamp{{"x", true, 1, 2, 3, 1796058392246021802, 5, 6, 7}, {Path: "y"}}, []stamp{{Path: "/r", Dev: 65024}}}
	data, err := json.Marshal(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got, quick facts
	err = wire.Into(data, &got, func(r *wire.Reader, f *facts) { readFacts(r, f); quick = *f })
	if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(quick, want) {
		t.Errorf("%+v, quickly %+v: %v", got, quick, err)
	}
}

// FuzzReadFacts holds the quick reader against encoding/json.
func FuzzReadFacts(f *testing.F) {
	for _, seed := range []string{
		`{"version":1,"top":"/r","root":"/r\u0000base64:","env":["a",null],"files":[{"path":"x","uid":4294967296}],"folders":null}`,
		`{"files":[{"path":"\u0000base64:eA==","dev":18446744073709551615,"ino":-1,"size":-2,"mtime":1796058392246021802,"kind":2147483648,"absent":true}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want facts
		err, wantErr := wire.Into(data, &got, readFacts), json.Unmarshal(data, &want)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, %v; encoding/json says %+v, %v", data, got, err, want, wantErr)
		}
	})
}
