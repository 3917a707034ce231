package objects

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"overturn/gitops"
)

func FuzzTree(f *testing.F) {
	id := bytes.Repeat([]byte{0xab}, 20)
	f.Add(append([]byte("100644 a\x00"), id...), append([]byte("40000 a\x00"), id...))
	f.Add([]byte("100644 a\x00short"), []byte("7777777 x\x00"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		entries, err := parseTree(a, 20)
		if err == nil {
			if again, err := encodeTree(entries, 20); err == nil {
				if twice, err := parseTree(again, 20); err != nil || len(twice) != len(entries) {
					t.Errorf("%v comes back as %v", entries, twice)
				}
			}
		}
		for i, x := range entries { // the order is one: a comparison of trees ends
			for _, y := range entries[i:] {
				p, q := &treeItem{mode: x.Mode, name: []byte(x.Name)}, &treeItem{mode: y.Mode, name: []byte(y.Name)}
				if compareItems(p, q) != -compareItems(q, p) && compareItems(p, q)*compareItems(q, p) >= 0 {
					t.Errorf("%q and %q have no order", x.Name, y.Name)
				}
			}
		}
		s := &Store{repo: &gitops.Repo{ObjectFormat: "sha1"}, pending: map[string]*pendingObject{}, dirs: []*objectDir{}}
		one, two := s.hold(TypeTree, a), s.hold(TypeTree, b)
		_ = s.DiffFunc(context.Background(), one, two, func(c TreeChange) error {
			if c.OldMode == c.NewMode && c.OldOID == c.NewOID {
				t.Errorf("%+v is no change", c)
			}
			return nil
		})
	})
}

// hold makes an object readable without storing it.
func (s *Store) hold(typ string, data []byte) string {
	oid := s.Hash(typ, data)
	s.pending[oid] = &pendingObject{oid: oid, typ: typ, size: int64(len(data)), data: append([]byte{}, data...)}
	return oid
}

func FuzzCommit(f *testing.F) {
	f.Add([]byte("tree 1\nparent 2\nauthor A <a@b> 1 +0100\ncommitter B <> -5 -0030\ngpgsig x\n y\n\nmessage\n"))
	f.Add([]byte("tree 1\nauthor <<>> 99999999999999999999 +9999\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCommit(data)
		if err != nil {
			return
		}
		again, err := parseCommit(encodeCommit(c))
		if err != nil || again.Tree != c.Tree || again.Message != c.Message || !reflect.DeepEqual(again.Parents, c.Parents) ||
			again.Author.When.Unix() != max(c.Author.When.Unix(), 0) {
			t.Errorf("%+v comes back as %+v, %v", c, again, err)
		}
	})
}

func TestSignatureZones(t *testing.T) {
	for text, want := range map[string]string{
		"A <a@b> 1600000000 +0530": "A <a@b> 1600000000 +0530", "A <a@b> 1600000000 -0030": "A <a@b> 1600000000 -0030",
		" A B  <> 0 +0000": "A B <> 0 +0000", "x <y> broken": "x <y> 0 +0000",
	} {
		sig, err := parseSignature(text)
		if err != nil || sig.encode() != want {
			t.Errorf("%q: %q, %v", text, sig.encode(), err)
		}
	}
	if got := (Signature{Name: "a<b>\nc", When: time.Unix(5, 0).UTC()}).encode(); got != "abc <> 5 +0000" {
		t.Errorf("%q", got)
	}
}

// indexOf is the .idx of objects whose ids begin with the given bytes.
func indexOf(first []byte, offset int64) []byte {
	p := &packWriter{store: &Store{repo: &gitops.Repo{ObjectFormat: "sha1"}}}
	for i, b := range first {
		raw := bytes.Repeat([]byte{b}, 20)
		p.entries = append(p.entries, packEntry{raw, uint32(i), offset + int64(i)})
	}
	return p.index(bytes.Repeat([]byte{1}, 20))
}

