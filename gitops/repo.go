package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"overturn/model"
	"overturn/model/durable"
)

// Env is the environment of the process, handed in. Environ is in the form of
// os.Environ. Without a Clock no facts are kept: they need to know how fresh the
// files are that they came from.
type Env struct {
	Getenv  func(string) string
	Environ []string
	Clock   model.Clock
}

// MainWorkTree is the name of the work tree that is no linked one.
const MainWorkTree = "main"

// Repo is one work tree of one repository. All paths are absolute and free of
// symbolic links, so two spellings of a folder give equal values. It is safe for
// several goroutines.
type Repo struct {
	Root         string // top of the work tree
	GitDir       string // git directory of this work tree
	CommonDir    string // git directory that all work trees share
	WorkTree     string // MainWorkTree, or the linked work tree's name
	ObjectFormat string // "sha1" or "sha256"
	RefStorage   string // "files" or another backend's name, e.g. "reftable"

	env    Env
	config map[string]string

	packed packedFile

	mu      sync.Mutex
	pending *facts // learnt from git, not yet kept; nil once it is
}

// StateDir is the folder of overturn's local state for this work tree. It need
// not exist; see EnsureStateDir.
func (r *Repo) StateDir() string { return filepath.Join(r.GitDir, stateName) }

// stateName is the folder in a git directory that CONTRACT section 4 names.
const stateName = "overturn"

// EnsureStateDir makes the state folder, for its owner alone, and keeps what Find
// learnt, so that the next Find need not ask git.
func (r *Repo) EnsureStateDir() error {
	durable.Point("gitops.ensurestatedir.mkdir")
	if err := os.Mkdir(r.StateDir(), 0o700); err != nil && !os.IsExist(err) {
		return model.Failf(err, "cannot make the state folder").WithHint("check that %s can be written", r.GitDir)
	}
	r.keepFacts()
	return nil
}

// Config is the effective value of a setting of git, as of Find; the last one
// given where there are several. Section and variable are in lower case, the
// subsection as written. A variable without a value is "true".
func (r *Repo) Config(key string) (string, bool) {
	v, ok := r.config[key]
	return v, ok
}

// ConfigKeys are the settings whose keys begin with prefix, in no order.
func (r *Repo) ConfigKeys(prefix string) []string {
	var keys []string
	for key := range r.config {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Env is the environment that was handed to Find.
func (r *Repo) Env() Env { return r.env }

// HashSize is the length in bytes of an object id of this repository.
func (r *Repo) HashSize() int {
	if r.ObjectFormat == "sha256" {
		return 32
	}
	return 20
}
