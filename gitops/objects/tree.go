package objects

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strings"

	"overturn/model"
)

var errTree = errors.New("the tree cannot be parsed")

// treeItem is one entry in place: name and id share the tree's bytes.
type treeItem struct {
	mode uint32
	name []byte
	id   []byte
}

// nextItem takes the first entry off data: mode in octal, space, name, NUL, raw id.
func nextItem(data []byte, hashSize int) (treeItem, []byte, error) {
	var it treeItem
	i := 0
	for ; i < len(data) && data[i] != ' '; i++ {
		if data[i] < '0' || data[i] > '7' || i > 6 {
			return it, nil, errTree
		}
		it.mode = it.mode<<3 | uint32(data[i]-'0')
	}
	if i == 0 || i >= len(data) {
		return it, nil, errTree
	}
	data = data[i+1:]
	end := bytes.IndexByte(data, 0)
	if end <= 0 || end+1+hashSize > len(data) {
		return it, nil, errTree
	}
	it.name, it.id = data[:end], data[end+1:end+1+hashSize]
	return it, data[end+1+hashSize:], nil
}

func parseTree(data []byte, hashSize int) ([]TreeEntry, error) {
	entries := make([]TreeEntry, 0, len(data)/(hashSize+20))
	for len(data) > 0 {
		it, rest, err := nextItem(data, hashSize)
		if err != nil {
			return nil, err
		}
		entries = append(entries, TreeEntry{it.mode, string(it.name), hex.EncodeToString(it.id)})
		data = rest
	}
	return entries, nil
}

// encodeTree puts entries in git's order, a folder as if its name ended in a
// slash, and refuses what git fsck would.
func encodeTree(entries []TreeEntry, hashSize int) ([]byte, error) {
	sorted := append([]TreeEntry(nil), entries...)
	sort.Slice(sorted, func(i, j int) bool { return sortName(sorted[i]) < sortName(sorted[j]) })
	seen := make(map[string]bool, len(sorted))
	var buf bytes.Buffer
	for _, e := range sorted {
		if err := checkEntry(e, hashSize); err != nil {
			return nil, err
		}
		if seen[e.Name] {
			return nil, model.Errorf(model.CodeFailed, "a tree would hold %q twice", e.Name)
		}
		seen[e.Name] = true
		fmt.Fprintf(&buf, "%o %s\x00", e.Mode, e.Name)
		raw, err := hex.DecodeString(e.OID)
		if err != nil {
			return nil, model.Failf(err, "tree entry %q has no object id", e.Name)
		}
		buf.Write(raw)
	}
	return buf.Bytes(), nil
}

func sortName(e TreeEntry) string {
	if e.IsTree() {
		return e.Name + "/"
	}
	return e.Name
}

func checkEntry(e TreeEntry, hashSize int) error {
	switch {
	case e.Name == "" || e.Name == "." || e.Name == ".." || strings.EqualFold(e.Name, ".git") || strings.ContainsAny(e.Name, "/\x00"):
		return model.Errorf(model.CodeFailed, "a tree cannot hold the name %q", e.Name)
	case len(e.OID) != 2*hashSize:
		return model.Errorf(model.CodeFailed, "tree entry %q has no object id", e.Name)
	}
	switch e.Mode {
	case ModeTree, ModeFile, ModeExec, ModeLink, ModeGitlink:
		return nil
	}
	return model.Errorf(model.CodeFailed, "a tree cannot hold %q with mode %o", e.Name, e.Mode)
}
