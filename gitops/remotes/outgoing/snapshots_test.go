package outgoing_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"unicode/utf16"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/redact"
	"overturn/model"
)

// TestSharedSnapshots leave as they are, or hold the record here.
func TestSharedSnapshots(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Repo.Write("old.env", "TOKEN="+token()+"\n")
		w.Repo.Commit("the project's own")
		base := w.Repo.Git("rev-parse", "HEAD")
		w.Repo.Write("new.go", "package x\n")
		clean := w.snapshot()
		w.Repo.Write("d/new.env", "TOKEN="+token()+"\n")
		dirty := w.snapshot()
		rec := w.put(1, func(r *checkpoint.Record) {
			r.Turn.Base, r.Turn.Prompt = base, token()
			r.Snapshots = checkpoint.Snapshots{Start: clean, End: clean}
		})
		out, _ := w.leaves(w.out, w.tip(rec))
		if got := w.Repo.Git("rev-parse", out+":"+w.folder(rec)+"snapshots/end"); got != clean || out == w.tip(rec) {
			t.Errorf("the snapshot leaves as %s, not %s", got, clean)
		}
		w.update(rec, func(r *checkpoint.Record) { r.Snapshots.End = dirty })
		_, _, err := w.out.Outgoing(t.Context(), w.tip(rec))
		var held *outgoing.HeldError
		if !errors.As(err, &held) || len(held.Findings) != 1 || held.Findings[0].Path != w.folder(rec)+"snapshots/end/d/new.env" || model.CodeOf(err) != model.CodeRefused {
			t.Errorf("a snapshot with a secret: %v, %+v", err, held)
		}
		allowed := w.rewriter(redact.Options{Allow: []string{`ghp_.*`}}, "")
		if out, _ := w.leaves(allowed, w.tip(rec)); out != w.tip(rec) {
			t.Error("what the user allows is held")
		}
	})
}

// TestInspectFindsWhatIsHidden: in a name, and in the encoding of PowerShell.
func TestInspectFindsWhatIsHidden(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Repo.Write("own-"+token(), "x\n")
		base := w.snapshot()
		w.Repo.Write("assets/index-q7Xr2LkP9vTzB4mWc8NdYh3JsFg6Ue1A.js", "x\n")
		w.Repo.Write("d/f-"+token()+"/x", "x\n")
		wide := utf16.Encode([]rune("\ufeffTOKEN=" + token() + "\r\n"))
		w.Repo.Write("little", string(must(binary.Append(nil, binary.LittleEndian, wide))))
		w.Repo.Write("big", string(must(binary.Append(nil, binary.BigEndian, wide))))
		w.Repo.Write("odd", "\xff\xfea")
		found, err := w.out.Inspect(t.Context(), w.snapshot(), base)
		var at []string
		for _, f := range found {
			at = append(at, f.Path)
		}
		if want := []string{"big", "d/f-" + token() + "/x", "little"}; err != nil || !slices.Equal(at, want) {
			t.Errorf("found in %q, not in %q; %v", at, want, err)
		}
	})
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// snapshot is the tree of what is on disk.
func (w *world) snapshot() string {
	w.Repo.Git("add", "-A")
	return w.Repo.Git("write-tree")
}

// folder is where the record lies in its commit's tree, with a slash.
func (w *world) folder(rec *checkpoint.Record) string {
	if w.Store.Type() == checkpoint.TypeRefs {
		return ""
	}
	return string(rec.ID()[:2]) + "/" + string(rec.ID()[2:]) + "/"
}
