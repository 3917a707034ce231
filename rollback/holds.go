package rollback

import (
	"errors"
	"io/fs"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
)

// Held is what a work tree needs of turns: scopes that something is staged from, and
// those of a rollback that was cut short.
type Held struct {
	Scope  model.Scope
	Reason string
}

// HeldBy lists what the work tree with that state folder needs. A staged set or a
// journal that cannot be read is an error: nobody knows what it needs.
func HeldBy(stateDir string) ([]Held, error) {
	var list []Held
	add := func(scope string, thread model.ThreadID, reason string) error {
		s, err := model.ParseScope(scope)
		if err != nil {
			return err
		}
		s.Thread = thread
		list = append(list, Held{s, reason})
		return nil
	}
	data, err := durable.ReadFile(filepath.Join(stateDir, stagedFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, model.Failf(err, "the staged set cannot be read")
	}
	if err == nil {
		set, err := decodeStaged(data)
		if err != nil {
			return nil, model.Failf(err, "the staged set %s cannot be used", filepath.Join(stateDir, stagedFile)).
				WithHint("`overturn unstage` without a path moves it aside and starts an empty one")
		}
		for _, s := range set.Scopes {
			if err := add(s.Scope, s.Thread, "something of it is staged"); err != nil {
				return nil, err
			}
		}
	}
	store := journal.Open(stateDir)
	open, err := store.Unsettled()
	if err != nil {
		return nil, err
	}
	for _, id := range open {
		entry, err := store.Read(id)
		if err != nil {
			return nil, withDamageHint(err)
		}
		for _, scope := range entry.Scopes {
			if err := add(scope, "", "a rollback of it was interrupted"); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}
