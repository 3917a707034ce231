package patch

import "testing"

// TestParseRefusesOtherTexts: what is cut short or in another format is an error,
// never an empty list.
func TestParseRefusesOtherTexts(t *testing.T) {
	ids := "index 1111111111111111111111111111111111111111..2222222222222222222222222222222222222222 100644\n"
	file := "diff --git a/x b/x\n" + ids + "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	if files, err := Parse([]byte("# now file 100644 2 ab after file 100644 2 cd path x\n" + file + file)); err != nil || len(files) != 2 {
		t.Fatalf("%+v, %v", files, err)
	}
	for name, text := range map[string]string{
		"plain words":     "this is no patch\n",
		"unified diff":    "--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n",
		"context diff":    "*** x\n--- x\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
		"combined diff":   "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n++b\n",
		"ed script":       "1c\nb\n.\n",
		"coloured":        "\x1b[1mdiff --git a/x b/x\x1b[m\n",
		"svn":             "Index: x\n=====\n--- x\n+++ x\n",
		"cut in a name":   "diff --git a/x",
		"cut after names": "diff --git a/x b/x\n",
		"cut after ids":   "diff --git a/x b/x\n" + ids,
		"cut before hunk": "diff --git a/x b/x\n" + ids + "--- a/x\n+++ b/x\n",
		"cut in a hunk":   file[:len(file)-3],
		"row too many":    file + "+c\n",
		"cut, then more":  "diff --git a/y b/y\n" + ids + file,
		"after a file":    file + "words\n",
	} {
		if files, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s was read as %+v", name, files)
		}
	}
	for name, text := range map[string]string{
		"nothing at all":    "",
		"targets alone":     "# now absent - 0 - after absent - 0 - path x\n",
		"an empty file":     "diff --git a/x b/x\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n",
		"a mode":            "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
		"a rename as it is": "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
		"a binary":          "diff --git a/x b/x\n" + ids + "Binary files a/x and b/x differ\n",
	} {
		if _, err := Parse([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
