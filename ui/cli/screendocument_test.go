package cli

import (
	"fmt"
	"testing"

	"overturn/model"
	"overturn/review"
	"overturn/review/patch"
	"overturn/ui/view"
)

// What a reader should know before the lines stands above them.
func TestTextRemarks(t *testing.T) {
	for _, c := range []struct{ name, old, now, want string }{
		{"nothing to say", "a\n", "b\n", "[] []"},
		{"line ends", "a\nb\n", "a\r\nb\r\n", "[line ends: LF → CRLF] []"},
		{"line ends that were mixed already", "a\nb\r\n", "a\nc\r\n", "[line ends: mixed] []"},
		{"line ends of a new file", "", "a\nb\r\n", "[line ends: mixed] []"},
		{"one line without an end", "a", "a\n", "[line feed at the end added] []"},
		{"no end any more", "a\nb\n", "a\nb", "[no line feed at the end any more] []"},
		{"a new file without an end", "", "a", "[] []"},
		{"a mark", "a\n", "\ufeffa\n", "[byte order mark added] []"},
		{"no mark any more", "\ufeffa\n", "a\n", "[byte order mark removed] []"},
		{"an emptied file had a mark", "\ufeffa\n", "", "[] []"},
		{"a merge", "a\n", "<<<<<<< x\na\n=======\nb\n>>>>>>> y\n", "[] [conflict markers in lines 1–5]"},
		{"bidi", "a\nb\n", "a\nb\u202e\n", "[] [in added lines: 1 bidi mark (line 2)]"},
		{"bidi that was there", "a\u202e\nb\n", "a\u202e\nc\n", "[] []"},
	} {
		doc := &view.Document{}
		textRemarks(doc, patch.Compare([]byte(c.old), []byte(c.now), patch.Options{}))
		if got := fmt.Sprint(doc.Header, " ", doc.Alarms); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if merge := len(c.now) > 7 && c.now[:7] == "<<<<<<<"; merge != (doc.Marker != nil) {
			t.Errorf("%s: markers are known: %v", c.name, doc.Marker != nil)
		}
	}
}

func TestBinaryWords(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x40\x00\x00\x00\x20"
	for _, c := range []struct{ old, now, want string }{
		{"a\x00", "b\x00", "binary, 2 → 2 bytes"},
		{"a\x00", "b\x00c", "binary, 2 → 3 bytes (+1)"},
		{png, png + "x", "binary, PNG image 64×32, 24 → 25 bytes (+1)"},
		{png, "PK\x03\x04", "binary, PNG image 64×32 → zip archive, 24 → 4 bytes (-20)"},
		{"a\x00", png, "binary, bytes → PNG image 64×32, 2 → 24 bytes (+22)"},
		{"", png, "binary, PNG image 64×32, 24 bytes"},
		{png, "", "binary, PNG image 64×32, 24 bytes"},
	} {
		if got := binaryWords([]byte(c.old), []byte(c.now)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestHeaderLines(t *testing.T) {
	file := func(kind model.Kind, mode string) review.Entry { return review.Entry{Kind: kind, Mode: mode} }
	for _, c := range []struct {
		file review.File
		want string
	}{
		{review.File{Old: file(model.KindFile, "100644"), New: file(model.KindFile, "100755")}, "[mode 100644 → 100755, made executable]"},
		{review.File{Old: file(model.KindFile, "100755"), New: file(model.KindFile, "100600")}, "[mode 100755 → 100600, no longer executable]"},
		{review.File{Old: file(model.KindFile, "100644"), New: file(model.KindFile, "100600")}, "[mode 100644 → 100600]"},
		{review.File{OldPath: "a b", Similarity: 100, Old: file(model.KindFile, "100644"), New: file(model.KindFile, "100644")}, "[renamed from a b]"},
		{review.File{OldPath: "a\n", Similarity: 71, Old: file(model.KindFile, "100644"), New: file(model.KindFile, "100644")}, `[renamed from "a\n", 71 % alike]`},
		{review.File{Old: file(model.KindFile, "100644"), New: file(model.KindLink, "120000")}, "[was a file, is a link]"},
	} {
		if got := fmt.Sprint(headerLines(&c.file)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
