package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// repositoryFile, in the state folder of the common git directory, holds the id of the
// repository: a ULID and a newline.
const repositoryFile = "repository"

// repositoryWait bounds the wait for another process that makes the id.
const repositoryWait = time.Second

// repositoryID is the id of this clone, that of all of its work trees, made once: by it
// readers elsewhere tell its threads from those of other clones that have the same names.
// It is drawn by lot and tells of no host or user. "" where it can be neither read nor
// made: the record is as true without it.
func (l *Ledger) repositoryID(ctx context.Context) string {
	path := filepath.Join(l.d.Repo.CommonDir, "overturn", repositoryFile)
	if id, err := readRepositoryID(path); id != "" || err != nil {
		return id
	}
	durable.Point("ledger.repository.mkdir")
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return ""
	}
	waiting, cancel := context.WithTimeout(ctx, repositoryWait)
	defer cancel()
	lock, err := durable.Acquire(waiting, path+".lock", "naming the repository")
	if err != nil {
		return ""
	}
	defer lock.Unlock()
	if id, err := readRepositoryID(path); id != "" || err != nil {
		return id
	}
	id, err := l.d.IDs.New()
	if err != nil {
		return ""
	}
	durable.SweepTemps(path)
	if durable.ReplaceFile(path, []byte(string(id)+"\n"), 0o600) != nil {
		return ""
	}
	return string(id)
}

// readRepositoryID is "" where the file is absent or holds no id; then one may be made.
func readRepositoryID(path string) (string, error) {
	data, err := durable.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	id, err := model.ParseID(strings.TrimSuffix(string(data), "\n"))
	if err != nil {
		return "", nil //nolint:nilerr // torn, or not ours
	}
	return string(id), nil
}
