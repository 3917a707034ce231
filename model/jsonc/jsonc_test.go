package jsonc_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"overturn/model/jsonc"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1} // end`:                 `{"a": 1}       `,
		"{// one\n\"a\": 1, /* two\n */}": "{      \n\"a\": 1            }",
		`{"a": "// no /* comment */",}`:   `{"a": "// no /* comment */" }`,
		`{"a": [1, 2, /* x */ ], }`:       `{"a": [1, 2          ]  }`,
		`{"a": "\"//", "b": 1}`:           `{"a": "\"//", "b": 1}`,
		"\ufeff{}":                        "   {}",
		`[,]`:                             `[,]`,
		`{"a":1,,}`:                       `{"a":1,,}`,
	} {
		got, err := jsonc.Plain([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%q is %q, %v, not %q", in, got, err, want)
		}
	}
	if _, err := jsonc.Plain([]byte(`{} /* x`)); err == nil {
		t.Error("a comment without an end is taken")
	}
}

const commented = `// of the project
{
  // how large
  "capture": {
    "max_file_size": "5m", // five
  },
  "other": [1, 2] /* theirs */
}
`

func TestSet(t *testing.T) {
	for _, c := range []struct {
		name, in, path string
		value          any
		want           string
	}{
		{"a value", commented, "capture.max_file_size", "7m", strings.Replace(commented, `"5m"`, `"7m"`, 1)},
		{"a member behind a comma and a comment", commented, "capture.anywhere", true,
			strings.Replace(commented, "// five\n", "// five\n    \"anywhere\": true,\n", 1)},
		{"a block", commented, "retention.keep", 3,
			strings.Replace(commented, "[1, 2] /* theirs */\n", "[1, 2], /* theirs */\n  \"retention\": {\n    \"keep\": 3\n  }\n", 1)},
		{"no file", "", "review.theme", "paper", "{\n  \"review\": {\n    \"theme\": \"paper\"\n  }\n}\n"},
		{"an empty object", "{}", "a", 1, "{\n  \"a\": 1\n}"},
		{"comments alone", "{\n  // none yet\n}\n", "a", 1, "{\n  // none yet\n  \"a\": 1\n}\n"},
		{"an object in one line", `{"a": {"b": 1}}`, "a.c", 2, `{"a": {"b": 1, "c": 2}}`},
		{"one line, a comma at the end", `{"a": 1,}`, "b", 2, `{"a": 1, "b": 2,}`},
		{"tabs", "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n", "a.c", map[string]any{"d": 1}, "{\n\t\"a\": {\n\t\t\"b\": 1,\n\t\t\"c\": {\n\t\t\t\"d\": 1\n\t\t}\n\t}\n}\n"},
		{"carriage returns", "{\r\n  \"a\": 1 // x\r\n}\r\n", "b", 2, "{\r\n  \"a\": 1, // x\r\n  \"b\": 2\r\n}\r\n"},
		{"null on the way", `{"a": null}`, "a.b", 1, "{\"a\": {\n  \"b\": 1\n}}"},
		{"the last of two counts", `{"a": 1, "a": 2}`, "a", 3, `{"a": 1, "a": 3}`},
		{"a list of words", "{\n}", "keys.plan", []string{"p", "ctrl+p"}, "{\n  \"keys\": {\n    \"plan\": [\"p\",\"ctrl+p\"]\n  }\n}"},
		{"a list in place", `{"plan": "P"}`, "plan", []string{"p", "<"}, `{"plan": ["p","<"]}`},
		{"over an object", `{"a": {"b": 1}, "c": 2}`, "a", "x", `{"a": "x", "c": 2}`},
		{"an escaped name", `{"\u0061": 1}`, "a", 2, `{"\u0061": 2}`},
	} {
		got, err := jsonc.Set([]byte(c.in), strings.Split(c.path, "."), c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
	for name, in := range map[string]string{"no JSON": `{"a"`, "a list": `[]`, "null": `null`, "two objects": `{}{}`, "not an object on the way": `{"a": 1}`} {
		if got, err := jsonc.Set([]byte(in), []string{"a", "b"}, 1); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct{ name, in, path, want string }{
		{"a line with its comment, and the empty block", commented, "capture.max_file_size", "// of the project\n{\n  // how large\n  \"other\": [1, 2] /* theirs */\n}\n"},
		{"the last one takes the comma before it", commented, "other", "// of the project\n{\n  // how large\n  \"capture\": {\n    \"max_file_size\": \"5m\", // five\n  }\n}\n"},
		{"a block with a comment stays", "{\n  \"a\": {\n    // why\n    \"b\": 1\n  }\n}\n", "a.b", "{\n  \"a\": {\n    // why\n  }\n}\n"},
		{"in one line", `{"a": 1, "b": 2, "c": 3}`, "b", `{"a": 1, "c": 3}`},
		{"the first in one line", `{"a": 1, "b": 2}`, "a", `{"b": 2}`},
		{"the last in one line", `{"a": 1, "b": 2}`, "b", `{"a": 1}`},
		{"the only one", `{"a": 1}`, "a", `{}`},
		{"twice", `{"a": 1, "b": 2, "a": 3}`, "a", `{"b": 2}`},
		{"carriage returns", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n", "a", "{\r\n  \"b\": 2\r\n}\r\n"},
	} {
		got, found, err := jsonc.Remove([]byte(c.in), strings.Split(c.path, "."))
		if err != nil || !found || string(got) != c.want {
			t.Errorf("%s: %v %v\n%s\nwant\n%s", c.name, found, err, got, c.want)
		}
	}
	for _, path := range []string{"z", "capture.z", "other.z", "z.z"} {
		if got, found, err := jsonc.Remove([]byte(commented), strings.Split(path, ".")); found || err != nil || string(got) != commented {
			t.Errorf("%s: %v %v\n%s", path, found, err, got)
		}
	}
	if _, _, err := jsonc.Remove([]byte(`{"a"`), []string{"a"}); err == nil {
		t.Error("what is no JSON is taken")
	}
}

// value reads a file as encoding/json does.
func value(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := jsonc.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return v
}

// Whatever the file, what is set is there afterwards, nothing else changed, and what is
// removed is gone; comments of a file stay when a value is set.
func FuzzEdit(f *testing.F) {
	for _, s := range []string{commented, "", "{}", `{"a": null}`, `{"a":{"b":1,},}`, "{\n// x\n}", "{\r\n\"b\":\r\n2\r\n}", `{"a":1,"a":{"b":2}}`, "{/*,*/\"a\"/*}*/:/*{*/1/*\n*/,}", "{\"x\":[{\"a\":1,}],\n \"y\": \"//\"//\n}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var before map[string]any
		if len(in) > 1<<12 || strings.TrimSpace(in) != "" && (jsonc.Unmarshal([]byte(in), &before) != nil || before == nil) {
			return
		}
		for _, path := range [][]string{{"a"}, {"a", "b"}} {
			set, err := jsonc.Set([]byte(in), path, []string{"new"})
			if err != nil {
				if len(path) == 1 {
					t.Fatalf("%v: %q", err, in)
				}
				continue
			}
			after := value(t, set)
			want := reflect.DeepEqual(at(after, path), []any{"new"})
			if !want || !reflect.DeepEqual(without(after, path), without(copied(before), path)) {
				t.Fatalf("%q set at %v is %q", in, path, set)
			}
			if n, m := bytes.Count([]byte(in), []byte("//")), bytes.Count(set, []byte("//")); path[0] == "b" && m < n {
				t.Fatalf("a comment of %q is gone: %q", in, set)
			}
			rest, found, err := jsonc.Remove(set, path)
			if err != nil || !found || at(value(t, rest), path) != nil || !reflect.DeepEqual(without(value(t, rest), path), without(copied(before), path)) {
				t.Fatalf("%v removed from %q is %q, %v", path, set, rest, err)
			}
		}
	})
}

func at(v map[string]any, path []string) any {
	for _, name := range path[:len(path)-1] {
		v, _ = v[name].(map[string]any)
	}
	return v[path[len(path)-1]]
}

// without is v less path, and less the object of it when nothing else is in it.
func without(v map[string]any, path []string) map[string]any {
	if len(path) == 1 {
		delete(v, path[0])
		return v
	}
	inner, ok := v[path[0]].(map[string]any)
	if ok {
		delete(inner, path[1])
	}
	if len(inner) == 0 {
		delete(v, path[0])
	}
	return v
}

func copied(v map[string]any) map[string]any {
	text, _ := json.Marshal(v)
	if v == nil {
		text = []byte("{}")
	}
	c := map[string]any{}
	_ = json.Unmarshal(text, &c)
	return c
}
