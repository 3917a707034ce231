package snapshot

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

func FuzzParseListing(f *testing.F) {
	one := "100644 257cc5642cb1a054f08cc83f2d943e56fd3ebe99 0\tp\x00  ctime: 1:2\n  mtime: 3:4\n  dev: 5\tino: 6\n  uid: 7\tgid: 8\n  size: 9\tflags: 40000000\n"
	f.Add([]byte(one))
	f.Add([]byte(one + one))
	f.Add([]byte(one[:30]))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		err := parseListing(bytes.Clone(data), func(e *indexEntry) error {
			if len(e.path) == 0 || e.stage > 3 {
				t.Fatalf("entry %+v", e)
			}
			n++
			return nil
		})
		if err == nil && n == 0 && len(data) > 0 {
			t.Fatal("something was read as nothing")
		}
	})
}

func TestParseListing(t *testing.T) {
	var got []indexEntry
	err := parseListing([]byte("100755 257cc5642cb1a054f08cc83f2d943e56fd3ebe99 2\ta\tb\n\x00  ctime: 1:2\n  mtime: 3:4\n  dev: 5\tino: 6\n  uid: 7\tgid: 8\n  size: 9\tflags: 60002000\n"), func(e *indexEntry) error {
		got = append(got, *e)
		return nil
	})
	if err != nil || len(got) != 1 {
		t.Fatal(err, got)
	}
	e := got[0]
	if string(e.path) != "a\tb\n" || e.stage != 2 || e.mode != 0o100755 || e.stat.ctime != 1_000_000_002 || e.stat.mtime != 3_000_000_004 || e.stat.ino != 6 || e.stat.size != 9 || e.flags&indexSkip == 0 || e.flags&indexIntent == 0 || e.oid[0] != 0x25 {
		t.Fatalf("%+v", e)
	}
}

func FuzzParseBare(f *testing.F) {
	one := "S 100644 257cc5642cb1a054f08cc83f2d943e56fd3ebe99 0\tp\x00"
	f.Add([]byte(one))
	f.Add([]byte("h" + one[1:] + one))
	f.Add([]byte(one[:30]))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		err := parseBare(bytes.Clone(data), func(e *indexEntry) error {
			if len(e.path) == 0 || e.stage > 3 || e.flags&^indexSkip != 0 {
				t.Fatalf("entry %+v", e)
			}
			n++
			return nil
		})
		if err == nil && n == 0 && len(data) > 0 {
			t.Fatal("something was read as nothing")
		}
	})
}

func FuzzParseIgnored(f *testing.F) {
	f.Add([]byte(".gitignore\x001\x00*.log\x00./a\x00\x00\x00\x00./b\x00"), "a", "b")
	f.Add([]byte(".gitignore\x001\x00!x\x00./a\x00"), "a", "b")
	f.Fuzz(func(t *testing.T, data []byte, a, b string) {
		out := make([]verdict, 2)
		if n, err := parseIgnored(data, []string{a, b}, out); n > 2 || n < 0 || err == nil && n == 2 && len(data) < 8 {
			t.Fatalf("%d answers, %v", n, err)
		}
	})
}

func TestParseIgnored(t *testing.T) {
	out := make([]verdict, 3)
	n, err := parseIgnored([]byte("f\x001\x00*\x00./a\x00\x00\x00\x00./b\x00f\x002\x00!c\x00./c\x00"), []string{"a", "b", "c"}, out)
	if n != 3 || err != nil || out[0] != ignored || out[1] != free || out[2] != free {
		t.Fatal(n, err, out)
	}
	if n, err := parseIgnored([]byte("f\x001\x00*\x00./a\x00half"), []string{"a", "b"}, out); n != 1 || err != nil {
		t.Fatal("half an answer:", n, err)
	}
	if _, err := parseIgnored([]byte("f\x001\x00*\x00./z\x00"), []string{"a"}, out); err == nil {
		t.Fatal("an answer for another name was taken")
	}
}

func FuzzParseAttrs(f *testing.F) {
	row := ""
	for _, name := range attrNames() {
		row += "p\x00" + name + "\x00unspecified\x00"
	}
	f.Add([]byte(row))
	f.Add([]byte(row[:20]))
	f.Fuzz(func(t *testing.T, data []byte) {
		_ = parseAttrs(data, func(values []string) {
			if len(values) != len(attrNames()) {
				t.Fatal(values)
			}
		})
	})
}

// aligned copies data to memory that records may lie in.
func aligned(data []byte) []byte {
	words := make([]uint64, len(data)/8+1)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:len(data)]
	copy(b, data)
	return b
}

func sample(t testing.TB) []byte {
	tab := newTable()
	d := tab.newDir(0, "dir", 0)
	e := tab.newEntry("dir", typeDir)
	e.dir = d
	file := tab.newEntry("file", typeFile|0o644)
	tab.raws = []oid{{9}, {1, 2, 3}}
	file.raw, file.flags = 2, fIn|fRaw
	tab.setEntries(0, []entry{e})
	tab.setEntries(d, []entry{file})
	return bytes.Join(tab.encode(20, "anchor"), nil)
}

