package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// Ref is one ref and the object that it names.
type Ref struct{ Name, OID string }

// Update moves one ref. Old "" says that it must not exist, New "" deletes it.
type Update struct{ Name, Old, New string }

// ErrMoved is what every MovedError is.
var ErrMoved = errors.New("the ref holds another value")

// MovedError is a ref that does not hold the value that an Update expected. ""
// stands for no ref. errors.Is(err, ErrMoved) holds for it.
type MovedError struct{ Name, Want, Found string }

func (e *MovedError) Error() string {
	say := func(oid string) string {
		if oid == "" {
			return "nothing"
		}
		return oid
	}
	return fmt.Sprintf("ref %s holds %s where %s was expected", e.Name, say(e.Found), say(e.Want))
}

// Is makes a MovedError an ErrMoved.
func (e *MovedError) Is(target error) bool { return target == ErrMoved }

// Store reads and moves the refs of one repository. It is safe for several
// goroutines and several processes.
type Store struct{ repo *gitops.Repo }

// New returns the store of repo's refs.
func New(repo *gitops.Repo) *Store { return &Store{repo} }

// Read returns the object that name points at, "" when there is no such ref.
func (s *Store) Read(ctx context.Context, name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if s.repo.RefStorage == "files" {
		return s.repo.ResolveRef(name)
	}
	out, err := s.repo.Git(ctx, "rev-parse", "-q", "--verify", name)
	if exit, ok := gitops.ExitOf(err); ok && exit == 1 {
		return "", nil
	}
	if err != nil {
		return "", model.Failf(err, "cannot read ref %s", name)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// Values reads several refs: those that are there, by their names. packed-refs is
// read once at most.
func (s *Store) Values(ctx context.Context, names []string) (map[string]string, error) {
	held := make(map[string]string, len(names))
	if len(names) == 0 {
		return held, nil
	}
	if s.repo.RefStorage != "files" {
		return held, s.askValues(ctx, names, held)
	}
	// Loose ones first, as in collect.
	var rest []string
	for _, name := range names {
		if err := checkName(name); err != nil {
			return nil, err
		}
		oid, err := s.looseValue(name)
		switch {
		case err != nil:
			return nil, err
		case oid != "":
			held[name] = oid
		default:
			rest = append(rest, name)
		}
	}
	if len(rest) == 0 {
		return held, nil
	}
	data, err := s.repo.PackedRefsData()
	for i := 0; err == nil && i < len(rest); i++ {
		var oid string
		if oid, err = gitops.LookupPacked(data, rest[i]); oid != "" {
			held[rest[i]] = oid
		}
	}
	return held, err
}

// askedAtOnce is how many names go into one command line.
const askedAtOnce = 500

func (s *Store) askValues(ctx context.Context, names []string, held map[string]string) error {
	for some := range slices.Chunk(names, askedAtOnce) {
		found := map[string]string{}
		if err := s.askList(ctx, found, some...); err != nil {
			return err
		}
		for _, name := range some {
			if oid := found[name]; oid != "" { // a name that is a folder lists what is below
				held[name] = oid
			}
		}
	}
	return nil
}

// List returns the refs that are prefix or lie below it, by whole parts, in order
// of their names. A prefix above overturn's own lists overturn's refs alone.
func (s *Store) List(ctx context.Context, prefix string) ([]Ref, error) {
	found := map[string]string{}
	for _, own := range prefixes() {
		start := ""
		switch {
		case below(prefix, own):
			start = prefix
		case below(own, prefix) || prefix == "":
			start = own
		default:
			continue
		}
		if err := s.collect(ctx, strings.TrimSuffix(start, "/"), found); err != nil {
			return nil, err
		}
	}
	list := make([]Ref, 0, len(found))
	for name, oid := range found {
		list = append(list, Ref{name, oid})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

func (s *Store) collect(ctx context.Context, prefix string, found map[string]string) error {
	if s.repo.RefStorage != "files" {
		return s.askList(ctx, found, prefix)
	}
	// Loose first: a ref that is packed meanwhile is in packed-refs before its file
	// goes, so none is missed; a loose value is the newer one.
	loose := map[string]string{}
	if err := s.walk(ctx, prefix, loose); err != nil {
		return err
	}
	data, err := s.repo.PackedRefsData()
	if err != nil {
		return err
	}
	err = gitops.PackedBelow(data, prefix, func(name, oid string) bool {
		if below(name, prefix) {
			found[name] = oid
		}
		return true
	})
	for name, oid := range loose {
		found[name] = oid
	}
	return err
}

// walk reads the loose refs at and below prefix.
func (s *Store) walk(ctx context.Context, prefix string, found map[string]string) error {
	root := s.path(prefix)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // packed or deleted meanwhile
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir():
			return nil
		}
		name := prefix + filepath.ToSlash(strings.TrimPrefix(path, root))
		if checkName(name) != nil {
			return nil // a lock, or nothing of ours
		}
		oid, err := s.repo.ResolveRef(name)
		if err == nil && oid != "" {
			found[name] = oid
		}
		return err
	})
	if err != nil {
		return model.Failf(err, "cannot list refs below %s", prefix)
	}
	return nil
}

func (s *Store) askList(ctx context.Context, found map[string]string, below ...string) error {
	out, err := s.repo.Git(ctx, append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, below...)...)
	if err != nil {
		return model.Failf(err, "cannot list refs below %s", below[0])
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		if oid, name, ok := strings.Cut(line, " "); ok {
			found[name] = oid
		}
	}
	return nil
}

func (s *Store) path(name string) string {
	return filepath.Join(s.repo.CommonDir, filepath.FromSlash(name))
}

// looseValue is what the ref's own file holds, "" when there is none.
func (s *Store) looseValue(name string) (string, error) {
	data, err := gitops.ReadFile(s.path(name))
	if err != nil {
		if info, serr := os.Lstat(s.path(name)); serr == nil && info.IsDir() || errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return "", err
	}
	value := strings.TrimRight(string(data), " \t\r\n")
	if !s.repo.IsOID(value) {
		return "", model.Errorf(model.CodeFailed, "ref %s does not hold an object id", name).
			WithHint("remove %s if nothing else writes it", s.path(name))
	}
	return value, nil
}
