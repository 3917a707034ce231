// Package refs reads and moves overturn's hidden refs.
package refs

import (
	"context"

	"overturn/gitops"
)

// Ref is one ref and the object it names.
type Ref struct{ Name, OID string }

// Update moves one ref. Old "" says that it must not exist, New "" deletes it.
type Update struct{ Name, Old, New string }

// MovedError is a ref that does not hold the value that an Update expected.
// errors.Is(err, ErrMoved) holds for it.
type MovedError struct{ Name, Want, Found string }

func (e *MovedError) Error() string { return "ref " + e.Name + " moved" }

// Store reads and moves the refs of one repository. It is safe for several
// goroutines and several processes.
type Store struct{ repo *gitops.Repo }

// New returns the store of repo's refs.
func New(repo *gitops.Repo) *Store { return &Store{repo} }

// Read returns the object that name points at, "" when there is no such ref.
func (s *Store) Read(ctx context.Context, name string) (string, error) { return "", nil }

// List returns the refs that are prefix or lie below it, by whole components, in
// order of their names.
func (s *Store) List(ctx context.Context, prefix string) ([]Ref, error) { return nil, nil }

// Apply makes all updates or none.
func (s *Store) Apply(ctx context.Context, updates []Update) error { return nil }
