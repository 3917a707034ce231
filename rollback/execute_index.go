package rollback

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
)

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
	var left []model.Noted
	var info bytes.Buffer
	for _, c := range changes {
		now, unmerged := present[c.Path], present[c.Path].Mode == unmergedMode
		switch {
		case !unmerged && now == c.To:
		case unmerged || now != c.From:
			left = append(left, model.Noted{Path: c.Path, Reason: "its staged entry was changed since the turn and stays"})
		default:
			info.WriteString(indexLine(c, len(c.From.OID)))
		}
	}
	if info.Len() == 0 {
		return left, nil
	}
	durable.Point("rollback.index.before")
	if _, err := e.Repo.GitInput(ctx, info.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return left, model.Failf(err, "the staged entries could not be put back")
	}
	durable.Point("rollback.index.after")
	return left, nil
}

// indexLine is one record of update-index: mode 0 takes the entry out.
func indexLine(c journal.IndexChange, idLength int) string {
	if c.To.Mode == "" {
		return fmt.Sprintf("0 %s\t%s\x00", strings.Repeat("0", idLength), c.Path)
	}
	return fmt.Sprintf("%s %s 0\t%s\x00", c.To.Mode, c.To.OID, c.Path)
}

// unmergedMode marks a path that a merge left open among indexEntries.
const unmergedMode = "unmerged"

// indexEntries is the user's index as git lists it.
func (e *Engine) indexEntries(ctx context.Context) (map[model.Path]journal.IndexEntry, error) {
	out, err := e.Repo.Git(ctx, "ls-files", "-s", "-z")
	if err != nil {
		return nil, model.Failf(err, "the index cannot be read")
	}
	entries := map[model.Path]journal.IndexEntry{}
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if record == "" {
			continue
		}
		head, path, ok := strings.Cut(record, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 3 {
			return nil, model.Errorf(model.CodeFailed, "git lists the index in an unknown form: %q", record)
		}
		entry := journal.IndexEntry{Mode: words[0], OID: words[1]}
		if words[2] != "0" {
			entry.Mode = unmergedMode
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
