package doctor

import "testing"

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1.0 KiB", 1536: "1.5 KiB", 5 << 20: "5.0 MiB", 3 << 40: "3.0 TiB", 1<<63 - 1: "8.0 EiB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) is %q, want %q", n, got, want)
		}
	}
	if got := some([]string{"a", "b", "c", "d", "e", "f", "g"}); got != "a, b, c, d, e and 2 more" {
		t.Errorf("some: %q", got)
	}
}

// TestCoversOwn: which refspecs of a push send overturn's refs.
func TestCoversOwn(t *testing.T) {
	for spec, want := range map[string]bool{
		"refs/*:refs/*": true, "+refs/*:refs/*": true, "refs/overturn/*:refs/overturn/*": true, "refs/over*:x/*": true, "*:*": true,
		"refs/overturn/safety/x": true, "refs/heads/*:refs/heads/*": false, "HEAD": false, "main": false, "refs/tags/*": false, ":": false,
		"refs/heads/refs/overturn/*": false,
	} {
		if got := coversOwn(spec); got != want {
			t.Errorf("%q: %t", spec, got)
		}
	}
}
