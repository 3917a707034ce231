package cli

import (
	"testing"

	"overturn/model"
	"overturn/review"
	"overturn/review/marks"
	"overturn/review/patch"
)

// A file that was made executable after its lines were read is not read, in any scope
// that shows it so.
func TestAModeIsReadWithTheLines(t *testing.T) {
	file := func(mode string) review.Entry { return review.Entry{Kind: model.KindFile, Mode: mode} }
	absent := review.Entry{Kind: model.KindAbsent, Mode: model.Absent().Mode}
	d := patch.Compare([]byte("a\n"), []byte("b\n"), patch.Options{})
	of := func(old, now review.Entry) part {
		return parts(&review.File{Path: "s.sh", Old: old, New: now}, d)[0]
	}
	for _, c := range []struct {
		name     string
		was, now part
		same     bool
	}{
		{"made executable", of(file("100644"), file("100644")), of(file("100644"), file("100755")), false},
		{"made executable in a new file", of(absent, file("100644")), of(absent, file("100755")), false},
		{"ceased to be", of(file("100755"), file("100755")), of(file("100755"), file("100600")), false},
		{"bits that git does not know", of(file("100644"), file("100644")), of(file("100644"), file("100600")), true},
		{"another scope", of(file("100644"), file("100755")), of(absent, file("100744")), true},
		{"deleted", of(file("100755"), absent), of(file("100644"), absent), true},
	} {
		known := map[marks.Change]bool{}
		for _, m := range c.was.changes {
			known[m] = true
		}
		all := true
		for _, m := range c.now.changes {
			all = all && known[m]
		}
		if all != c.same {
			t.Errorf("%s: read is %t, want %t", c.name, all, c.same)
		}
	}
}
