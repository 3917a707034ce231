package cli

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"testing"
	"time"
)

func TestParseHookArgs(t *testing.T) {
	for _, c := range []struct {
		args []string
		want hookCall
		help bool
	}{
		{nil, hookCall{}, false},
		{[]string{"codex"}, hookCall{agent: "codex"}, false},
		{[]string{"codex", "Stop", "more"}, hookCall{agent: "codex", event: "Stop"}, false},
		{[]string{"--if-enabled", "codex"}, hookCall{agent: "codex", ifEnabled: true}, false},
		{[]string{"codex", "--json", "-C", "dir", "--what", "Stop"}, hookCall{agent: "codex", event: "Stop", dir: "dir"}, false},
		{[]string{"codex", "-C"}, hookCall{agent: "codex"}, false},
		{[]string{"--help"}, hookCall{}, true},
	} {
		got, help := parseHookArgs(c.args)
		if !reflect.DeepEqual(got, c.want) || help != c.help {
			t.Errorf("%q: %+v %v", c.args, got, help)
		}
	}
}

func TestReadPayload(t *testing.T) {
	if raw, cut := readPayload(bytes.NewReader([]byte("{}")), time.Minute); cut || string(raw) != "{}" {
		t.Errorf("%q, cut %v", raw, cut)
	}
	if raw, cut := readPayload(io.LimitReader(zeros{}, maxPayload+1), time.Minute); !cut || len(raw) != maxPayload {
		t.Errorf("too long: %d bytes, cut %v", len(raw), cut)
	}
	if raw, cut := readPayload(io.LimitReader(zeros{}, maxPayload), time.Minute); cut || len(raw) != maxPayload {
		t.Errorf("just long enough: %d bytes, cut %v", len(raw), cut)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := w.WriteString(`{"a":1`); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	raw, cut := readPayload(r, 50*time.Millisecond)
	if !cut || string(raw) != `{"a":1` || time.Since(began) > 5*time.Second {
		t.Errorf("never ends: %q, cut %v after %v", raw, cut, time.Since(began))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
