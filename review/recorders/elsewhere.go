package recorders

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ledger"
)

// SourceRemote is the source of turns that overturn recorded in another repository, and
// remotePrefix begins the ids of their threads here.
const (
	SourceRemote = "remote"
	remotePrefix = "remote:"
)

// Records are the checkpoint records of this repository, as a checkpoint.Store lists and
// reads them.
type Records interface {
	List(ctx context.Context) ([]checkpoint.Info, error)
	Read(ctx context.Context, id model.ID) (*checkpoint.Record, error)
}

// Elsewhere is what overturn recorded in other repositories, a colleague's or a cloud
// agent's, and what came here as checkpoint records. A record has the turn's list of
// changes, with the ids of their contents; the contents are here where its snapshots were
// shared, or where a commit that holds them was fetched.
type Elsewhere struct {
	objs    *objects.Store
	records Records
	own     *ledger.Ledger
	known   *knownRecords
	clock   model.Clock

	mu    sync.Mutex
	at    time.Time
	kept  *remoteListing
	built map[model.ThreadID]*states
}

// remoteListing is what was there at one moment.
type remoteListing struct {
	threads map[model.ThreadID][]recordRow // by number
	odd     []model.RefNote
}

// NewElsewhere returns the source. cache is a file that remembers whose records are;
// it can be deleted at any time.
func NewElsewhere(objs *objects.Store, records Records, own *ledger.Ledger, cache string, clock model.Clock) *Elsewhere {
	return &Elsewhere{objs: objs, records: records, own: own, known: &knownRecords{file: cache}, clock: clock, built: map[model.ThreadID]*states{}}
}

// NameElsewhere is the name of the source Elsewhere.
const NameElsewhere = "records of other repositories"

// Name is what is read.
func (s *Elsewhere) Name() string { return NameElsewhere }

// Owns tells by the prefix.
func (s *Elsewhere) Owns(id model.ThreadID) bool { return strings.HasPrefix(string(id), remotePrefix) }

func (s *Elsewhere) listing(ctx context.Context) (*remoteListing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && s.clock().Sub(s.at) < fresh {
		return s.kept, nil
	}
	infos, err := s.records.List(ctx)
	if err != nil {
		return nil, err
	}
	l := &remoteListing{}
	var rows []recordRow
	for _, info := range infos {
		row, err := s.row(ctx, info)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			l.odd = append(l.odd, model.RefNote{Ref: info.Ref, Reason: err.Error()})
		case !row.Own:
			rows = append(rows, row)
		}
	}
	s.known.save()
	l.threads = apart(rows)
	s.kept, s.at, s.built = l, s.clock(), map[model.ThreadID]*states{}
	return l, nil
}

// row is what lists need of a record. The record of a turn that was recorded here is ours.
func (s *Elsewhere) row(ctx context.Context, info checkpoint.Info) (recordRow, error) {
	if row, ok := s.known.find(info.ID); ok {
		return row, nil
	}
	rec, err := s.metadata(ctx, info)
	if err != nil {
		return recordRow{}, err
	}
	turn := rec.Turn
	row := recordRow{ID: info.ID, Own: s.own.Recorded(ctx, turn.Thread, turn.Number, info.ID)}
	if !row.Own {
		row.Thread, row.Agent, row.Turn, row.At = string(turn.Thread), turn.Agent, turn.Number, turn.StartedAt
		if turn.CompletedAt != nil {
			row.At = *turn.CompletedAt
		}
		row.Title = titleOf(turn.Prompt)
		row.Repository = unnamed
		if id, err := model.ParseID(rec.Repository); err == nil {
			row.Repository = string(id)
		}
	}
	s.known.add(row)
	return row, nil
}

// metadata reads the one file of a record that says whose it is: a transcript beside it
// may be large.
func (s *Elsewhere) metadata(ctx context.Context, info checkpoint.Info) (*checkpoint.Record, error) {
	commit, err := s.objs.Commit(ctx, info.Commit)
	if err != nil {
		return nil, err
	}
	path := model.Path(checkpoint.FileMetadata)
	if info.Ref == checkpoint.BranchRef {
		path = model.Path(string(info.ID[:2]) + "/" + string(info.ID[2:]) + "/" + checkpoint.FileMetadata)
	}
	entry, ok, err := s.objs.Lookup(ctx, commit.Tree, path)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if ok {
		if files[checkpoint.FileMetadata], err = s.objs.Blob(ctx, entry.OID); err != nil {
			return nil, err
		}
	}
	return checkpoint.Decode(info.ID, files)
}

// Threads lists the threads that were recorded elsewhere.
func (s *Elsewhere) Threads(ctx context.Context) ([]model.Thread, []model.RefNote, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return nil, nil, err
	}
	list := make([]model.Thread, 0, len(l.threads))
	for _, id := range slices.Sorted(maps.Keys(l.threads)) {
		rows := l.threads[id]
		last := rows[len(rows)-1]
		t := model.Thread{ID: id, Agent: last.Agent, Title: rows[0].Title, Turns: last.Turn, Source: SourceRemote, WorkTree: model.WorkTreeElsewhere, Plain: true}
		for _, row := range rows {
			if row.At.After(t.LastAt) {
				t.LastAt = row.At
			}
		}
		list = append(list, t)
	}
	return list, l.odd, nil
}

// rows are the records of a thread.
func (s *Elsewhere) rows(ctx context.Context, id model.ThreadID) ([]recordRow, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return nil, err
	}
	if l.threads[id] == nil {
		return nil, NoThread(id)
	}
	return l.threads[id], nil
}

// Baseline is what the records know of the moment before the first of them.
func (s *Elsewhere) Baseline(ctx context.Context, id model.ThreadID) (model.Boundary, error) {
	rows, err := s.rows(ctx, id)
	if err != nil {
		return model.Boundary{}, err
	}
	turns, err := s.Turns(ctx, id, rows[0].Turn, rows[0].Turn)
	switch {
	case err != nil:
		return model.Boundary{}, err
	case rows[0].Turn != 1 || len(turns) == 0 || turns[0].Start == nil:
		return model.Boundary{}, model.Errorf(model.CodeFailed, "where thread %q began is not here: the first record of it is of turn %d", id, rows[0].Turn).
			WithHint("choose a turn or a range; `overturn turns --thread %s` lists them", id.Word())
	}
	return *turns[0].Start, nil
}

// Evidence: what the record's own repository made of its evidence is in the owners of its
// files. Where all are the agent's, all of the turn is.
func (s *Elsewhere) Evidence(ctx context.Context, id model.ThreadID, n int) (ledger.Evidence, error) {
	turns, err := s.Turns(ctx, id, n, n)
	if err != nil {
		return ledger.Evidence{}, err
	}
	for _, t := range turns {
		for _, f := range t.Files {
			if f.Owner != model.OwnerAgent {
				return ledger.Evidence{Gone: true}, nil
			}
		}
	}
	return ledger.Evidence{Gone: len(turns) == 0 || turns[0].Files == nil}, nil
}

// Files is what the list of changes names, where the record has no summary.
func (s *Elsewhere) Files(ctx context.Context, turn *model.Turn, _ bool) ([]model.FileChange, error) {
	var ends [2]string
	for i, b := range []*model.Boundary{turn.Start, turn.End} {
		if b == nil || b.Commit == "" {
			return nil, fmt.Errorf("the record has no list of them")
		}
		commit, err := s.objs.Commit(ctx, b.Commit)
		if err != nil {
			return nil, err
		}
		ends[i] = commit.Tree
	}
	c := changes{objects: s.objs}
	return c.between(ctx, ends[0], ends[1], "")
}