func TestIndex(t *testing.T) {
	first := []byte{0, 1, 7, 0xff}
	for _, offset := range []int64{12, 1<<31 - 2, 1 << 40} {
		x, err := newIndex(indexOf(first, offset), 20)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range first {
			at, found, err := x.find(bytes.Repeat([]byte{b}, 20))
			if !found || err != nil || at != offset+int64(i) {
				t.Errorf("%x: %d, %v, %v", b, at, found, err)
			}
		}
		for _, b := range []byte{2, 6, 0xfe} {
			if _, found, err := x.find(bytes.Repeat([]byte{b}, 20)); found || err != nil {
				t.Errorf("%x: %v, %v", b, found, err)
			}
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add(indexOf([]byte{0, 1, 7, 0xff}, 12), []byte{7})
	f.Add(indexOf([]byte{3}, 1<<40), []byte{3})
	f.Fuzz(func(t *testing.T, data, first []byte) {
		x, err := newIndex(data, 20)
		if err != nil || len(first) == 0 {
			return
		}
		if at, found, err := x.find(bytes.Repeat(first[:1], 20)); found && (err != nil || at < 0) {
			t.Errorf("offset %d, %v", at, err)
		}
	})
}

// FuzzPack reads from a pack of any bytes: an error or bytes, never a panic, and
// no memory on the word of a header.
func FuzzPack(f *testing.F) {
	whole := append(packHeader(1), 0x35)
	f.Add(append(whole, new(Store).deflate([]byte("hello"))...), int64(12))
	f.Add(append(packHeader(1), 0x6f, 0x80, 0x01, 0x78, 0x9c), int64(12))
	f.Fuzz(func(t *testing.T, data []byte, offset int64) {
		base := filepath.Join(t.TempDir(), "pack-x")
		if err := os.WriteFile(base+".pack", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(base+".idx", indexOf([]byte{1}, 12), 0o600); err != nil {
			t.Fatal(err)
		}
		p, s := &pack{base: base, hashSize: 20}, &Store{}
		defer p.retire()
		if _, _, err := p.find(bytes.Repeat([]byte{1}, 20)); err != nil {
			t.Fatal(err)
		}
		offset &= 1<<40 - 1
		_, _, _ = p.read(s, offset)
		_, _ = p.size(s, offset)
	})
}

func FuzzLooseHeader(f *testing.F) {
	f.Add([]byte("blob 5\x00hello"))
	f.Add([]byte("blob -1\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		typ, size, end, err := looseHeader(data)
		if err == nil && (size < 0 || !bytes.HasPrefix(data, []byte(typ+" ")) || data[end-1] != 0) {
			t.Errorf("%q: %q %d, content at %d", data, typ, size, end)
		}
	})
}

func TestDeltaLength(t *testing.T) {
	for in, want := range map[string]int64{"05": 5, "8001": 128, "ffffffff07": 1<<31 - 1} {
		raw, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if n, rest, ok := deltaLength(raw); !ok || n != want || len(rest) != 0 {
			t.Errorf("%s: %d, %v", in, n, ok)
		}
	}
	for _, in := range [][]byte{nil, {0x80}, bytes.Repeat([]byte{0xff}, 20)} {
		if n, _, ok := deltaLength(in); ok {
			t.Errorf("%x: %d", in, n)
		}
	}
}

func TestAlternatesFile(t *testing.T) {
	dir := t.TempDir()
	if names, odd := alternatesOf(dir); names != nil || odd {
		t.Errorf("absent: %v, %v", names, odd)
	}
	if err := os.MkdirAll(filepath.Join(dir, "info"), 0o755); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{"# x\n/abs\n\nrel/objects\n": fmt.Sprint([]string{"/abs", filepath.Join(dir, "rel/objects")}, false), "\"quo\\n\"\n": "[] true"} {
		if err := os.WriteFile(filepath.Join(dir, "info/alternates"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if names, odd := alternatesOf(dir); fmt.Sprint(names, odd) != want {
			t.Errorf("%q: %v %v", content, names, odd)
		}
	}
}
