package rollback

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/rollback/journal"
)

// safetyPrefix is the folder of safety snapshots among the refs.
const safetyPrefix = "refs/overturn/safety/"

// safety takes the snapshot that undo goes back to: the work tree, and the raw
// bytes of every target before and after, whatever filters and ignore rules say.
// When it returns, all of it is durable, was read back, and is held by a ref.
func (e *Engine) safety(ctx context.Context, id model.ID, t *task) (journal.Prepared, error) {
	w := e.Objects.NewWriter()
	snap, err := e.Snapshots.Capture(ctx, w)
	if err != nil {
		w.Discard()
		return journal.Prepared{}, model.Failf(err, "the safety snapshot could not be taken; nothing was written")
	}
	p := journal.Prepared{ID: id, Kind: t.kind, Of: t.of, Why: t.why, Fingerprint: t.fingerprint, Scopes: t.scopes, Safety: safetyPrefix + string(id)}
	attached, err := e.attach(w, t, &p)
	if err == nil {
		p.SafetyOID, err = e.Snapshots.WriteCommit(ctx, w, snap, snapshot.Trailers{
			Boundary: "safety", Extra: map[string]string{"Overturn-Rollback": string(id)},
		}, attached)
	}
	if err == nil {
		err = e.hold(ctx, w, t, &p)
	}
	if err != nil {
		w.Discard()
		return p, errors.Join(model.Failf(err, "the safety snapshot could not be stored; nothing was written"), snap.Discarded())
	}
	t.captured = snap.CapturedAt
	p.Base = model.ResultBase{Ref: p.Safety, Tree: snap.Tree, Head: snap.Head.Commit}
	// A table that could not be saved makes the next capture slower, nothing else.
	_ = snap.Published(p.SafetyOID)
	return p, nil
}

// hold makes the objects of the safety snapshot durable, in one round of syncs with
// the value of its ref, reads them back and only then moves the ref.
func (e *Engine) hold(ctx context.Context, w *objects.Writer, t *task, p *journal.Prepared) error {
	change, err := e.Refs.Begin(ctx, []refs.Update{{Name: p.Safety, New: p.SafetyOID}})
	if err != nil {
		return err
	}
	defer change.Release()
	if err := w.Flush(ctx, change.Locks()...); err != nil {
		return err
	}
	if err := e.readBack(ctx, p.Targets, t.stored); err != nil {
		return err
	}
	return change.Commit(ctx)
}

// attach adds the raw bytes and the confirmed patch to w and fills in p's targets.
func (e *Engine) attach(w *objects.Writer, t *task, p *journal.Prepared) (map[string]string, error) {
	var err error
	if p.Patch, err = w.Write(objects.TypeBlob, t.patch); err != nil {
		return nil, err
	}
	var before, after []objects.TreeEntry
	add := func(list *[]objects.TreeEntry, n int, s model.FileState, data []byte) (string, error) {
		if s.Kind == model.KindAbsent {
			return "", nil
		}
		oid, err := w.Write(objects.TypeBlob, data)
		*list = append(*list, objects.TreeEntry{Mode: objects.ModeFile, Name: strconv.Itoa(n), OID: oid})
		return oid, err
	}
	for n, target := range t.targets {
		entry := journal.Target{Target: target.Target}
		if entry.Before, err = add(&before, n, target.From, target.Before); err != nil {
			return nil, err
		}
		if entry.After, err = add(&after, n, target.To, target.After); err != nil {
			return nil, err
		}
		p.Targets = append(p.Targets, entry)
	}
	attached := map[string]string{"patch": p.Patch}
	for name, list := range map[string][]objects.TreeEntry{"before/": before, "after/": after} {
		if len(list) == 0 {
			continue
		}
		if attached[name], err = w.WriteTree(list); err != nil {
			return nil, err
		}
	}
	return attached, nil
}

// readBack makes sure that the bytes of both sides can be had again: an object
// that was stored before, and skipped for that, may be damaged. Those that the
// plan was worked out from were read a moment ago.
func (e *Engine) readBack(ctx context.Context, targets []journal.Target, stored map[string]string) error {
	check := func(oid string, t journal.Target, s model.FileState) error {
		if sum, read := stored[oid]; read && sum == s.SHA256 {
			return nil
		}
		_, err := e.bytesOf(ctx, oid, t.Target.Path, s)
		return err
	}
	for _, t := range targets {
		if err := check(t.Before, t, t.Target.From); err != nil {
			return err
		}
		if err := check(t.After, t, t.Target.To); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf reads the bytes of a state and holds them against its hash.
func (e *Engine) bytesOf(ctx context.Context, oid string, path model.Path, s model.FileState) ([]byte, error) {
	if s.Kind == model.KindAbsent {
		return nil, nil
	}
	data, err := e.Objects.Blob(ctx, oid)
	if err != nil {
		return nil, model.Failf(err, "the stored bytes of %q cannot be read", string(path)).
			WithHint("`git fsck` says which objects are damaged")
	}
	if sumOf(data) != s.SHA256 {
		return nil, model.Errorf(model.CodeFailed, "the stored bytes of %q are damaged", string(path)).
			WithHint("`git fsck` says which objects are damaged")
	}
	return data, nil
}

// sumOf is the hash of bytes as states spell it.
func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
