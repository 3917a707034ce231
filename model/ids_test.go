package model_test

import (
	"strings"
	"testing"

	"overturn/model"
)

// Each id that is taken has one name in refs, which leads back to it and is a legal
// part of a ref's name (git check-ref-format); what is not taken has none (O-08).
func FuzzThreadID(f *testing.F) {
	for _, id := range []string{"", "T", "..", "a..b", "x@{1}", "t.lock", "two words", "🙂", "é", "e\u0301", "\xff", "a\x00b", "~^:?*[\\", strings.Repeat("x", 180), strings.Repeat("x", 181)} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := model.ParseThreadID(text)
		if err != nil {
			if model.CodeOf(err) != model.CodeUsage {
				t.Errorf("%q: %v", text, err)
			}
			if back, err := model.ThreadFromRefPart(model.ThreadID(text).RefPart()); err == nil {
				t.Errorf("%q is refused, and its name in refs is not: %q", text, back)
			}
			return
		}
		part := id.RefPart()
		if back, err := model.ThreadFromRefPart(part); err != nil || back != id || string(id) != text {
			t.Errorf("%q comes back as %q: %v", text, back, err)
		}
		if part == "" || len(part)+len(".lock") > 255 || strings.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("%q is %q in refs", text, part)
		}
		for _, other := range []string{part + "=", part + "A", " " + part, part + "\n", strings.ReplaceAll(strings.ReplaceAll(part, "-", "+"), "_", "/")} {
			if back, err := model.ThreadFromRefPart(other); err == nil && back == id && other != part {
				t.Errorf("%q is another name of %q", other, id)
			}
		}
	})
}
