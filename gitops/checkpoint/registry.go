package checkpoint

import (
	"slices"
	"strings"

	"overturn/model"
)

// The names of the backends in settings.
const (
	TypeRefs   = "git-refs"
	TypeBranch = "git-branch"
	TypeFiles  = "files"
)

// Backend is one way to keep records.
type Backend struct {
	// GitBacked tells that records lie in this repository's own object store;
	// only such a backend can be the primary.
	GitBacked bool
	Open      func(Context) (Store, error)
}

// Registry knows the backends that this program was built with.
type Registry struct {
	backends map[string]Backend
}

// NewRegistry holds the given backends by type name.
func NewRegistry(backends map[string]Backend) *Registry {
	return &Registry{backends}
}

// Types lists the names that take the given role, in order.
func (r *Registry) Types(primary bool) []string {
	var names []string
	for name, b := range r.backends {
		if b.GitBacked || !primary {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Check tells whether name can be the primary, or a mirror (CodeUsage, naming
// the ones that can). An unknown name and one that cannot be the primary are
// different answers.
func (r *Registry) Check(name string, primary bool) error {
	b, ok := r.backends[name]
	switch {
	case !ok:
		return model.Usagef("there is no checkpoint backend %q", name).
			WithHint("use one of: %s", strings.Join(r.Types(primary), ", "))
	case primary && !b.GitBacked:
		return model.Usagef("checkpoint backend %q does not keep records in the repository, so it can only be a mirror", name).
			WithHint("as primary use one of: %s", strings.Join(r.Types(true), ", "))
	}
	return nil
}

// Open builds the backend of the given name, in the given role.
func (r *Registry) Open(name string, primary bool, c Context) (Store, error) {
	if err := r.Check(name, primary); err != nil {
		return nil, err
	}
	return r.backends[name].Open(c)
}
