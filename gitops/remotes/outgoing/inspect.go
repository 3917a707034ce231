package outgoing

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode/utf16"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/remotes/redact"
	"overturn/model"
	"overturn/model/legible"
)

// inspectLimit is up to how many bytes a file of a snapshot is searched.
const inspectLimit = 32 << 20

// ruleLarge names a file of a snapshot that is too large to be searched, ruleChance is
// package redact's name of what looks drawn by lot.
const (
	ruleLarge  = "too-large"
	ruleChance = "entropy"
)

// HeldError says that a record does not leave: what its snapshots hold cannot be
// rewritten.
type HeldError struct {
	Err      *model.Error // names the first few
	Findings []Finding
}

func (e *HeldError) Error() string { return e.Err.Error() }

// Unwrap has the message and the hint found.
func (e *HeldError) Unwrap() error { return e.Err }

func heldError(findings []Finding) *HeldError {
	var names []string
	for _, f := range findings {
		name := fmt.Sprintf("%s (%s)", legible.Line(f.Path), f.Rule)
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	more := ""
	if len(names) > 3 {
		more = fmt.Sprintf(" and %d more", len(names)-3)
		names = names[:3]
	}
	e := model.Errorf(model.CodeRefused, "its shared snapshots hold what looks like a secret: %s%s", strings.Join(names, ", "), more).
		WithHint("`redaction.allow` in your settings takes what is none; or stop sharing snapshots (`sharing.snapshots`)")
	return &HeldError{Err: e, Findings: findings}
}

// Inspect looks for secrets in the files of a tree whose contents cannot be rewritten, as
// a shared snapshot's, and in their names: it leaves only where nothing was found. Files
// that are in the tree base too, "" for none, are not looked at: they are the project's
// own history.
func (r *Rewriter) Inspect(ctx context.Context, tree, base string) ([]Finding, error) {
	if base == "" {
		base = r.Objects.EmptyTree()
	}
	var findings []Finding
	err := r.Objects.DiffFunc(ctx, base, tree, func(c objects.TreeChange) error {
		if c.NewOID == "" || c.NewOID == c.OldOID || c.NewMode == objects.ModeGitlink {
			return ctx.Err()
		}
		if c.OldOID == "" {
			findings = append(findings, r.inName(string(c.Path))...)
		}
		size, err := r.Objects.Size(ctx, c.NewOID)
		if err != nil {
			return err
		}
		if size > inspectLimit {
			findings = append(findings, Finding{string(c.Path), redact.Finding{Rule: ruleLarge}})
			return nil
		}
		data, err := r.Objects.Blob(ctx, c.NewOID)
		if err != nil {
			return err
		}
		_, found := r.Redactor.Text(plain(data))
		for _, f := range found {
			findings = append(findings, Finding{string(c.Path), f})
		}
		return nil
	})
	return findings, err
}

// inName looks for secrets in the name of a file. One that only looks drawn by lot is
// none: what builds write is named so.
func (r *Rewriter) inName(name string) []Finding {
	_, found := r.Redactor.Text([]byte(name))
	var list []Finding
	for _, f := range found {
		if f.Rule != ruleChance {
			list = append(list, Finding{name, f})
		}
	}
	return list
}

// plain is the text of a file in UTF-16 with its mark, as PowerShell writes them; any
// other file as it is.
func plain(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for at := 2; at+1 < len(data); at += 2 {
		units = append(units, order.Uint16(data[at:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// snapshots lets the folder of a record's snapshots pass, or says why not. The record's
// other files are beside it.
func (w *work) snapshots(ctx context.Context, oid string, beside []objects.TreeEntry, at string) error {
	base, err := w.project(ctx, beside)
	if err != nil {
		return err
	}
	list, err := w.r.Objects.Tree(ctx, oid)
	if err != nil {
		return err
	}
	var held []Finding
	for _, e := range list {
		findings := []Finding{{"", redact.Finding{Rule: ruleBinary}}} // no boundary: nobody knows it
		if e.IsTree() {
			if findings, err = w.r.Inspect(ctx, e.OID, base); err != nil {
				return err
			}
		}
		for _, f := range findings {
			f.Path = path.Join(at, e.Name, f.Path)
			held = append(held, f)
		}
	}
	if len(held) > 0 && !w.preview {
		return heldError(held)
	}
	w.findings = append(w.findings, held...)
	return nil
}

// project is the tree of the commit that HEAD was when the record's turn started, the
// empty one where that is not known.
func (w *work) project(ctx context.Context, beside []objects.TreeEntry) (string, error) {
	for _, e := range beside {
		if e.Name != checkpoint.FileMetadata {
			continue
		}
		data, err := w.r.Objects.Blob(ctx, e.OID)
		if err != nil {
			return "", err
		}
		var meta struct {
			Base string `json:"base"`
		}
		if json.Unmarshal(data, &meta) != nil || meta.Base == "" {
			return "", nil
		}
		if here, err := w.r.Objects.Has(ctx, meta.Base); err != nil || !here {
			return "", err
		}
		commit, err := w.r.Objects.Commit(ctx, meta.Base)
		return commit.Tree, err
	}
	return "", nil
}
