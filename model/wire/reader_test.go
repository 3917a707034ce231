package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"overturn/model/wire"
)

type thing struct {
	Name string    `json:"name"`
	N    int       `json:"n"`
	Yes  bool      `json:"yes"`
	At   time.Time `json:"at"`
	List []thing   `json:"list"`
}

func readThing(r *wire.Reader, v *thing) {
	r.Fields(func(key string) {
		switch key {
		case "name":
			v.Name = r.Text()
		case "n":
			v.N = int(r.Int())
		case "yes":
			v.Yes = r.Bool()
		case "at":
			v.At = r.Time()
		case "list":
			v.List = wire.ReadList(r, readThing)
		default:
			r.Fail()
		}
	})
}

// FuzzInto holds every reading against encoding/json: the same value, or the same
// refusal.
func FuzzInto(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a\u003cb\n\"\\\/\t\b\f\r\u2028é","n":-12,"yes":true,"at":"2026-11-30T14:05:06.789+01:00","list":[{"n":1},{"list":null},{"list":[]}]}` + "\n",
		` { "n" : 0 , "yes" : false } `, `{}`, `null`, `{"n":null}`, `{"n":01}`, `{"n":-0}`, `{"n":1.5}`, `{"n":1e3}`, `{"n":99999999999999999999}`,
		`{"NAME":"x"}`, `{"name":"x","name":"y"}`, `{"list":[{"n":1}],"list":[{"yes":true}]}`, `{"name":"\ud83d\ude00"}`, `{"name":"\ud83d"}`, "{\"name\":\"\xff\"}",
		"{\"name\":\"a\x01\"}", `{"name":"\q"}`, `{"name":"\`, `{"name":"\u00`, `{"at":"yesterday"}`, `{"more":1}`, `{"n":1}x`, `{"n":1`, `[`, `{"list":[1,]}`, `{"list":[{},]}`, `{"n":1,}`, `{"n" 1}`, ``,
		`{"at":"2026-11-30T14:05:06,789Z"}`, `{"at":"2026-11-30T14:05:06\u005a"}`, `{"yes":"true"}`, `{"n":-}`, `{"n":- 1}`, `{"name":"x\`, `{"n":-01}`, `{"n":1796058392246021802}`, `{"n":9223372036854775807}`, `{"n":-9223372036854775808}`, `{"n":9223372036854775808}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want thing
		err := wire.Into(data, &got, readThing)
		wantErr := json.Unmarshal(data, &want)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, %v; encoding/json says %+v, %v", data, got, err, want, wantErr)
		}
	})
}

// TestReadAsWritten holds that what Writer writes is read without encoding/json.
func TestReadAsWritten(t *testing.T) {
	var w wire.Writer
	w.Open("")
	w.Text("name", "\x00<\u2028\"\\é")
	w.Int("n", -7)
	w.Bool("yes", true)
	w.Time("at", time.Date(2026, 11, 30, 1, 2, 3, 4, time.UTC))
	wire.List(&w, "list", []int{1, 2}, func(n *int) { w.Open(""); w.Int("n", *n); w.Close() })
	w.Close()
	var quick thing
	read := func(r *wire.Reader, v *thing) { readThing(r, v); quick = *v }
	var got thing
	if err := wire.Into(w.Bytes(), &got, read); err != nil || !reflect.DeepEqual(got, quick) || len(got.List) != 2 || got.N != -7 {
		t.Errorf("read %+v, quickly %+v: %v", got, quick, err)
	}
}
