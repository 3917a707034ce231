package ledger

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"overturn/model"
	"overturn/model/wire"
)

func FuzzParseRef(f *testing.F) {
	for _, seed := range []string{
		"refs/overturn/threads/dGhyZWFkLTE/turn/0", "refs/overturn/threads/dGhyZWFkLTE/start/12",
		"refs/overturn/threads/dGhyZWFkLTE/start/0", "refs/overturn/threads/dGhyZWFkLTF/turn/1", "refs/overturn/threads/dGhyZWFkLTE/turn/01",
		"refs/overturn/threads/dGhyZWFkLTE=/turn/1", "refs/overturn/threads2/dGhyZWFkLTE/turn/1", "refs/overturn/threads/dGhyZWFkLTE/turn/1/2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		thread, n, start, err := ParseRef(name)
		if err != nil {
			if model.CodeOf(err) != model.CodeUsage {
				t.Fatalf("%q: %v", name, err)
			}
			return
		}
		back := endRef(thread, n)
		if start {
			back = startRef(thread, n)
		}
		if back != name || start && n == 0 {
			t.Fatalf("%q came back as %q", name, back)
		}
	})
}

// FuzzEvidence: whatever a file holds, whole lines that are read are kept byte
// for byte, and a torn end loses nothing before it.
func FuzzEvidence(f *testing.F) {
	good := []byte(`{"kind":"tool","at":"2026-11-30T08:00:00Z","phase":"pre","call":"c","paths":["a"],"tree":"ab"}` + "\n")
	f.Add(good, []byte(`{"kind":"to`))
	f.Add([]byte("\n\nnull\n[]\n"), []byte(`{"kind":"overlap","thread":"t","turn":1}`+"\n"))
	f.Fuzz(func(t *testing.T, head, tail []byte) {
		lines, raw := parseEvidence(append(append([]byte{}, head...), tail...))
		again, same := parseEvidence(raw)
		if !bytes.Equal(raw, same) || len(again) != len(lines) {
			t.Fatalf("read again: %q, was %q", same, raw)
		}
		for _, m := range readEvidence(lines, false).Moments {
			if m.Running < 0 {
				t.Fatalf("%d calls run", m.Running)
			}
		}
		dir := threadDir{t.TempDir()}
		if err := os.WriteFile(dir.evidencePath(1), append(append([]byte{}, head...), tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := dir.appendEvidence(1, evidenceLine{Kind: lineTouch, Paths: model.Paths{"x"}}); err != nil {
			t.Fatal(err)
		}
		after, _, err := dir.evidence(1)
		if err != nil || len(after) < len(lines)+1 || after[len(after)-1].Kind != lineTouch {
			t.Fatalf("after one more line: %d of %d lines, %v", len(after), len(lines)+1, err)
		}
	})
}

// FuzzTurnFile holds what is read of a turn's file and of its lists against
// encoding/json.
func FuzzTurnFile(f *testing.F) {
	f.Add(written(turnFile{Schema: turnSchema, Turn: model.Turn{Thread: "t", Start: &model.Boundary{}}, Sum: &model.FileSum{}}))
	f.Add(written(turnLists{Files: []model.FileChange{{Path: "\xff"}}, End: &model.Inventory{}}))
	f.Add([]byte(`{"sum":null,"pruned":null,"below":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		holdRead(t, data, readTurnFile)
		holdRead(t, data, readLists)
		holdRead(t, data, readEvidenceLine)
		holdRead(t, data, readStateFile)
	})
}

func holdRead[T any](t *testing.T, data []byte, read func(r *wire.Reader, v *T)) {
	t.Helper()
	var got, want T
	err, wantErr := wire.Into(data, &got, read), json.Unmarshal(data, &want)
	if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("%q is %+v, %v; encoding/json says %+v, %v", data, got, err, want, wantErr)
	}
}

func FuzzInboxEvent(f *testing.F) {
	for _, e := range []event{
		{Arrived: time.Unix(1, 0), Start: &StartEvent{Thread: "t", Agent: "codex", ByHook: true}},
		{End: &EndEvent{Thread: "t", State: model.TurnFailed}}, {Session: &SessionEvent{Thread: "t"}}, {},
	} {
		data, err := json.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "e.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := readEvent(path, time.Unix(5, 0))
		if err != nil {
			return
		}
		if e.at().IsZero() || e.path != path || e.End != nil && !isEndState(e.End.State) {
			t.Fatalf("event %+v", e)
		}
	})
}

func TestRefNames(t *testing.T) {
	thread, n, start, err := ParseRef("refs/overturn/threads/dGhyZWFkLTE/start/12")
	if err != nil || thread != "thread-1" || n != 12 || !start {
		t.Errorf("%q %d %t %v", thread, n, start, err)
	}
	for _, name := range []string{
		"", "refs/overturn/threads/", "refs/overturn/threads/dGhyZWFkLTE/start/0", "refs/overturn/threads/dGhyZWFkLTE/turn/-1",
		"refs/overturn/threads/dGhyZWFkLTE/turn/01", "refs/overturn/threads/dGhyZWFkLTF/turn/1", "refs/overturn/threads/dGhyZWFkLTE=/turn/1",
		"refs/overturn/threads/dGhyZWFkLTE/end/1", "refs/overturn/threads2/dGhyZWFkLTE/turn/1", "refs/overturn/threads/dGhyZWFkLTE/turn/1/2",
	} {
		if _, _, _, err := ParseRef(name); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%q was read: %v", name, err)
		}
	}
}

func TestTitleAndShorten(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " fix\n\tit ": "fix it",
		"a prompt with so many words that they do not all fit into one title at all": "a prompt with so many words that they do not all fit into…",
	} {
		if got := titleOf(in); got != want {
			t.Errorf("title of %q is %q", in, got)
		}
	}
	if got := shorten("añb", 2); got != "a… (3 bytes more)" {
		t.Errorf("shortened to %q", got)
	}
	if got := shorten("añb", 4); got != "añb" {
		t.Errorf("shortened to %q", got)
	}
}

func TestSecondWorkTreeNamesStayLegal(t *testing.T) {
	for _, length := range []int{1, 100, 170, 180} {
		id := model.ThreadID(bytes.Repeat([]byte("x"), length))
		got := inWorkTree(id, "feature")
		if _, err := model.ParseThreadID(string(got)); err != nil || got == id || inWorkTree(id, "other") == got {
			t.Errorf("%d bytes: %q %v", length, got, err)
		}
	}
}
