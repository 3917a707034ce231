package join_test

import (
	"errors"
	"slices"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/remotes/join"
)

// TestAFileOnEverySide: what each side has of one file ("" for none), and what is kept;
// a conflict is named.
func TestAFileOnEverySide(t *testing.T) {
	const conflict = "conflict"
	repo := gittest.New(t)
	store := objects.Open(repo.Open())
	t.Cleanup(func() { store.Close() })
	w := store.NewWriter()
	tree := func(name, text string) string {
		var entries []objects.TreeEntry
		if text != "" {
			oid, err := w.Write(objects.TypeBlob, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			entries = []objects.TreeEntry{{Mode: objects.ModeFile, Name: name, OID: oid}}
		}
		oid, err := w.WriteTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		return oid
	}
	for _, c := range []struct{ what, name, base, sent, ours, theirs, want string }{
		{"nobody changed it", "prompt.txt", "a", "a", "a", "a", "a"},
		{"only they", "prompt.txt", "a", "a", "a", "b", "b"},
		{"only we", "prompt.txt", "a", "b", "b", "a", "b"},
		{"only they, and let it go", "prompt.txt", "a", "a", "a", "", ""},
		{"only they made it", "x.json", "", "", "", "{}", "{}"},
		{"both, the same", "prompt.txt", "a", "b", "b", "b", "b"},
		{"both, text", "prompt.txt", "a", "b", "b", "c", conflict},
		{"both made it", "x.jsonl", "", "1\n", "1\n", "2\n", conflict},
		{"both, lines", "x.jsonl", "1\n", "1\n2\n", "1\n2\n", "1\n3\n", "1\n2\n3\n"},
		{"both, lines that were there", "x.jsonl", "1\n", "2\n", "2\n", "1\n3\n", conflict},
		{"both, members", "x.json", `{"a":1}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`, `{"a":1,"c":3}`, `{"a":1,"b":2,"c":3}` + "\n"},
		{"both, the same member", "x.json", `{"a":1}`, `{"a":2}`, `{"a":2}`, `{"a":3}`, conflict},
		// What was taken out of what left is still here.
		{"secret, nobody changed it", "prompt.txt", "[]", "[]", "s", "[]", "s"},
		{"secret, only they, lines", "x.jsonl", "[]\n", "[]\n", "s\n", "[]\n3\n", "s\n3\n"},
		{"secret, only they, members", "x.json", `{"p":"[]"}`, `{"p":"[]"}`, `{"p":"s"}`, `{"p":"[]","c":3}`, `{"c":3,"p":"s"}` + "\n"},
		{"secret, only they, text", "prompt.txt", "[]", "[]", "s", "[] more", conflict},
		{"secret, both", "x.jsonl", "[]\n", "[]\n2\n", "s\n2\n", "[]\n3\n", "s\n2\n3\n"},
	} {
		sides := join.Sides{Base: tree(c.name, c.base), Sent: tree(c.name, c.sent), Ours: tree(c.name, c.ours), Theirs: tree(c.name, c.theirs)}
		want := tree(c.name, c.want)
		if err := w.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := join.Trees(t.Context(), store, w, sides)
		var both *join.Conflict
		switch {
		case errors.As(err, &both):
			if c.want != conflict || !slices.Equal(both.Paths, []string{c.name}) {
				t.Errorf("%s: %v", c.what, err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.what, err)
		case got != want:
			t.Errorf("%s: joined as %s, want %s (%q)", c.what, got, want, c.want)
		}
	}
}
