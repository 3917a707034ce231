package model_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"overturn/model"
)

// A word that is shown to be typed is read by a shell as that very word, and by nothing
// else; one that needs no quotes has none.
func FuzzShellWord(f *testing.F) {
	for _, word := range []string{"", "a/b.c", "a b", "it's", "$x", "$(touch y)", "`id`", "-x", "~", "#", "a;b", "*", "é", "a\\b", "'", "\t", "!!"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if _, err := model.ParseThreadID(word); err != nil && word != "" {
			return // no word of a command line
		}
		out, err := exec.Command("sh", "-c", "printf %s "+model.ShellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q is shown as %s, which is %q: %v", word, model.ShellWord(word), out, err)
		}
	})
}

func TestPlainWordsHaveNoQuotes(t *testing.T) {
	for word, want := range map[string]string{"a/b.c": "a/b.c", "th@tree-1": "th@tree-1", "a b": "'a b'", "it's": `'it'\''s'`, "": "''"} {
		if got := model.ShellWord(word); got != want {
			t.Errorf("%q is shown as %s, want %s", word, got, want)
		}
	}
}

// TestGlobSafe: a folder's name that looks like a pattern matches itself alone.
func TestGlobSafe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `a[b]*?\c`)
	if ok, err := filepath.Match(model.GlobSafe(dir), dir); err != nil || !ok {
		t.Errorf("%q is no match of %q: %v", dir, model.GlobSafe(dir), err)
	}
}
