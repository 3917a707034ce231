package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
)

// Read returns the snapshot of a commit that WriteCommit made.
func Read(ctx context.Context, objs *objects.Store, commit string) (*Stored, error) {
	return read(ctx, objs, commit)
}

func read(ctx context.Context, objs reader, commit string) (*Stored, error) {
	c, err := objs.Commit(ctx, commit)
	if err != nil {
		return nil, model.Failf(err, "cannot read snapshot %s", commit)
	}
	s := &Stored{Commit: commit, Tree: c.Tree, Raw: map[model.Path]string{}, Perm: map[model.Path]uint32{}, Attachments: map[string]string{}, objs: objs}
	if err := s.parseMessage(c.Message); err != nil {
		return nil, model.Failf(err, "commit %s is no snapshot", commit)
	}
	if s.CapturedAt.IsZero() {
		s.CapturedAt = c.Committer.When.UTC()
	}
	for _, parent := range c.Parents {
		if err := s.readBeside(ctx, parent); err != nil {
			return nil, model.Failf(err, "snapshot %s is incomplete", commit)
		}
	}
	return s, nil
}

// parseMessage reads the trailers: the lines after the first empty one. Names
// that are not known go to Extra.
func (s *Stored) parseMessage(message string) error {
	_, body, ok := strings.Cut(message, "\n\n")
	if !ok {
		return fmt.Errorf("its message has no trailers")
	}
	for line := range strings.Lines(body) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok {
			continue
		}
		var err error
		switch key {
		case trailThread:
			s.Trailers.Thread = model.ThreadID(value)
		case trailTurn:
			s.Trailers.Turn, err = strconv.Atoi(value)
		case trailBoundary:
			s.Trailers.Boundary = value
		case trailHead:
			s.Head.Commit = value
		case trailBranch:
			s.Head.Branch = value
		case trailOperation:
			s.Operation = value
		case trailCaptured:
			s.CapturedAt, err = time.Parse(time.RFC3339Nano, value)
		default:
			if s.Trailers.Extra == nil {
				s.Trailers.Extra = map[string]string{}
			}
			s.Trailers.Extra[key] = value
		}
		if err != nil {
			return err
		}
	}
	if s.Trailers.Boundary == "" {
		return fmt.Errorf("its message names no boundary")
	}
	return nil
}

// readBeside reads the parentless parent.
func (s *Stored) readBeside(ctx context.Context, commit string) error {
	c, err := s.objs.Commit(ctx, commit)
	if err != nil {
		return err
	}
	list, err := s.objs.Tree(ctx, c.Tree)
	if err != nil {
		return err
	}
	for _, entry := range list {
		switch entry.Name {
		case besideIndex:
			s.IndexTree = entry.OID
		case besideMeta:
			err = s.readMeta(ctx, entry.OID)
		case besideTurned:
			err = s.readTurned(ctx, entry.OID)
		case besideRaw:
			err = s.readRaw(ctx, entry.OID, "")
		case besideAttach:
			err = s.readAttachments(ctx, entry.OID)
		}
		if err != nil {
			return err
		}
	}
	if len(s.Unmerged) > 0 {
		s.IndexTree = ""
	}
	return nil
}

// RawTree is the tree of the bytes on disk that a snapshot commit keeps beside its own
// (Stored.Raw), "" where it keeps none.
func RawTree(ctx context.Context, objs *objects.Store, commit string) (string, error) {
	c, err := objs.Commit(ctx, commit)
	if err != nil || len(c.Parents) == 0 {
		return "", err
	}
	beside, err := objs.Commit(ctx, c.Parents[0])
	if err != nil {
		return "", err
	}
	entry, _, err := objs.Lookup(ctx, beside.Tree, besideRaw)
	return entry.OID, err
}

func (s *Stored) readMeta(ctx context.Context, id string) error {
	data, err := s.objs.Blob(ctx, id)
	if err != nil {
		return err
	}
	var m meta
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	if m.Schema != metaSchema {
		return fmt.Errorf("its format is %q; this overturn reads %q", m.Schema, metaSchema)
	}
	s.Inventory, s.LeftOut, s.Notes = m.Inventory, m.LeftOut, m.Notes
	for _, u := range m.Unmerged {
		s.Unmerged = append(s.Unmerged, Unmerged{Path: model.Path(u.Path), Stage: u.Stage, Mode: u.Mode, OID: u.OID})
	}
	for _, path := range m.Empty {
		s.Empty = append(s.Empty, model.Path(path))
	}
	for _, p := range m.Perm {
		s.Perm[model.Path(p.Path)] = p.Mode
	}
	return nil
}

func (s *Stored) readAttachments(ctx context.Context, id string) error {
	list, err := s.objs.Tree(ctx, id)
	for _, entry := range list {
		name := entry.Name
		if entry.Mode == objects.ModeTree {
			name += "/"
		}
		s.Attachments[name] = entry.OID
	}
	return err
}

// Entry is what the snapshot holds at path; of kind absent where nothing is, or
// a folder.
func (s *Stored) Entry(ctx context.Context, path model.Path) (Entry, error) {
	found, ok, err := s.objs.Lookup(ctx, s.Tree, path)
	if err != nil {
		return Entry{}, model.Failf(err, "cannot read %q in snapshot %s", path, s.Commit)
	}
	if !ok {
		return Entry{Kind: model.KindAbsent, Mode: "000000"}, nil
	}
	e := Entry{OID: found.OID, RawOID: found.OID, Mode: fmt.Sprintf("%06o", found.Mode)}
	switch found.Mode {
	case objects.ModeTree:
		return Entry{Kind: model.KindAbsent, Mode: "000000"}, nil
	case objects.ModeLink:
		e.Kind = model.KindLink
	case objects.ModeGitlink:
		e.Kind = model.KindGitlink
	default:
		e.Kind = model.KindFile
		if perm, odd := s.Perm[path]; odd {
			e.Mode = fmt.Sprintf("%06o", 0o100000|perm)
		}
		if raw, kept := s.Raw[path]; kept {
			e.RawOID = raw
		}
	}
	return e, nil
}
