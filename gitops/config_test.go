package gitops

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	out := "file:.git/config\x00core.bare\nfalse\x00file:/h/.gitconfig\x00alias.x\nline one\nline two\x00command line:\x00a.flag\x00"
	got, err := parseConfig([]byte(out))
	want := []configEntry{{"file:.git/config", "core.bare", "false"}, {"file:/h/.gitconfig", "alias.x", "line one\nline two"}, {"command line:", "a.flag", "true"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for _, cut := range []string{"file:x", "file:x\x00", "file:x\x00key\nvalue", "file:x\x00\nvalue\x00"} {
		if got, err := parseConfig([]byte(cut)); err == nil {
			t.Errorf("%q gives %q", cut, got)
		}
	}
}

func TestSecret(t *testing.T) {
	for key, want := range map[string]bool{"http.https://x.extraheader": true, "credential.helper": true, "url.https://u:p@x/.insteadof": true,
		"remote.origin.url": true, "remote.a.b.pushurl": true, "remote.origin.fetch": false, "remote.pushdefault": false, "branch.main.merge": false,
		"my.apiToken": false, "my.apitoken": true, "core.autocrlf": false} {
		if secret(key) != want {
			t.Errorf("%s: %v", key, !want)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for words, want := range map[string][2]int{"git version 2.39.5": {2, 39}, "git version 2.31.GIT": {2, 31}, "git version 2.50.1 (Apple Git-155)": {2, 50}, "git version 3.0.0.rc1": {3, 0}} {
		if major, minor, ok := parseVersion(words); !ok || [2]int{major, minor} != want {
			t.Errorf("%s: %d.%d %v", words, major, minor, ok)
		}
	}
	for _, words := range []string{"", "git version", "git version x.y", "version 2.39.5", "git version 2"} {
		if _, _, ok := parseVersion(words); ok {
			t.Errorf("%q is a version", words)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("file:.git/config\x00core.bare\nfalse\x00"))
	f.Add([]byte("file:a\x00x.y\x00file:b\x00z.w\n\n\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		entries, err := parseConfig(out)
		if err != nil {
			return
		}
		var again strings.Builder
		for _, e := range entries {
			if e.Key == "" || strings.Contains(e.Key, "\n") {
				t.Errorf("key %q", e.Key)
			}
			again.WriteString(e.Origin + "\x00" + e.Key + "\n" + e.Value + "\x00")
		}
		twice, err := parseConfig([]byte(again.String()))
		if err != nil || !reflect.DeepEqual(entries, twice) {
			t.Errorf("%q is read as %q", out, entries)
		}
		effective(entries)
	})
}

func FuzzFacts(f *testing.F) {
	whole, err := (&facts{Version: factsVersion, Root: "/r\xff", GitDir: "/r/.git", Config: []text{"a.b", "c"}, Files: []stamp{{Path: "x", Absent: true}}}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte("{\"version\":1}\n00000000\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := decodeFacts(data)
		if got == nil {
			return
		}
		again, err := got.encode()
		if err != nil || !reflect.DeepEqual(decodeFacts(again), got) {
			t.Errorf("%q does not come back: %v", data, err)
		}
	})
}

func TestFactsComeBackToTheByte(t *testing.T) {
	want := &facts{Version: factsVersion, Root: "/r\xff\n", Top: text(textMark), Config: []text{"k\xfe", "v\x00"}, Files: []stamp{{Path: "p\xff", Ino: 1<<64 - 1}}}
	data, err := want.encode()
	if got := decodeFacts(data); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}
