package comments

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
)

// HandOver is what the user asked to be said to an agent.
type HandOver struct {
	Version   int            `json:"version"`
	ID        model.ID       `json:"id"`
	At        time.Time      `json:"at"`     // when the user asked
	Thread    model.ThreadID `json:"thread"` // whose next prompt it goes with
	Agent     string         `json:"agent"`
	Text      string         `json:"text"` // word for word
	Comments  []model.ID     `json:"comments"`
	TakenBack []model.ID     `json:"taken_back"`
	Told      *model.Told    `json:"told"` // nil: it waits, or a crash cut the telling short

	record time.Time // when the told record was written, where it has no time
}

// when is when it was told.
func (h HandOver) when() *model.Told {
	if h.Told != nil {
		return h.Told
	}
	return &model.Told{At: h.record, Agent: h.Agent, Thread: h.Thread}
}

// Waiting is what waits for an agent's next prompt, or nil.
func (s *Store) Waiting() (*HandOver, error) {
	var h HandOver
	if err := readFile(s.path(waitingName), &h, &h.Version); err != nil || h.ID == "" {
		return nil, err
	}
	if _, err := model.ParseID(string(h.ID)); err != nil { // it becomes the name of a file
		return nil, unreadable(s.path(waitingName), err)
	}
	return &h, nil
}

// Ask lets h wait for the next prompt of its thread, in place of what waited before.
func (s *Store) Ask(ctx context.Context, h HandOver) (HandOver, error) {
	if h.Thread == "" || h.Text == "" {
		return h, model.Usagef("a hand-over needs a thread and a text")
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return h, err
	}
	defer unlock()
	if h.ID, err = s.IDs.New(); err != nil {
		return h, err
	}
	h.Version, h.At, h.Told = version, s.Clock().UTC(), nil
	return h, s.replace(waitingName, h)
}

// Withdraw drops what waits, and tells whether anything did.
func (s *Store) Withdraw(ctx context.Context) (bool, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	durable.Point("comments.withdraw.remove")
	err = os.Remove(s.path(waitingName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = durable.SyncDir(s.Repo.StateDir())
	}
	if err != nil {
		return false, model.Failf(err, "the hand-over cannot be withdrawn")
	}
	return true, nil
}

// Tell says what waits for to.Thread, if anything does: say writes it where the agent
// reads. It is claimed first, so that it is said once whatever comes between; where
// say fails it waits again. It tells what was said, or nil. Where nothing waits it
// costs one look.
func (s *Store) Tell(ctx context.Context, to model.Told, say func(HandOver) error) (*HandOver, error) {
	if _, err := os.Lstat(s.path(waitingName)); err != nil {
		return nil, nil // as good as always there is none
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	h, err := s.Waiting()
	if err != nil || h == nil || h.Thread != to.Thread {
		return nil, err
	}
	record := filepath.Join(toldName, string(h.ID)+".json")
	if err := s.claim(record); err != nil {
		return nil, model.Failf(err, "the hand-over cannot be claimed")
	}
	if err := say(*h); err != nil {
		durable.Point("comments.tell.back")
		return nil, model.Failf(errors.Join(err, os.Rename(s.path(record), s.path(waitingName))), "the agent could not be told")
	}
	h.Told = &to
	s.Trace.Record(trace.Event{Event: trace.AgentTold, Thread: to.Thread, Turn: to.Turn, ID: h.ID,
		Detail: map[string]any{"agent": to.Agent, "comments": h.Comments, "taken_back": h.TakenBack, "bytes": len(h.Text)}})
	return h, s.replace(record, h)
}

// claim moves what waits among what was told, durably.
func (s *Store) claim(record string) error {
	if err := s.makeTold(); err != nil {
		return err
	}
	durable.Point("comments.claim.rename")
	if err := os.Rename(s.path(waitingName), s.path(record)); err != nil {
		return err
	}
	return errors.Join(durable.SyncDir(s.path(toldName)), durable.SyncDir(s.Repo.StateDir()))
}

// makeTold makes the folder of what was told, where it is missing.
func (s *Store) makeTold() error {
	durable.Point("comments.maketold.mkdir")
	if err := os.Mkdir(s.path(toldName), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(s.path(toldName)); err != nil || !info.IsDir() {
		return errors.Join(err, errors.New(s.path(toldName)+" is no folder")) // a link would lead elsewhere
	}
	return nil
}

// told lists what agents were told, oldest first.
func (s *Store) told() ([]HandOver, error) {
	entries, err := os.ReadDir(s.path(toldName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, model.Failf(err, "what agents were told cannot be listed")
	}
	var all []HandOver
	for _, e := range entries { // by name: ids ascend with time
		if filepath.Ext(e.Name()) != ".json" || e.Name()[0] == '.' {
			continue
		}
		var h HandOver
		if readFile(s.path(toldName, e.Name()), &h, &h.Version) != nil {
			continue // what it told of counts as not told; the comments are worth more
		}
		if info, err := e.Info(); err == nil {
			h.record = info.ModTime().UTC()
		}
		all = append(all, h)
	}
	return all, nil
}

// ToldBack tells of which rollbacks an agent was told.
func (s *Store) ToldBack() (map[model.ID]bool, error) {
	told, err := s.told()
	if err != nil {
		return nil, err
	}
	ids := map[model.ID]bool{}
	for _, h := range told {
		for _, id := range h.TakenBack {
			ids[id] = true
		}
	}
	return ids, nil
}
