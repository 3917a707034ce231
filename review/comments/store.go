package comments

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
)

// Files in the state folder.
const (
	listName    = "comments.json"
	lockName    = "comments.lock"
	waitingName = "handover.json"
	toldName    = "told"
)

// Version of the files; a newer one is refused, not guessed at.
const version = 1

// textLimit is the longest comment in bytes, lockWait how long another process is
// waited for.
const (
	textLimit = 16 << 10
	lockWait  = 5 * time.Second
)

// Deps is what a store stands on.
type Deps struct {
	Repo  *gitops.Repo
	Clock model.Clock
	IDs   *model.IDSource
	Trace trace.Recorder
}

// Store holds the comments of one work tree. It is safe for several processes.
type Store struct{ Deps }

// New returns the store of one work tree; nothing is read or made until it is asked.
func New(d Deps) *Store { return &Store{d} }

type list struct {
	Version  int             `json:"version"`
	Comments []model.Comment `json:"comments"`
}

// List is all comments, oldest first, with when the agent was told of each; one that
// was changed since counts as not told.
func (s *Store) List() ([]model.Comment, error) {
	all, err := s.read()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	told, err := s.told()
	if err != nil {
		return nil, err
	}
	for i := range all {
		c := &all[i]
		for _, h := range told {
			if slices.Contains(h.Comments, c.ID) && !c.At.After(h.At) {
				c.Told = h.when()
			}
		}
	}
	return all, nil
}

func (s *Store) read() ([]model.Comment, error) {
	var l list
	if err := readFile(s.path(listName), &l, &l.Version); err != nil {
		return nil, err
	}
	return l.Comments, nil
}

// readFile reads a file of the store; one that is not there leaves v as it is.
func readFile(path string, v any, found *int) error {
	data, err := durable.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err == nil && *found > version {
		err = errors.New("it was written by a newer overturn")
	}
	if err != nil {
		return unreadable(path, err)
	}
	return nil
}

func unreadable(path string, err error) error {
	return model.Failf(err, "%s cannot be read", path).WithHint("move it away to begin anew; nothing else refers to it")
}

// Save writes a comment: a new one where it has no id (it gets one), else the one
// that has it, which then counts as not told.
func (s *Store) Save(ctx context.Context, c model.Comment) (model.Comment, error) {
	c.Text = strings.ToValidUTF8(strings.TrimSpace(c.Text), "\uFFFD")
	switch {
	case c.Text == "":
		return c, model.Usagef("a comment needs a text")
	case len(c.Text) > textLimit:
		return c, model.Usagef("the comment is %d bytes long; at most %d are kept", len(c.Text), textLimit)
	}
	c.At, c.Told = s.Clock().UTC(), nil
	err := s.change(ctx, func(all []model.Comment) ([]model.Comment, error) {
		if c.ID == "" {
			id, err := s.IDs.New()
			c.ID = id
			return append(all, c), err
		}
		i := slices.IndexFunc(all, func(o model.Comment) bool { return o.ID == c.ID })
		if i < 0 {
			return nil, unknown(c.ID)
		}
		all[i] = c
		return all, nil
	})
	return c, err
}

// Delete removes comments for good; an id that is not there is CodeUsage, and nothing
// is removed.
func (s *Store) Delete(ctx context.Context, ids ...model.ID) error {
	return s.change(ctx, func(all []model.Comment) ([]model.Comment, error) {
		for _, id := range ids {
			n := len(all)
			if all = slices.DeleteFunc(all, func(c model.Comment) bool { return c.ID == id }); len(all) == n {
				return nil, unknown(id)
			}
		}
		return all, nil
	})
}

func unknown(id model.ID) error {
	return model.Usagef("there is no comment %s", id).WithHint("`overturn comments` lists them")
}

// change replaces the list by what f makes of it, under the lock.
func (s *Store) change(ctx context.Context, f func([]model.Comment) ([]model.Comment, error)) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := s.read()
	if err != nil {
		return err
	}
	if all, err = f(all); err != nil {
		return err
	}
	return s.replace(listName, list{version, model.NotNil(all)})
}

func (s *Store) replace(name string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err == nil {
		err = durable.ReplaceFile(s.path(name), append(data, '\n'), 0o600)
	}
	if err != nil {
		return model.Failf(err, "the comments cannot be written")
	}
	return nil
}

func (s *Store) path(parts ...string) string {
	return filepath.Join(append([]string{s.Repo.StateDir()}, parts...)...)
}

func (s *Store) lock(ctx context.Context) (func(), error) {
	if err := s.Repo.EnsureStateDir(); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := durable.Acquire(waiting, s.path(lockName), "comments")
	if err != nil {
		return nil, err
	}
	durable.SweepTemps(s.path(listName))
	return func() { _ = lock.Unlock() }, nil // the system frees it with the process at the latest
}
