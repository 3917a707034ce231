package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/model/wire"
)

// Names in the tree of the parentless parent.
const (
	besideIndex  = "index"       // tree of the user's index
	besideRaw    = "raw"         // the bytes on disk of converted files, by their paths
	besideMeta   = "meta.json"   // lists; the same lists are the same object
	besideTurned = "turned.json" // Turned, where it is not empty
	besideAttach = "attachments" // what the caller keeps with the snapshot
)

const (
	trailThread    = "Overturn-Thread"
	trailTurn      = "Overturn-Turn"
	trailBoundary  = "Overturn-Boundary"
	trailHead      = "Overturn-Head"
	trailBranch    = "Overturn-Branch"
	trailOperation = "Overturn-Operation"
	trailCaptured  = "Overturn-Captured-At"
)

// meta is besideMeta.
type meta struct {
	Schema    string          `json:"schema"`
	Inventory model.Inventory `json:"inventory"`
	LeftOut   []model.Noted   `json:"left_out,omitempty"`
	More      int             `json:"left_out_more,omitempty"`
	Notes     []model.Noted   `json:"notes,omitempty"`
	Unmerged  []stage         `json:"unmerged,omitempty"`
	Perm      []pathMode      `json:"perm,omitempty"`
	Empty     [][]byte        `json:"empty,omitempty"`
}

// encode writes m as encoding/json would; what is rare is left to it.
func (m *meta) encode() ([]byte, error) {
	var w wire.Writer
	w.Open("")
	w.Text("schema", m.Schema)
	m.Inventory.Write(&w, "inventory")
	if len(m.LeftOut) > 0 {
		model.WriteNoted(&w, "left_out", m.LeftOut)
	}
	w.IntIf("left_out_more", m.More)
	if len(m.Notes) > 0 {
		model.WriteNoted(&w, "notes", m.Notes)
	}
	var err error
	if len(m.Unmerged) > 0 {
		err = w.Any("unmerged", m.Unmerged)
	}
	if len(m.Perm) > 0 {
		err = errors.Join(err, w.Any("perm", m.Perm))
	}
	if len(m.Empty) > 0 {
		err = errors.Join(err, w.Any("empty", m.Empty))
	}
	w.Close()
	return w.Bytes(), err
}

// Paths here are base64 (as JSON has bytes): they come back to the byte.
type stage struct {
	Path  []byte `json:"path"`
	Stage int    `json:"stage"`
	Mode  uint32 `json:"mode"`
	OID   string `json:"oid"`
}

type pathMode struct {
	Path []byte `json:"path"`
	Mode uint32 `json:"mode"`
}

const metaSchema = "overturn.snapshot/1"

func identity(when time.Time) objects.Signature {
	return objects.Signature{Name: gitops.IdentityName, Email: gitops.IdentityEmail, When: when.UTC()}
}

// WriteCommit adds the commit of snap to w, and returns its id. The same
// snapshot and trailers give the same commit. Attachments are kept alive beside
// the work tree: blobs by name, and trees by names that end in "/".
func (e *Engine) WriteCommit(ctx context.Context, w *objects.Writer, snap *Snapshot, tr Trailers, attachments map[string]string) (string, error) {
	message, err := commitMessage(snap, tr)
	if err != nil {
		return "", err
	}
	tree, err := besideTree(w, snap, attachments)
	if err != nil {
		return "", model.Failf(err, "cannot write what lies beside the work tree")
	}
	epoch := identity(time.Unix(0, 0)) // the same content is the same commit, whenever it was captured
	parent, err := w.WriteCommit(objects.Commit{Tree: tree, Author: epoch, Committer: epoch, Message: "overturn: beside the work tree\n"})
	if err != nil {
		return "", err
	}
	who := identity(snap.CapturedAt)
	return w.WriteCommit(objects.Commit{Tree: snap.Tree, Parents: []string{parent}, Author: who, Committer: who, Message: message})
}

