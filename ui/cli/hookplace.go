package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/review/agents"
)

// binding keeps a session in the work tree of its first event: an agent's folder
// follows cd, even into a repository that the turn itself made. It is a file of
// the user's, UserDir/threads/<hash>.json; a lost one is made again.
type binding struct {
	Agent   string         `json:"agent"`
	Session model.ThreadID `json:"session"`
	Dir     string         `json:"dir"`  // that the first event named
	Root    string         `json:"root"` // of its work tree, "" when it lay in none
	At      time.Time      `json:"at"`
}

// bindingAge is after how long a binding that no event touched is forgotten.
const bindingAge = 90 * 24 * time.Hour

// find sets the repository that the session belongs to. None is no error, and
// neither is one that does not record this agent.
func (h *hookRun) find(ctx context.Context) error {
	repo, err := h.place(ctx)
	if err != nil {
		if model.CodeOf(err) == model.CodeNoRepository {
			return nil
		}
		return err
	}
	if repo == nil || h.call.ifEnabled && !h.app.recordsByUserFile(repo, h.call.agent) {
		return nil
	}
	h.repo = repo
	return nil
}

func (h *hookRun) place(ctx context.Context) (*gitops.Repo, error) {
	home := h.event.Home()
	if home == "" {
		home = h.app.dir
	}
	if abs, err := filepath.Abs(home); err == nil {
		home = abs // it is kept, and the next event may stand elsewhere
	}
	path := h.bindingPath()
	old, bound := readBinding(path)
	if bound && !h.event.Rebinds() {
		home = old.Dir
		if old.Root != "" {
			if repo, err := gitops.Find(ctx, old.Root, h.app.env); err == nil {
				return repo, nil
			}
		} else if h.event.Kind != agents.TurnStart {
			return nil, nil // it began outside any work tree
		}
	}
	repo, err := gitops.Find(ctx, home, h.app.env)
	if err != nil && model.CodeOf(err) != model.CodeNoRepository {
		return nil, err
	}
	now := binding{Agent: h.event.Agent, Session: h.event.Session, Dir: home, Root: rootOf(repo), At: h.app.env.Clock().UTC()}
	if path != "" && (!bound || now.Root != old.Root || now.Dir != old.Dir) {
		writeBinding(path, now)
	}
	return repo, err
}

// bindingPath is "" for an event without a session, and for a user without a
// folder.
func (h *hookRun) bindingPath() string {
	if h.event.Session == "" || h.app.userDir() == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(h.event.Agent + "\x00" + string(h.event.Session)))
	return filepath.Join(h.app.userDir(), "threads", hex.EncodeToString(sum[:16])+".json")
}

func readBinding(path string) (binding, bool) {
	var b binding
	src, err := os.ReadFile(path)
	return b, err == nil && json.Unmarshal(src, &b) == nil && b.Dir != ""
}

// writeBinding is not synced: what is lost is made again by the next event.
// Failing to write costs no more than that.
func writeBinding(path string, b binding) {
	text, err := json.Marshal(b)
	durable.Point("cli.writebinding.mkdir")
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil || hideFromGit(filepath.Dir(path)) != nil {
		return
	}
	forgetBindings(filepath.Dir(path), b.At)
	durable.Point("cli.writebinding.create")
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return
	}
	durable.Point("cli.writebinding.write")
	_, err = temp.Write(append(text, '\n'))
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	durable.Point("cli.writebinding.rename")
	if err != nil || os.Rename(temp.Name(), path) != nil {
		os.Remove(temp.Name())
	}
}

// hideFromGit keeps the folder out of a repository that the user's folder lies in,
// such as a home that is one: neither its status nor a capture sees it.
func hideFromGit(dir string) error {
	durable.Point("cli.hidefromgit.open")
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	durable.Point("cli.hidefromgit.write")
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// forgetBindings removes old ones, so that the folder does not grow for ever. It
// runs when a session is bound, which is rare.
func forgetBindings(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 256 {
		return
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > bindingAge {
			durable.Point("cli.forgetbindings.remove")
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
