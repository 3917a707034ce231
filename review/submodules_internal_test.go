package review

import (
	"strings"
	"testing"
)

func FuzzDirtySubmodule(f *testing.F) {
	const rest = " 160000 160000 160000 0123456789012345678901234567890123456789 0123456789012345678901234567890123456789 "
	for record, want := range map[string]bool{
		"1 .M S.M." + rest + "a b": true, "1 .M S..U" + rest + "sub": true, "1 .M SCMU" + rest + "sub": true,
		"1 .M SC.." + rest + "sub": false, "1 .M N..." + rest + "file": false, "? sub": false, "": false,
		"u UU S.M." + rest + "sub": false, "1 .M S.M. 160000": false,
	} {
		if _, got := dirtySubmodule(record); got != want {
			f.Errorf("%q: %v", record, got)
		}
		f.Add(record)
	}
	f.Fuzz(func(t *testing.T, record string) {
		if p, ok := dirtySubmodule(record); ok && !strings.HasSuffix(record, string(p)) {
			t.Errorf("%q gives path %q", record, p)
		}
	})
}
