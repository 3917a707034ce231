package hookfile_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"overturn/review/agents/hookfile"
)

func ours(c string) bool { return strings.HasPrefix(c, "overturn hook") }

func spec() hookfile.Spec {
	return hookfile.Spec{Command: "overturn hook claude-code", Ours: ours,
		Hooks: []hookfile.Hook{{"SessionStart", 10}, {"UserPromptSubmit", 30}, {"Stop", 30}, {"SessionEnd", 0}}}
}

// files are settings as people write them: each must come back to the byte.
func files() map[string]string {
	return map[string]string{
		"empty object":          "{}",
		"empty object, line":    "{}\n",
		"open object":           "{\n}\n",
		"blank object":          "{ \t }\n",
		"comment inside":        "{ /* mine */ }\n",
		"comment line inside":   "{\n  // mine\n}\n",
		"one line":              `{"a": 1}`,
		"one line, comment":     "{\"a\": 1 // c\n}",
		"two spaces":            "{\n  \"permissions\": {\n    \"allow\": [\"Bash\"]\n  }\n}\n",
		"tabs":                  "{\n\t\"model\": \"x\"\n}\n",
		"crlf":                  "{\r\n    \"model\": \"x\"\r\n}\r\n",
		"trailing comma":        "{\n  \"a\": 1,\n}\n",
		"trailing comma, note":  "{\n  \"a\": 1, // why\n  /* end */\n}\n",
		"note after last":       "{\n  \"a\": 1 // why\n}\n",
		"block note after last": "{\n  \"a\": 1 /* why */ }\n",
		"bom":                   "\xef\xbb\xbf{\"a\":1}\n",
		"empty hooks":           "{\"hooks\": {}}\n",
		"open empty hooks":      "{\n  \"hooks\": {\n  }\n}\n",
		"empty list":            "{\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"z\": 0\n}\n",
		"foreign hook":          "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"say done\"}\n        ]\n      }\n    ]\n  },\n  \"z\": 0\n}\n",
		"foreign hooks, tight":  `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}],"PreToolUse":[{"matcher":"Bash","hooks":[]}]}}`,
		"twice the key":         "{\"hooks\": {\"Stop\": []}, \"hooks\": {\"Stop\": [],}}\n",
		"escaped key":           `{"\u0068ooks": {}}`,
		"blank line kept":       "{\n\n  \"a\": 1\n}\n",
		"odd handlers":          `{"hooks":{"Stop":[1,"x",{},{"hooks":{}},{"hooks":[3,{"command":7}]}]}}`,
		"comment after end":     "{\n  \"a\": [1, 2]\n}\n// end",
	}
}

func TestPutThenTakeGivesTheBytesBack(t *testing.T) {
	for name, src := range files() {
		t.Run(name, func(t *testing.T) { roundTrip(t, []byte(src)) })
	}
}

func roundTrip(t *testing.T, src []byte) {
	t.Helper()
	for _, flat := range []bool{false, true} {
		spec := spec()
		spec.Flat = flat
		roundTripOf(t, src, spec)
	}
}

func roundTripOf(t *testing.T, src []byte, spec hookfile.Spec) {
	t.Helper()
	put, err := hookfile.Put(src, spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := hookfile.Events(put, ours)
	if err != nil || len(got) != 4 {
		t.Fatalf("after Put: events %q, error %v in\n%s", got, err, put)
	}
	again, err := hookfile.Put(put, spec)
	if err != nil || !bytes.Equal(again, put) {
		t.Fatalf("Put twice changed the file (%v):\n%s\n---\n%s", err, put, again)
	}
	back, empty, err := hookfile.Take(put, ours)
	if err != nil || empty {
		t.Fatalf("Take: empty %v, error %v from\n%s", empty, err, put)
	}
	if !bytes.Equal(back, src) {
		t.Fatalf("Take after Put:\n%q\nwas\n%q\nbetween\n%s", back, src, put)
	}
}

func TestFileThatPutMadeMayGo(t *testing.T) {
	put, err := hookfile.Put(nil, spec())
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command string
				Timeout       int
			}
		}
	}
	if err := json.Unmarshal(put, &file); err != nil {
		t.Fatal(err)
	}
	if h := file.Hooks["UserPromptSubmit"][0].Hooks[0]; h.Type != "command" || h.Command != "overturn hook claude-code" || h.Timeout != 30 {
		t.Errorf("handler is %+v", h)
	}
	if _, empty, err := hookfile.Take(put, ours); err != nil || !empty {
		t.Errorf("Take: empty %v, error %v", empty, err)
	}
	commented := append([]byte("// mine\n"), put...)
	out, empty, err := hookfile.Take(commented, ours)
	if err != nil || empty || !bytes.HasPrefix(out, []byte("// mine\n{")) {
		t.Errorf("a file with a comment: %q, empty %v, error %v", out, empty, err)
	}
}

