package ledger

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/gitops/snapshot"
	"overturn/model"
)

// transcriptMark is where a turn begins in the file that its agent writes.
type transcriptMark struct {
	Path string `json:"path"`
	From int64  `json:"from"` // bytes that were there when the turn started
}

// maxTranscript bounds the part of one turn, in bytes: what is longer is not taken.
const maxTranscript = 64 << 20

// markTranscript notes how long the file is now. What the agent writes of a turn it
// may write after the hooks of the turn have run: it is read later.
func markTranscript(path string) *transcriptMark {
	if path == "" {
		return nil
	}
	m := &transcriptMark{Path: path}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		m.From = info.Size()
	}
	return m
}

// Transcript reads a turn's part of its agent's transcript, whole lines: from where
// the turn started to where the next one that is in the same file did. nil without an
// error: the agent told of none, or nothing is in it yet. A file that is gone is
// fs.ErrNotExist.
func (l *Ledger) Transcript(ctx context.Context, thread model.ThreadID, n int) ([]byte, error) {
	th, t, err := l.turn(ctx, thread, n)
	if err != nil || t.Transcript == nil {
		return nil, err
	}
	mark, to := *t.Transcript, int64(-1)
	for next := n + 1; next <= th.last && to < 0; next++ {
		after, err := th.turn(next)
		if err != nil {
			return nil, err
		}
		if after != nil && after.Transcript != nil && after.Transcript.Path == mark.Path {
			to = after.Transcript.From
		}
	}
	out, err := th.dir.outFrom(t)
	if err != nil {
		return nil, err
	}
	if out >= 0 && (to < 0 || out < to) {
		to = out
		if info, err := os.Stat(mark.Path); err == nil { // cut back by now, with the turns that are out
			to = min(to, info.Size())
		}
	}
	return readPart(mark, to)
}

// outFrom is where the parts begin of turns that came behind t and that reverts took out,
// in the same file; -1 where there are none. Those that were out when t began are not among them.
func (d threadDir) outFrom(t *turnFile) (int64, error) {
	from := int64(-1)
	if d.path == "" {
		return from, nil
	}
	reverts, err := d.reverts()
	if err != nil {
		return from, err
	}
	for _, dir := range reverts {
		if model.ID(filepath.Base(dir.path)).Time().Before(t.Turn.StartedAt.Truncate(time.Millisecond)) {
			continue
		}
		numbers, err := dir.numbers()
		if err != nil {
			return from, err
		}
		for _, n := range numbers {
			out, err := dir.turn(n)
			if err != nil || n <= t.Turn.Number || out.Transcript == nil || out.Transcript.Path != t.Transcript.Path {
				continue // what cannot be read bounds nothing
			}
			if from < 0 || out.Transcript.From < from {
				from = out.Transcript.From
			}
		}
	}
	return from, nil
}

// readPart reads from the mark to to, -1 for the end of the file. A turn that starts
// while a line is being written leaves that line to the turn before.
func readPart(mark transcriptMark, to int64) ([]byte, error) {
	info, err := os.Stat(mark.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, model.Failf(err, "the transcript is gone")
	case err != nil:
		return nil, model.Failf(err, "cannot read the transcript")
	case !info.Mode().IsRegular():
		return nil, model.Errorf(model.CodeFailed, "the transcript %s is not a file", mark.Path)
	}
	if to < 0 {
		to = info.Size()
	}
	if mark.From > to || to > info.Size() {
		return nil, model.Errorf(model.CodeFailed, "the transcript %s was written anew since the turn: its part cannot be told", mark.Path)
	}
	f, err := os.Open(mark.Path)
	if err != nil {
		return nil, model.Failf(err, "cannot read the transcript")
	}
	defer f.Close()
	from, err := lineFrom(f, mark.From)
	if err == nil {
		to, err = lineFrom(f, to)
	}
	if err != nil {
		return nil, model.Failf(err, "cannot read the transcript")
	}
	if to-from > maxTranscript {
		return nil, model.Errorf(model.CodeFailed, "the transcript of the turn is longer than %d MiB", maxTranscript>>20)
	}
	if to <= from {
		return nil, nil
	}
	part := make([]byte, to-from)
	if _, err := f.ReadAt(part, from); err != nil && !errors.Is(err, io.EOF) {
		return nil, model.Failf(err, "cannot read the transcript")
	}
	if end := bytes.LastIndexByte(part, '\n'); end >= 0 {
		return part[:end+1], nil
	}
	return nil, nil // its one line is still being written
}

// lineFrom is where the first line begins that starts at offset or behind it.
func lineFrom(f *os.File, offset int64) (int64, error) {
	if offset == 0 {
		return 0, nil
	}
	buf := make([]byte, 64<<10)
	for at := offset - 1; ; at += int64(len(buf)) {
		n, err := f.ReadAt(buf, at)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if errors.Is(err, io.EOF) {
			return at + int64(n), nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// Resummarise makes the summary of files of a turn that lacks it, though both of its
// snapshots are there, and has its record say so. What failed once may have been a
// matter of time.
func (l *Ledger) Resummarise(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error) {
	unlock, err := l.lock(ctx)
	if err != nil {
		return model.Turn{}, err
	}
	defer unlock()
	th, err := l.load(ctx, l.d.Repo.StateDir(), thread)
	if err != nil {
		return model.Turn{}, err
	}
	t, err := th.turn(n)
	if err != nil || t == nil || !unsummed(t) {
		return model.Turn{}, err
	}
	p := l.newPass()
	defer p.w.Discard()
	p.threads[thread] = th
	stored, err := snapshot.Read(ctx, l.d.Objects, t.Turn.End.Commit)
	if err != nil {
		return model.Turn{}, err
	}
	c := p.change(th, t)
	c.ended = true
	lines, err := p.evidence(c)
	if err != nil {
		return model.Turn{}, err
	}
	t.Turn.StatusReason = ""
	changes := p.summarise(ctx, c, stored, lines)
	if t.Turn.Files == nil {
		return model.Turn{}, model.Errorf(model.CodeFailed, "%s", t.Turn.StatusReason)
	}
	if err := p.record(ctx, c, changes); err != nil {
		return model.Turn{}, err
	}
	return t.Turn, p.publish(ctx)
}

// unsummed tells of a turn with both snapshots and without its summary.
func unsummed(t *turnFile) bool {
	return !t.open() && t.Turn.Status == model.StatusReady && t.Turn.Start != nil && t.Turn.End != nil &&
		t.Turn.Files == nil && t.Sum == nil && t.Pruned == nil
}
