package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/review/agents"
)

// enabledName is the file of marks in the state folder that all work trees of a
// repository share, and in the user's folder.
const enabledName = "enabled.json"

// repoMarks says what enable did for one repository.
type repoMarks struct {
	Agents map[string]*repoMark `json:"agents"`
}

type repoMark struct {
	// Where is the place that was chosen last: hooks of the user's file record
	// here only when it is "user".
	Where agents.Where `json:"where"`
	// At is when hooks were put in place last; zero: not known.
	At time.Time `json:"at,omitzero"`
	// Folders are the topmost that enable made, to be removed when they are empty.
	Folders []string `json:"folders,omitempty"`
}

// userMarks says for whom the hooks in the user's own files are there.
type userMarks struct {
	Agents map[string]*userMark `json:"agents"`
}

type userMark struct {
	All          bool     `json:"all,omitempty"`          // record in every repository
	Repositories []string `json:"repositories,omitempty"` // git directories of those that were enabled
	Folders      []string `json:"folders,omitempty"`      // that enable made
}

// enabledAt is when the agent's hooks were put in place for this repository last; zero
// where that is not known.
func enabledAt(repo *gitops.Repo, agent string) time.Time {
	if repo == nil {
		return time.Time{}
	}
	marks, err := readRepoMarks(repo)
	if err != nil || marks.Agents[agent] == nil {
		return time.Time{}
	}
	return marks.Agents[agent].At
}

func repoMarksPath(repo *gitops.Repo) string {
	return filepath.Join(repo.CommonDir, filepath.Base(repo.StateDir()), enabledName)
}

func (a *app) userMarksPath() string { return filepath.Join(a.userDir(), enabledName) }

func readRepoMarks(repo *gitops.Repo) (repoMarks, error) {
	var m repoMarks
	err := readMarks(repoMarksPath(repo), &m)
	if m.Agents == nil {
		m.Agents = map[string]*repoMark{}
	}
	return m, err
}

func (a *app) readUserMarks() (userMarks, error) {
	var m userMarks
	err := readMarks(a.userMarksPath(), &m)
	if m.Agents == nil {
		m.Agents = map[string]*userMark{}
	}
	return m, err
}

func (m userMarks) of(agent string) *userMark {
	if m.Agents[agent] == nil {
		m.Agents[agent] = &userMark{}
	}
	return m.Agents[agent]
}

// add enters a repository and forgets those that are gone.
func (m *userMark) add(gitDir string) {
	m.Repositories = slices.DeleteFunc(m.Repositories, func(dir string) bool {
		_, err := os.Stat(dir)
		return dir == gitDir || errors.Is(err, fs.ErrNotExist)
	})
	m.Repositories = append(m.Repositories, gitDir)
}

func (m *userMark) remove(gitDir string) {
	m.add(gitDir)
	m.Repositories = m.Repositories[:len(m.Repositories)-1]
}

func readMarks(path string, into any) error {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(src, into)
	}
	if err != nil {
		return model.Failf(err, "cannot read %s", path).WithHint("remove the file and run overturn enable again")
	}
	return nil
}

// writeMarks keeps marks, or removes their file when none is left.
func writeMarks(path string, marks any, none bool) error {
	if none {
		durable.Point("cli.writemarks.remove")
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return model.Failf(err, "cannot remove %s", path)
		}
		return nil
	}
	text, err := json.MarshalIndent(marks, "", "  ")
	if err != nil {
		return model.Failf(err, "cannot write %s", path)
	}
	durable.Point("cli.writemarks.mkdir")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return model.Failf(err, "cannot make the folder %s", filepath.Dir(path))
	}
	return durable.ReplaceFile(path, append(text, '\n'), 0o600)
}

// lockMarks keeps two runs of enable or disable of one user apart.
func (a *app) lockMarks(ctx context.Context) (*durable.Lock, error) {
	if a.userDir() == "" {
		return nil, model.Errorf(model.CodeFailed, "there is no folder for the user's configuration").WithHint("set HOME or OVERTURN_HOME")
	}
	durable.Point("cli.lockmarks.mkdir")
	if err := os.MkdirAll(a.userDir(), 0o700); err != nil {
		return nil, model.Failf(err, "cannot make the folder %s", a.userDir())
	}
	return durable.Acquire(ctx, filepath.Join(a.userDir(), "enabled.lock"), "changing hooks of agents")
}

// recordsByUserFile tells whether a hook of the user's own file, called with
// IfEnabled, records in this repository: it was enabled that way, or all are and
// it has no hooks of its own, which would record everything twice. Marks that
// cannot be read count as none.
func (a *app) recordsByUserFile(repo *gitops.Repo, agent string) bool {
	if marks, err := readRepoMarks(repo); err == nil && marks.Agents[agent] != nil {
		return marks.Agents[agent].Where == agents.User
	}
	marks, err := a.readUserMarks()
	if err != nil || marks.Agents[agent] == nil || !marks.Agents[agent].All {
		return false
	}
	i := slices.IndexFunc(installers(), func(in installer) bool { return in.name == agent })
	return i < 0 || a.ownPlace(repo, installers()[i]) == ""
}

// ownPlace is where the repository's own files already hold the agent's hooks;
// "" when they do not.
func (a *app) ownPlace(repo *gitops.Repo, in installer) agents.Where {
	if repo == nil {
		return ""
	}
	for _, s := range in.Files(a.host(repo.Root)) {
		if s.Where == agents.User {
			continue
		}
		if events, err := agents.Installed(in, s); err == nil && len(events) > 0 {
			return s.Where
		}
	}
	return ""
}