func TestTableComesBack(t *testing.T) {
	data := sample(t)
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	tab, err := loadTable(path, 20)
	if err != nil {
		t.Fatal(err)
	}
	defer tab.close()
	d, ok := tab.dirOf("dir")
	if !ok || tab.find(0, "dir", true) != 0 || tab.find(d, "file", false) != 0 || tab.anchor != "anchor" || *tab.raw(&tab.dirs[d].ents[0]) != (oid{1, 2, 3}) {
		t.Fatalf("%+v", tab)
	}
	long := strings.Repeat("a1", 32)
	if err := tab.saveAnchor(long); err != nil {
		t.Fatal(err)
	}
	again, err := loadTable(path, 20)
	if err != nil || again.anchor != long {
		t.Fatal(err, again)
	}
	again.close()
	if _, err := loadTable(path, 32); err == nil {
		t.Fatal("a table of other ids was taken")
	}
}

// TestFlagsThatNoTableHas: what is true during one capture alone is never written, so that
// a table which says it is damaged: a folder that is gone would take its files along.
func TestFlagsThatNoTableHas(t *testing.T) {
	for what, damage := range map[string]func(dirs []fileDir, ents []entry){
		"a folder is gone":       func(dirs []fileDir, _ []entry) { dirs[1].flags |= dGone },
		"the root is gone":       func(dirs []fileDir, _ []entry) { dirs[0].flags |= dGone },
		"a folder is queued":     func(dirs []fileDir, _ []entry) { dirs[1].flags |= dQueued },
		"a folder is dirty":      func(dirs []fileDir, _ []entry) { dirs[1].flags |= dDirty },
		"a file is to be read":   func(_ []fileDir, ents []entry) { ents[1].flags |= fTodo },
		"a file was there":       func(_ []fileDir, ents []entry) { ents[1].flags |= fWas },
		"a file has no size yet": func(_ []fileDir, ents []entry) { ents[1].flags |= fUnsized },
		"":                       func([]fileDir, []entry) {},
	} {
		data := aligned(sample(t))
		heads, body, _ := recordsOf[fileHeader](data, 1)
		dirs, rest, _ := recordsOf[fileDir](body, int(heads[0].dirs))
		ents, _, _ := recordsOf[entry](rest, int(heads[0].ents))
		damage(dirs, ents)
		heads[0].crc = checksum(body)
		if _, err := parseTable(data, 20); (err == nil) != (what == "") {
			t.Errorf("%q: %v", what, err)
		}
	}
}

// FuzzParseTable gives damaged tables a right checksum, so that the records
// themselves are looked at.
func FuzzParseTable(f *testing.F) {
	data := sample(f)
	for _, at := range []int{8, 12, 100, 130, 150, 170, 300, 350} {
		f.Add(data, at, byte(0xff))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte) {
		b := aligned(data)
		if len(b) < int(unsafe.Sizeof(fileHeader{})) {
			return
		}
		if at >= 0 && at < len(b) {
			b[at] ^= flip
		}
		head := (*fileHeader)(unsafe.Pointer(&b[0]))
		head.crc = checksum(b[unsafe.Sizeof(fileHeader{}):])
		tab, err := parseTable(b, 20)
		if err != nil {
			return
		}
		for d := range tab.dirs {
			for k := range tab.dirs[d].ents {
				_ = tab.name(&tab.dirs[d].ents[k])
			}
		}
		again, err := parseTable(bytes.Join(tab.encode(20, ""), nil), 20)
		if err != nil || !reflect.DeepEqual(again.aux, tab.aux) {
			t.Fatalf("the table came back as %+v, not as %+v (%v)", again, tab.aux, err)
		}
	})
}

func FuzzParseMessage(f *testing.F) {
	f.Add("overturn: x\n\nOverturn-Thread: t\nOverturn-Turn: 3\nOverturn-Boundary: end\nOther: y\n")
	f.Add("no trailers")
	f.Fuzz(func(t *testing.T, message string) {
		var s Stored
		if s.parseMessage(message) == nil && s.Trailers.Boundary == "" {
			t.Fatal("a snapshot without a boundary")
		}
	})
}

func FuzzLineEnds(f *testing.F) {
	f.Add([]byte("a\r\nb\n"), byte(convAuto))
	f.Add([]byte("a\r\x00"), byte(convText))
	f.Fuzz(func(t *testing.T, data []byte, kind byte) {
		v := []conversion{convText, convAuto}[kind%2]
		clean := v.cleanEOL(data, func() []byte { return nil })
		if again := v.cleanEOL(clean, func() []byte { return nil }); len(clean) > len(data) || len(again) > len(clean) {
			t.Fatal("cleaning makes nothing longer")
		}
		if (len(clean) == len(data)) != bytes.Equal(clean, data) {
			t.Fatal("the length does not tell what was cleaned")
		}
	})
}

func TestRefusedNames(t *testing.T) {
	for name, want := range map[string]bool{".git": true, ".GIT": true, ".git.": true, ".git ": true, ".git:x": true, `.git\x`: true, "git~1": true, "GIT~1 .": true,
		".gitignore": false, ".github": false, "git": false, ".gi": false, "git~2": false, ".gitx": false, ".git x": false} {
		if refusedName(name, typeFile) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if !refusedName(".gitmodules", typeLink) || refusedName(".gitmodules", typeFile) {
		t.Error(".gitmodules")
	}
}
