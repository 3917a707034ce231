package recorders

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint/foreign/entire"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// SourceEntire is the source of the Entire CLI's sessions, and entirePrefix begins the
// ids of their threads.
const (
	SourceEntire = "entire"
	entirePrefix = "entire:"
)

// freshSearch is how long a search of the project's commits stands: it asks git.
const freshSearch = 15 * time.Second

// Entire is what the Entire CLI recorded. A session is a thread, its checkpoints are the
// turns: the Entire CLI makes one when a commit is made, so that it may be of several
// prompts. Their records have no snapshots; what is compared is the commit that carries the
// id of the checkpoint, against its first parent. States of a session that has no
// checkpoint of them yet are turns as well.
type Entire struct {
	repo   *gitops.Repo
	objs   *objects.Store
	reader *entire.Reader
	clock  model.Clock

	mu   sync.Mutex
	at   time.Time
	kept *entireListing

	searched time.Time // when the carriers of kept were searched
}

// entireListing is what was there at one moment.
type entireListing struct {
	sessions map[model.ThreadID][]part
	ids      []model.ThreadID
	odd      []model.RefNote
	places   places
	since    time.Time                 // no checkpoint is known to be older
	carriers map[string]entire.Carrier // nil until they are asked for
	failed   string                    // why they are not known
}

// part is a session in one checkpoint, or a step of one that has none yet.
type part struct {
	checkpoint *entire.Checkpoint
	session    *entire.Session
	step       *entire.Step // nil of a checkpoint
}

// NewEntire returns the source.
func NewEntire(repo *gitops.Repo, objs *objects.Store, store *refs.Store, clock model.Clock) *Entire {
	return &Entire{repo: repo, objs: objs, reader: entire.New(repo, objs, store), clock: clock}
}

// Name is the Entire CLI.
func (s *Entire) Name() string { return "the Entire CLI" }

// Owns tells by the prefix.
func (s *Entire) Owns(id model.ThreadID) bool { return strings.HasPrefix(string(id), entirePrefix) }

func (s *Entire) listing(ctx context.Context) (*entireListing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && s.clock().Sub(s.at) < fresh {
		return s.kept, nil
	}
	list, odd, err := s.reader.List(ctx)
	if err != nil {
		return nil, err
	}
	l := &entireListing{sessions: map[model.ThreadID][]part{}, odd: odd}
	steps, notes, err := s.reader.Steps(ctx)
	if err != nil {
		return nil, err
	}
	l.odd = append(l.odd, notes...)
	if len(list)+len(steps) > 0 {
		p, err := placesOf(ctx, s.repo)
		if err != nil {
			return nil, err
		}
		l.places = p
	}
	for _, c := range list {
		l.add(c)
	}
	for i := range steps {
		l.addStep(&steps[i])
	}
	for id, parts := range l.sessions {
		slices.SortStableFunc(parts, func(a, b part) int {
			return cmp.Or(a.session.At.Compare(b.session.At), cmp.Compare(a.checkpoint.ID, b.checkpoint.ID), cmp.Compare(a.session.Folder, b.session.Folder))
		})
		l.ids = append(l.ids, id)
	}
	slices.Sort(l.ids)
	if s.kept != nil && s.clock().Sub(s.searched) < freshSearch {
		l.carriers, l.failed = s.kept.carriers, s.kept.failed
	}
	s.kept, s.at = l, s.clock()
	return l, nil
}

// add puts the sessions of a checkpoint into threads. One that cannot be read, or has no
// session at all, is a thread of its own.
func (l *entireListing) add(c *entire.Checkpoint) {
	if len(c.Sessions) == 0 {
		id := model.ThreadID(entirePrefix + "checkpoint:" + c.ID)
		l.sessions[id] = []part{{c, &entire.Session{}, nil}}
		return
	}
	for i := range c.Sessions {
		id := sessionThread(c, &c.Sessions[i])
		l.sessions[id] = append(l.sessions[id], part{c, &c.Sessions[i], nil})
		if at := c.Sessions[i].At; !at.IsZero() && (l.since.IsZero() || at.Before(l.since)) {
			l.since = at
		}
	}
}

// addStep puts a step into its session's thread.
func (l *entireListing) addStep(step *entire.Step) {
	session := &entire.Session{ID: step.Session, At: step.At, Prompt: step.Prompt}
	none := &entire.Checkpoint{Ref: step.Ref}
	id := sessionThread(none, session)
	l.sessions[id] = append(l.sessions[id], part{none, session, step})
}

// sessionThread names the thread of a session, by its id where that can be shown.
func sessionThread(c *entire.Checkpoint, s *entire.Session) model.ThreadID {
	if s.ID == "" {
		return model.ThreadID(entirePrefix + "checkpoint:" + c.ID)
	}
	if id, err := model.ParseThreadID(entirePrefix + s.ID); err == nil {
		return id
	}
	sum := sha256.Sum256([]byte(s.ID))
	return model.ThreadID(entirePrefix + "sha256:" + hex.EncodeToString(sum[:]))
}

// Threads lists the sessions.
func (s *Entire) Threads(ctx context.Context) ([]model.Thread, []model.RefNote, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return nil, nil, err
	}
	list := make([]model.Thread, 0, len(l.ids))
	for _, id := range l.ids {
		parts := l.sessions[id]
		last := parts[len(parts)-1]
		list = append(list, model.Thread{
			ID: id, Agent: agentOf(parts), WorkTree: l.where(parts), Title: titleOf(parts[0].session.Prompt), Turns: len(parts),
			LastAt: last.session.At, Source: SourceEntire, Plain: true, Except: entire.Metadata,
		})
	}
	return list, l.odd, nil
}

// where is the work tree of a session: as the branch of a step tells, else the only one
// that there is.
func (l *entireListing) where(parts []part) string {
	for _, p := range slices.Backward(parts) {
		for _, d := range l.places {
			if p.step != nil && p.step.InWorkTree(d.WorkTree) {
				return d.WorkTree
			}
		}
	}
	return l.places.only()
}

// agentOf is the agent of a session in our spelling where we know it: that which its
// newest part names.
func agentOf(parts []part) string {
	names := map[string]string{
		"Claude Code": "claude-code", "Gemini CLI": "gemini", "Codex": "codex", "Cursor": "cursor", "Copilot CLI": "copilot", "OpenCode": "opencode",
	}
	for _, p := range slices.Backward(parts) {
		if name := p.session.Agent; name != "" {
			return cmp.Or(names[name], name)
		}
	}
	return SourceEntire
}

// titleOf is the beginning of a prompt, on one line.
func titleOf(prompt string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(prompt[:min(len(prompt), 8*most)]), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
