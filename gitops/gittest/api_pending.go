// Package gittest makes throw-away repositories for tests.
package gittest

import (
	"testing"

	"overturn/gitops"
)

// Repo is a throw-away repository.
type Repo struct {
	Root string
	Env  gitops.Env // hermetic; hand it to gitops.Find and to programs under test
	t    testing.TB
}

// Option changes how New makes the repository.
type Option func(*options)

type options struct{ initArgs []string }

// InitArgs adds arguments to git init, e.g. "--object-format=sha256".
func InitArgs(args ...string) Option {
	return func(o *options) { o.initArgs = append(o.initArgs, args...) }
}

// New makes an empty repository on branch main; it is checked when the test ends.
func New(t testing.TB, opts ...Option) *Repo { return &Repo{t: t} }

// Write writes a file, making its folders.
func (r *Repo) Write(path, content string) {}

// Read returns a file's bytes.
func (r *Repo) Read(path string) string { return "" }

// Remove removes a file or a whole folder.
func (r *Repo) Remove(path string) {}

// Chmod sets permission bits.
func (r *Repo) Chmod(path string, perm uint32) {}

// Symlink makes path a link to target.
func (r *Repo) Symlink(target, path string) {}

// Git runs git in the repository and returns its output without the last newline.
func (r *Repo) Git(args ...string) string { return "" }

// GitMayFail is Git that returns the error.
func (r *Repo) GitMayFail(args ...string) (string, error) { return "", nil }

// Commit adds everything and commits; it returns the commit's id.
func (r *Repo) Commit(message string) string { return "" }

// Open is gitops.Find on the repository.
func (r *Repo) Open() *gitops.Repo { return nil }

// State is what no capture or review may change; see Repo.Protected.
type State struct{ entries map[string]string }

// Diff says what differs, "" when nothing does.
func (s State) Diff(now State) string { return "" }

// Protected takes the protected state now.
func (r *Repo) Protected(t testing.TB) State { return State{} }