// commitMessage is a subject and the trailers.
func commitMessage(snap *Snapshot, tr Trailers) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "overturn: turn %d, %s\n\n", tr.Turn, tr.Boundary)
	lines := [][2]string{
		{trailThread, string(tr.Thread)}, {trailTurn, strconv.Itoa(tr.Turn)}, {trailBoundary, tr.Boundary},
		{trailHead, snap.Head.Commit}, {trailBranch, snap.Head.Branch}, {trailOperation, snap.Operation},
		{trailCaptured, snap.CapturedAt.UTC().Format(time.RFC3339Nano)},
	}
	keys := make([]string, 0, len(tr.Extra))
	for key := range tr.Extra {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if !isToken(key) || slices.ContainsFunc(lines[:7], func(l [2]string) bool { return strings.EqualFold(l[0], key) }) {
			return "", model.Usagef("%q cannot be the name of a trailer", key)
		}
		lines = append(lines, [2]string{key, tr.Extra[key]})
	}
	for _, l := range lines {
		if strings.ContainsAny(l[1], "\n\x00") {
			return "", model.Usagef("the trailer %s cannot hold more than one line", l[0])
		}
		if l[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", l[0], l[1])
		}
	}
	return b.String(), nil
}

func isToken(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// besideTree writes the tree of the parentless parent.
func besideTree(w *objects.Writer, snap *Snapshot, attachments map[string]string) (string, error) {
	var list []objects.TreeEntry
	if snap.besides != "" {
		list = append(list, objects.TreeEntry{Mode: objects.ModeTree, Name: besideIndex, OID: snap.besides})
	}
	m := metaOf(snap)
	data, err := m.encode()
	if err != nil {
		return "", err
	}
	id, err := w.Write(objects.TypeBlob, data)
	if err != nil {
		return "", err
	}
	list = append(list, objects.TreeEntry{Mode: objects.ModeFile, Name: besideMeta, OID: id})
	if len(snap.Turned) > 0 {
		if id, err = writeTurned(w, snap.Turned); err != nil {
			return "", err
		}
		list = append(list, objects.TreeEntry{Mode: objects.ModeFile, Name: besideTurned, OID: id})
	}
	if len(snap.Raw) > 0 {
		if err := snap.storeRaw(w); err != nil {
			return "", err
		}
		list = append(list, objects.TreeEntry{Mode: objects.ModeTree, Name: besideRaw, OID: snap.rawTree})
	}
	if len(attachments) > 0 {
		if id, err = writeFlat(w, attachments); err != nil {
			return "", err
		}
		list = append(list, objects.TreeEntry{Mode: objects.ModeTree, Name: besideAttach, OID: id})
	}
	return w.WriteTree(list)
}

// writeFlat writes a tree of names; those that end in "/" are trees.
func writeFlat(w *objects.Writer, files map[string]string) (string, error) {
	var list []objects.TreeEntry
	for name, id := range files {
		entry := objects.TreeEntry{Mode: objects.ModeFile, Name: name, OID: id}
		if bare, isTree := strings.CutSuffix(name, "/"); isTree {
			entry.Mode, entry.Name = objects.ModeTree, bare
		}
		if _, err := model.ParsePath(entry.Name); err != nil || strings.Contains(entry.Name, "/") {
			return "", model.Usagef("%q cannot be the name of an attachment", name)
		}
		list = append(list, entry)
	}
	return w.WriteTree(list)
}

func metaOf(snap *Snapshot) meta {
	m := meta{Schema: metaSchema, Inventory: snap.Inventory, LeftOut: snap.LeftOut, Notes: snap.Notes}
	if len(m.LeftOut) > LeftOutLimit {
		m.LeftOut, m.More = m.LeftOut[:LeftOutLimit], len(m.LeftOut)-LeftOutLimit
	}
	for _, u := range snap.Unmerged {
		m.Unmerged = append(m.Unmerged, stage{Path: []byte(u.Path), Stage: u.Stage, Mode: u.Mode, OID: u.OID})
	}
	for _, path := range snap.Empty[:min(len(snap.Empty), LeftOutLimit)] {
		m.Empty = append(m.Empty, []byte(path))
	}
	for path, mode := range snap.Perm {
		m.Perm = append(m.Perm, pathMode{Path: []byte(path), Mode: mode})
	}
	slices.SortFunc(m.Perm, func(a, b pathMode) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return m
}