func TestTakeAfterTheAgentWroteTheFileAnew(t *testing.T) {
	put, err := hookfile.Put([]byte("{\n  \"hooks\": {}\n}\n"), spec())
	if err != nil {
		t.Fatal(err)
	}
	var parsed map[string]any
	if err := json.Unmarshal(put, &parsed); err != nil {
		t.Fatal(err)
	}
	parsed["permissions"] = map[string]any{"allow": []string{"Bash"}}
	anew, _ := json.MarshalIndent(parsed, "", "\t")
	out, empty, err := hookfile.Take(anew, ours)
	if err != nil || empty {
		t.Fatalf("empty %v, error %v", empty, err)
	}
	var left map[string]any
	if err := json.Unmarshal(out, &left); err != nil || len(left) != 1 || left["permissions"] == nil {
		t.Errorf("left: %s (%v)", out, err)
	}
}

func TestTakeLeavesForeignHandlersBesideOurs(t *testing.T) {
	src := `{"hooks":{"Stop":[{"matcher":"","hooks":[{"command":"overturn hook claude-code"},{"command":"say"}]}],"SessionEnd":[{"matcher":"x","hooks":[{"command":"overturn hook claude-code"}]}]}}`
	want := `{"hooks":{"Stop":[{"matcher":"","hooks":[{"command":"say"}]}]}}`
	out, empty, err := hookfile.Take([]byte(src), ours)
	if err != nil || empty || string(out) != want {
		t.Errorf("got %s, empty %v, error %v", out, empty, err)
	}
}

func TestPutReplacesAnOlderCommand(t *testing.T) {
	old := spec()
	old.Command, old.Hooks = "overturn hook claude-code --old", old.Hooks[:2]
	src := []byte("{\n  \"model\": \"x\"\n}\n")
	first, err := hookfile.Put(src, old)
	if err != nil {
		t.Fatal(err)
	}
	second, err := hookfile.Put(first, spec())
	if err != nil || bytes.Contains(second, []byte("--old")) {
		t.Fatalf("error %v in\n%s", err, second)
	}
	if back, _, err := hookfile.Take(second, ours); err != nil || !bytes.Equal(back, src) {
		t.Errorf("back: %q, error %v", back, err)
	}
}

// TestPutReplacesACommandInAFileOfItsOwn: the program was moved, and enabled again.
func TestPutReplacesACommandInAFileOfItsOwn(t *testing.T) {
	for _, flat := range []bool{false, true} {
		old, now := spec(), spec()
		old.Flat, now.Flat, old.Command = flat, flat, "overturn hook claude-code --old"
		first, err := hookfile.Put(nil, old)
		if err != nil {
			t.Fatal(err)
		}
		second, err := hookfile.Put(first, now)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := hookfile.Put(nil, now)
		if err != nil || !bytes.Equal(second, fresh) {
			t.Errorf("flat %v, %v:\n%s\nwant\n%s", flat, err, second, fresh)
		}
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	for _, src := range []string{"", " \n", "{", "[]", "null", "{\"a\" 1}", "{\"a\": }", "{,}", "{\"a\": 1 \"b\": 2}", "{\"a\": tru}", "{} {}",
		"{\"a\": \"\n\"}", "{/* }", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "{\"hooks\": null}", strings.Repeat("[", 100000)} {
		if out, err := hookfile.Put([]byte(src), spec()); err == nil {
			t.Errorf("Put(%.40q) gave %q", src, out)
		}
	}
}

func FuzzPutTake(f *testing.F) {
	for _, src := range files() {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) == 0 {
			return
		}
		before, err := hookfile.Events(src, ours)
		if err != nil {
			if _, err := hookfile.Put(src, spec()); err == nil {
				t.Fatal("Put edits what Events cannot read")
			}
			return
		}
		if len(before) == 0 && !bytes.Contains(src, []byte("overturn")) {
			roundTrip(t, src)
			return
		}
		if out, _, err := hookfile.Take(src, ours); err == nil {
			if left, err := hookfile.Events(out, ours); out != nil && (err != nil || len(left) != 0) {
				t.Fatalf("left %q, error %v in %q", left, err, out)
			}
		}
	})
}
