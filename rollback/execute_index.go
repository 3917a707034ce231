package rollback

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/model/durable"
	"overturn/review/patch"
	"overturn/rollback/journal"
)

// indexTries is how often the index is looked at anew when somebody stages something
// at the moment in which entries are to go back.
const indexTries = 4

// moveIndex takes the entries that are still at From to To, in one step of git's
// own; every other entry stays. Those that are neither are returned.
func (e *Engine) moveIndex(ctx context.Context, changes []journal.IndexChange) ([]model.Noted, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	present, err := e.indexEntries(ctx)
	if err != nil {
		return nil, err
	}
	for range indexTries {
		pending, left := pendingEntries(changes, present)
		if len(pending) == 0 {
			return left, nil
		}
		durable.Point("rollback.index.before")
		_, err = e.writeIndex(ctx, indexPatch(pending), "apply", "--cached", "--whitespace=nowarn", "-")
		if err == nil {
			durable.Point("rollback.index.after")
			return left, nil
		}
		was := present
		if present, err = e.indexEntries(ctx); err != nil {
			return left, err
		}
		if again, _ := pendingEntries(changes, was); samePending(again, present) {
			return left, e.lockedIndex(e.updateIndex(ctx, pending))
		}
	}
	return nil, model.Errorf(model.CodeFailed, "the staged entries could not be put back: another program keeps changing the index")
}

// asMarked keeps git from clearing the skip-worktree bit of what stands on disk as it
// reads the index: it would write that too.
const asMarked = "sparse.expectFilesOutsideOfPatterns=true"

// writeIndex runs a git that writes the index, and nothing in it but what it is told.
// When it returns without an error the index is durable: git syncs its bytes before it
// renames it (since 2.36; see core.fsync in gitops), and leaves its name to the system.
func (e *Engine) writeIndex(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	out, err := e.Repo.GitInput(ctx, in, append([]string{"-c", asMarked}, args...)...)
	if err == nil {
		err = durable.SyncFile(filepath.Join(e.Repo.GitDir, "index"))
	}
	return out, err
}

// pendingEntries are those of changes that are at From, and those that are elsewhere.
func pendingEntries(changes []journal.IndexChange, present map[model.Path]journal.IndexEntry) (pending []journal.IndexChange, left []model.Noted) {
	for _, c := range changes {
		switch present[c.Path] {
		case c.To:
		case c.From:
			pending = append(pending, c)
		default:
			left = append(left, model.Noted{Path: c.Path, Reason: "its staged entry was changed or marked since the turn and stays"})
		}
	}
	return pending, left
}

// samePending tells whether no entry that is to go back was touched: then it was no
// race that git failed for.
func samePending(pending []journal.IndexChange, present map[model.Path]journal.IndexEntry) bool {
	for _, c := range pending {
		if present[c.Path] != c.From {
			return false
		}
	}
	return true
}

// indexPatch is a patch that git applies to the index, under its lock, only where
// every entry still has the id From: a compare-and-swap, which update-index has not.
// The blobs are there already, so that ids are enough.
func indexPatch(changes []journal.IndexChange) []byte {
	var b bytes.Buffer
	for _, c := range changes {
		switch {
		case c.From.Mode == "" || c.To.Mode == "" || kindBits(c.From.Mode) == kindBits(c.To.Mode):
			patchEntry(&b, c.Path, c.From, c.To)
		default: // a file for a link, or the other way round: git wants them one by one
			patchEntry(&b, c.Path, c.From, journal.IndexEntry{})
			patchEntry(&b, c.Path, journal.IndexEntry{}, c.To)
		}
	}
	return b.Bytes()
}

func kindBits(mode string) string { return mode[:min(3, len(mode))] }

func patchEntry(b *bytes.Buffer, p model.Path, from, to journal.IndexEntry) {
	fmt.Fprintf(b, "diff --git %s %s\n", patch.QuotePrefixed("a/", p), patch.QuotePrefixed("b/", p))
	fromOID, toOID := from.OID, to.OID
	suffix := ""
	switch {
	case from.Mode == "":
		fmt.Fprintf(b, "new file mode %s\n", to.Mode)
		fromOID = strings.Repeat("0", len(toOID))
	case to.Mode == "":
		fmt.Fprintf(b, "deleted file mode %s\n", from.Mode)
		toOID = strings.Repeat("0", len(fromOID))
	case from.Mode != to.Mode:
		fmt.Fprintf(b, "old mode %s\nnew mode %s\n", from.Mode, to.Mode)
	default:
		suffix = " " + from.Mode
	}
	// No bytes: the empty literal stands for contents that git finds by their ids.
	fmt.Fprintf(b, "index %s..%s%s\nGIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n", fromOID, toOID, suffix)
}

// updateIndex is for entries that git's apply does not take though nobody touched
// them: a path that turns from a file into a folder, an entry whose blob is gone.
func (e *Engine) updateIndex(ctx context.Context, changes []journal.IndexChange) error {
	var info bytes.Buffer
	for _, c := range changes {
		info.WriteString(indexLine(c, len(c.From.OID)))
	}
	durable.Point("rollback.updateindex.write")
	if _, err := e.writeIndex(ctx, info.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return model.Failf(err, "the staged entries could not be put back")
	}
	durable.Point("rollback.updateindex.written")
	return nil
}

// indexLine is one record of update-index: mode 0 takes the entry out.
func indexLine(c journal.IndexChange, idLength int) string {
	if c.To.Mode == "" {
		return fmt.Sprintf("0 %s\t%s\x00", strings.Repeat("0", idLength), c.Path)
	}
	return fmt.Sprintf("%s %s 0\t%s\x00", c.To.Mode, c.To.OID, c.Path)
}

// Modes that no turn staged, of indexEntries.
const (
	unmergedMode = "unmerged" // a merge left the path open
	markedMode   = "marked"   // assume-unchanged or skip-worktree: an entry that is moved would lose it
)

// indexEntries is the user's index as git lists it.
func (e *Engine) indexEntries(ctx context.Context) (map[model.Path]journal.IndexEntry, error) {
	out, err := e.Repo.Git(ctx, "-c", asMarked, "ls-files", "-s", "-v", "-z")
	if err != nil {
		return nil, model.Failf(err, "the index cannot be read")
	}
	entries := map[model.Path]journal.IndexEntry{}
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if record == "" {
			continue
		}
		head, path, ok := strings.Cut(record, "\t")
		words := strings.Fields(head) // tag, mode, id, stage
		if !ok || len(words) != 4 {
			return nil, model.Errorf(model.CodeFailed, "git lists the index in an unknown form: %q", record)
		}
		entry := journal.IndexEntry{Mode: words[1], OID: words[2]}
		switch {
		case words[3] != "0":
			entry.Mode = unmergedMode
		case words[0] != "H":
			entry.Mode = markedMode
		}
		entries[model.Path(path)] = entry
	}
	return entries, nil
}

// reversed is the way back.
func reversed(changes []journal.IndexChange) []journal.IndexChange {
	var back []journal.IndexChange
	for _, c := range changes {
		back = append(back, journal.IndexChange{Path: c.Path, From: c.To, To: c.From})
	}
	return back
}
