package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// Parts lists the folders right below prefix, which ends in a slash, that hold refs:
// in order, each once. No ref is read, so that it costs a folder and packed-refs,
// however many refs there are. A folder of loose refs may turn out to be empty.
func (s *Store) Parts(ctx context.Context, prefix string) ([]string, error) {
	found := map[string]bool{}
	if s.repo.RefStorage != "files" {
		held := map[string]string{}
		if err := s.askList(ctx, held, prefix); err != nil {
			return nil, err
		}
		for name := range held {
			if part, _, deeper := strings.Cut(strings.TrimPrefix(name, prefix), "/"); deeper {
				found[part] = true
			}
		}
		return sorted(found), nil
	}
	entries, err := os.ReadDir(s.path(prefix)) // loose ones first, as in collect
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, model.Failf(err, "cannot list refs below %s", prefix)
	}
	for _, e := range entries {
		if e.IsDir() {
			found[e.Name()] = true
		}
	}
	data, err := s.repo.PackedRefsData()
	if err != nil {
		return nil, err
	}
	err = gitops.PackedParts(data, prefix, func(part string) { found[part] = true })
	return sorted(found), err
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
