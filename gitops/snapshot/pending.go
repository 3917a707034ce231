package snapshot

import (
	"context"

	"overturn/gitops/objects"
	"overturn/model"
)

// Capture reads the work tree and adds its new objects to w; the caller flushes
// w, publishes, and then calls Published or Discarded on what it got.
func (e *Engine) Capture(ctx context.Context, w *objects.Writer) (*Snapshot, error) {
	return nil, model.Errorf(model.CodeFailed, "capture is not ready")
}

// CaptureSlow is Capture by git alone: a private index seeded from HEAD and the
// user's index, add -A, write-tree. It is the oracle of the tests and the way
// out where the quick way cannot be sure.
func (e *Engine) CaptureSlow(ctx context.Context, w *objects.Writer) (*Snapshot, error) {
	return nil, model.Errorf(model.CodeFailed, "capture is not ready")
}

// Converts tells for each path whether git would convert it between work tree
// and object store (line endings, filter, ident, encoding).
func (e *Engine) Converts(ctx context.Context, paths []model.Path) (map[model.Path]bool, error) {
	return nil, model.Errorf(model.CodeFailed, "capture is not ready")
}

// Smudge returns the bytes that a checkout would write at path for the blob.
func (e *Engine) Smudge(ctx context.Context, path model.Path, oid string) ([]byte, error) {
	return nil, model.Errorf(model.CodeFailed, "capture is not ready")
}

// WriteCommit adds the commit of snap to w, and returns its id. Attachments are
// blobs or trees, by name, that the commit keeps alive beside the work tree.
func (e *Engine) WriteCommit(ctx context.Context, w *objects.Writer, snap *Snapshot, tr Trailers, attachments map[string]string) (string, error) {
	return "", model.Errorf(model.CodeFailed, "capture is not ready")
}

// Read returns the snapshot of a commit that WriteCommit made.
func Read(ctx context.Context, objs *objects.Store, commit string) (*Stored, error) {
	return nil, model.Errorf(model.CodeFailed, "capture is not ready")
}

// Entry is what the snapshot holds at path; of kind absent where nothing is.
func (s *Stored) Entry(ctx context.Context, path model.Path) (Entry, error) {
	return Entry{}, model.Errorf(model.CodeFailed, "capture is not ready")
}
