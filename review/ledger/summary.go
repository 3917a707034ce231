package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review/patch"
)

// The bounds of a turn's file summary. Past them counts are -1: a hook has no
// time for more, and the review counts what it shows.
const (
	countedFiles = 2000
	countedSize  = 1 << 20         // of one side of one file, in bytes
	countedTotal = 64 << 20        // of all files together, in bytes
	countedLines = 20_000          // of both sides of one file, between what they begin and end with alike
	countedTime  = 2 * time.Second // of all files together
	tracedFiles  = 500             // file.patch events of one turn
)

// summary is a file summary in the making.
type summary struct {
	p     *pass
	t     *turnFile
	left  map[model.Path]bool // neither added nor deleted: not captured, nor what is below
	files []model.FileChange
	moved []objects.TreeChange // files that went or came, as they are on disk
	raw   bytes.Buffer
	total int64
	spent time.Duration // on counting
}

// summarise fills in which files the turn changed, and returns the raw changes.
// When it fails the snapshot is good all the same: no files, and the reason.
func (p *pass) summarise(ctx context.Context, c *change, end *snapshot.Stored, lines []evidenceLine) []byte {
	t := c.t
	t.Turn.Files = nil
	if t.Turn.Start == nil {
		return nil
	}
	if deadline, ok := ctx.Deadline(); ok {
		// The other half is for storing the snapshot, which matters more.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	s := &summary{p: p, t: t, left: pathSet(t.Turn.LeftOut)}
	err := s.collect(ctx, end)
	if err == nil {
		err = s.own(ctx, lines)
	}
	if err == nil {
		err = s.rename(ctx)
	}
	if err != nil {
		reason := "the summary of files failed: " + err.Error()
		if t.Turn.StatusReason == "" {
			t.Turn.StatusReason = reason
		}
		p.note(trace.Event{Event: trace.CheckpointDiff, Outcome: "failed", Reason: reason, ID: t.Turn.Checkpoint}, t)
		return nil
	}
	t.Turn.Files = model.NotNil(s.files)
	return s.raw.Bytes()
}

// rawChanges makes the raw changes of a turn that has its summary already.
func (p *pass) rawChanges(ctx context.Context, t *turnFile) ([]byte, error) {
	if t.Turn.Start == nil || t.Turn.End == nil {
		return nil, nil
	}
	s := &summary{p: p, t: t, left: pathSet(t.Turn.LeftOut)}
	err := p.l.d.Objects.DiffFunc(ctx, t.Turn.Start.Tree, t.Turn.End.Tree, func(c objects.TreeChange) error {
		if !s.wasLeftOut(c.Path) {
			s.writeRaw(c)
		}
		return nil
	})
	return s.raw.Bytes(), err
}

func (s *summary) collect(ctx context.Context, end *snapshot.Stored) error {
	disk, err := s.readOnDisk(ctx, end)
	if err != nil {
		return err
	}
	err = s.p.l.d.Objects.DiffFunc(ctx, s.t.Turn.Start.Tree, s.t.Turn.End.Tree, func(c objects.TreeChange) error {
		if s.wasLeftOut(c.Path) {
			return nil
		}
		s.writeRaw(c)
		if c = disk.change(c); c.OldOID == c.NewOID && c.OldMode == c.NewMode {
			return nil // git stores it otherwise; the file is the same
		}
		return s.add(ctx, c)
	})
	if err != nil {
		return err
	}
	if err := s.rest(ctx, disk); err != nil {
		return err
	}
	s.addPerms(permList(end.Perm))
	return nil
}

// wasLeftOut tells whether a boundary did not capture the path: what its tree says
// there is then not what was on disk.
func (s *summary) wasLeftOut(path model.Path) bool {
	for len(s.left) > 0 {
		if s.left[path] {
			return true
		}
		cut := strings.LastIndexByte(string(path), '/')
		if cut < 0 {
			return false
		}
		path = path[:cut]
	}
	return false
}

func pathSet(list []model.Noted) map[model.Path]bool {
	set := make(map[model.Path]bool, len(list))
	for _, n := range list {
		set[model.Path(strings.TrimSuffix(string(n.Path), "/"))] = true
	}
	return set
}

func (s *summary) add(ctx context.Context, c objects.TreeChange) error {
	f := model.FileChange{Path: c.Path, Change: c.Change(), Additions: -1, Deletions: -1, Owner: model.OwnerAgent}
	if err := s.count(ctx, c, &f); err != nil {
		return err
	}
	s.files = append(s.files, f)
	if f.Change == model.Added || f.Change == model.Deleted {
		s.moved = append(s.moved, c)
	}
	return nil
}

// writeRaw adds what git diff-tree --raw -z prints of a change.
func (s *summary) writeRaw(c objects.TreeChange) {
	letter := map[model.Change]string{model.Added: "A", model.Deleted: "D", model.Retyped: "T"}[c.Change()]
	zero := strings.Repeat("0", 2*s.p.l.d.Repo.HashSize())
	fmt.Fprintf(&s.raw, ":%06o %06o %s %s %s\x00%s\x00", c.OldMode, c.NewMode, or(c.OldOID, zero), or(c.NewOID, zero), or(letter, "M"), c.Path)
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// count fills in additions and deletions, as far as the bounds allow, and traces
// the change with the digests of both sides.
func (s *summary) count(ctx context.Context, c objects.TreeChange, f *model.FileChange) error {
	if c.OldMode == objects.ModeGitlink || c.NewMode == objects.ModeGitlink || len(s.files) >= countedFiles || s.spent > countedTime {
		return nil
	}
	began := s.p.l.d.Clock()
	defer func() { s.spent += s.p.l.d.Clock().Sub(began) }()
	old, okOld, err := s.side(ctx, c.OldOID)
	if err != nil {
		return err
	}
	now, okNew, err := s.side(ctx, c.NewOID)
	if err != nil {
		return err
	}
	if !okOld || !okNew {
		return nil
	}
	if f.Binary = patch.IsBinary(old) || patch.IsBinary(now); !f.Binary && !tooLong(old, now) {
		diff, err := patch.CompareContext(ctx, old, now, patch.Options{})
		if err != nil {
			return err
		}
		f.Additions, f.Deletions = diff.Adds, diff.Dels
	}
	if len(s.files) < tracedFiles {
		s.p.note(trace.Event{
			Event: trace.FilePatch, Paths: model.Paths{c.Path}, Outcome: string(f.Change), ID: s.t.Turn.Checkpoint,
			Before: digest(c.OldOID, old), After: digest(c.NewOID, now), Additions: f.Additions, Deletions: f.Deletions,
		}, s.t)
	}
	return nil
}

// tooLong tells of texts that take seconds to line up, during which nothing can
// stop a hook: both sides have many lines where they differ.
func tooLong(old, now []byte) bool {
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	lines := []byte{'\n'}
	return min(bytes.Count(old, lines), bytes.Count(now, lines)) > countedLines
}

func digest(oid string, data []byte) string {
	if oid == "" {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// side reads one side of a file; false when it is past the bounds.
func (s *summary) side(ctx context.Context, oid string) ([]byte, bool, error) {
	if oid == "" {
		return nil, true, nil
	}
	size, err := s.p.l.d.Objects.Size(ctx, oid)
	if err != nil {
		return nil, false, err
	}
	if size > countedSize || s.total+size > countedTotal {
		return nil, false, nil
	}
	s.total += size
	data, err := s.p.l.d.Objects.Blob(ctx, oid)
	return data, true, err
}

// addPerms adds the paths whose permission bits changed in a way that trees do
// not hold.
func (s *summary) addPerms(perms []model.Noted) {
	before := map[model.Path]string{}
	for _, n := range s.t.StartPerm {
		before[n.Path] = n.Reason
	}
	after := map[model.Path]string{}
	for _, n := range perms {
		after[n.Path] = n.Reason
	}
	known := map[model.Path]bool{}
	for _, f := range s.files {
		known[f.Path] = true
	}
	for _, n := range unionNoted(s.t.StartPerm, perms) {
		if before[n.Path] == after[n.Path] || known[n.Path] || s.wasLeftOut(n.Path) {
			continue
		}
		s.files = append(s.files, model.FileChange{Path: n.Path, Change: model.ModeOnly, Owner: model.OwnerAgent})
	}
	slices.SortStableFunc(s.files, func(a, b model.FileChange) int { return strings.Compare(string(a.Path), string(b.Path)) })
}

// own asks who owns each path.
func (s *summary) own(ctx context.Context, lines []evidenceLine) error {
	if s.p.l.d.Owners == nil || len(s.files) == 0 {
		return nil
	}
	paths := make([]model.Path, len(s.files))
	for i, f := range s.files {
		paths[i] = f.Path
	}
	start, end := s.t.Turn.Start, s.t.Turn.End
	owners, err := s.p.l.d.Owners(ctx, Span{
		Thread: s.t.Turn.Thread, Turn: s.t.Turn.Number, StartTree: start.Tree, StartHead: start.Head, StartAt: start.CapturedAt,
		EndTree: end.Tree, EndHead: end.Head, EndAt: end.CapturedAt, Evidence: readEvidence(lines, s.t.ReportsTools),
	}, paths)
	if err != nil {
		return err
	}
	for i, f := range s.files {
		if owner, ok := owners[f.Path]; ok {
			s.files[i].Owner = owner
		}
	}
	return nil
}
