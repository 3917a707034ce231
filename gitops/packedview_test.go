package gitops_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
)

// longPacked is a packed-refs file that is longer than is read at once, and the refs in
// it: some are peeled, some names are long, and folders of every size follow each other.
func longPacked(head string, id byte) (text string, names []string) {
	var b strings.Builder
	b.WriteString(head)
	for folder := range 60 {
		for i := range folder * folder % 97 {
			name := fmt.Sprintf("refs/overturn/%02d/%03d", folder, i)
			if i%7 == 3 {
				name += "/" + strings.Repeat("long", folder*9)
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		fmt.Fprintf(&b, "%s %s\n", strings.Repeat(string(id), 40), name)
		if i%5 == 1 {
			fmt.Fprintf(&b, "^%s\n", strings.Repeat("9", 40))
		}
	}
	return b.String(), names
}

// looks is what all ways to look into a file find in it.
func looks(t *testing.T, p *gitops.Packed, names []string) (found []string) {
	t.Helper()
	for _, name := range names {
		for _, ask := range []string{name, name + "x", name[:len(name)-1]} {
			oid, err := gitops.LookupPacked(p, ask)
			found = append(found, fmt.Sprint(ask, oid, err))
		}
	}
	for _, prefix := range []string{"refs/", "refs/overturn/07/", "refs/overturn/40/0", "refs/overturn/59/", "refs/overturn/60/", "refs/a/"} {
		err := gitops.PackedBelow(p, prefix, func(name, oid string) bool {
			found = append(found, prefix+name+oid)
			return true
		})
		if strings.HasSuffix(prefix, "/") {
			err = fmt.Errorf("%v %v", err, gitops.PackedParts(p, prefix, func(part string) { found = append(found, prefix+part) }))
		}
		found = append(found, fmt.Sprint(err))
	}
	return found
}

const sortedHead = "# pack-refs with: peeled fully-peeled sorted \n"

// TestLongPackedRefs: a file that is read where it is looked at says the same as one that
// is read at once, and as it stood when it was opened, whatever took its name since.
func TestLongPackedRefs(t *testing.T) {
	for _, head := range []string{sortedHead, "", "# pack-refs with: peeled \n"} {
		r := gittest.New(t, gittest.Unchecked())
		repo := r.Open()
		text, names := longPacked(head, '1')
		if len(text) < 100<<10 {
			t.Fatalf("%d bytes are not long", len(text))
		}
		r.Write(".git/packed-refs", text)
		lazy, err := repo.PackedRefsData()
		if err != nil {
			t.Fatal(err)
		}
		other, _ := longPacked(head, '2')
		r.Write("other", other)
		if runtime.GOOS != "windows" { // what is open there cannot be replaced
			if err := os.Rename(r.Path("other"), r.Path(".git/packed-refs")); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := looks(t, lazy, names), looks(t, gitops.PackedOf([]byte(text)), names); !slices.Equal(got, want) {
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%q: it finds %q, want %q", head, got[i], want[i])
				}
			}
		}
		if data, err := lazy.Bytes(); err != nil || string(data) != text {
			t.Errorf("%q: all of it is %d bytes, %v", head, len(data), err)
		}
	}
}

// TestLongPackedRefsCutShort: what cannot be read is an error, and no ref that is not there.
func TestLongPackedRefsCutShort(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // read at once
	}
	r := gittest.New(t, gittest.Unchecked())
	repo := r.Open()
	text, names := longPacked(sortedHead, '1')
	r.Write(".git/packed-refs", text)
	p, err := repo.PackedRefsData()
	if err == nil {
		err = os.Truncate(r.Path(".git/packed-refs"), int64(len(sortedHead)))
	}
	if err != nil {
		t.Fatal(err)
	}
	last := names[len(names)-1]
	if oid, err := gitops.LookupPacked(p, last); err == nil {
		t.Errorf("a ref is %q", oid)
	}
	if err := gitops.PackedBelow(p, last, func(string, string) bool { return true }); err == nil {
		t.Error("refs are listed")
	}
	if err := gitops.PackedParts(p, "refs/overturn/", func(string) {}); err == nil {
		t.Error("folders are listed")
	}
	if _, err := p.Bytes(); err == nil {
		t.Error("all of it is read")
	}
}
