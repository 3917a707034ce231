package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
)

// examined is how many rollbacks of the history are looked at, the newest ones.
const examined = 200

// interrupted looks for a rollback that was cut short.
func (e *exam) interrupted() {
	const check = "interrupted-rollback"
	open, err := journal.Open(e.Repo.StateDir()).Unsettled()
	if err != nil {
		e.failed(check, err, "see that you may read "+e.Repo.StateDir())
		return
	}
	if len(open) == 0 {
		e.good(check, "none")
		return
	}
	if who, held, _ := durable.Held(filepath.Join(e.Repo.StateDir(), "rollback.lock")); held {
		e.good(check, "%s is under way: %s", open[0], holder(who))
		return
	}
	for _, id := range open {
		entry, err := journal.Open(e.Repo.StateDir()).Read(id)
		if err != nil {
			continue // history says that it is damaged
		}
		e.bad(check, "overturn recover --unwind puts back what stood before, overturn recover --finish carries out the rest",
			"%s %s was cut short at %d of %s", entry.Kind, id, e.Rollback.Replaced(entry), count(len(entry.Targets), "path"))
	}
}

// history looks whether every rollback can still be taken back: its journal can be
// read, and the raw bytes from before and after are stored.
func (e *exam) history() {
	const check = "history"
	store := journal.Open(e.Repo.StateDir())
	ids, err := store.IDs()
	if err != nil {
		e.failed(check, err, "see that you may read "+e.Repo.StateDir())
		return
	}
	ids = ids[:min(len(ids), examined)]
	whole, let := 0, 0
	for _, id := range ids {
		entry, err := store.Read(id)
		var damaged *journal.Damaged
		switch {
		case errors.As(err, &damaged):
			e.bad(check, fmt.Sprintf("mv %s aside to go on without it; what stood there before is in refs/overturn/safety/%s", model.ShellWord(damaged.File), id), "%v", damaged)
		case err != nil: // it never began
		default:
			switch lost, held := e.lost(entry); {
			case lost == 0:
				whole++
			case !held:
				let++ // pruned: what it held was let go on purpose
			default:
				e.bad(check, "copy the missing objects from another clone or a backup of .git/objects; git fsck names them", "%s %s cannot be taken back: %s no longer stored", entry.Kind, id, count(lost, "content"))
			}
		}
	}
	if len(ids) == 0 {
		e.good(check, "no rollback yet")
	} else if whole == len(ids) {
		e.good(check, "%s, each with the bytes from before and after", count(whole, "rollback"))
	} else if whole > 0 || let > 0 {
		e.good(check, "%s with the bytes from before and after; %d let go by prune", count(whole, "rollback"), let)
	}
}

// lost counts the stored bytes that an entry lacks; held tells whether its safety
// snapshot still has its ref.
func (e *exam) lost(entry *journal.Entry) (lost int, held bool) {
	oid, err := e.Refs.Read(e.ctx, entry.Safety)
	held = err == nil && oid != ""
	if held && oid != entry.SafetyOID {
		lost++
	}
	for _, t := range entry.Targets {
		for _, oid := range []string{t.Before, t.After} {
			if oid == "" {
				continue
			}
			if has, err := e.Objects.Has(e.ctx, oid); err == nil && !has {
				lost++
			}
		}
	}
	return lost, held
}

// leftovers looks for files of overturn's own beside the user's: where rollbacks had
// targets, and wherever git sees something new.
func (e *exam) leftovers() {
	const check = "left-overs"
	found, err := e.besides()
	if err != nil {
		e.failed(check, err, "")
		return
	}
	if len(found) == 0 {
		e.good(check, "no file of overturn's own in the work tree")
		return
	}
	repair := "overturn recover, if a rollback was cut short; else compare each with the file beside it and remove it: it holds what stood there before or was to stand there"
	e.bad(check, repair, "%s left in the work tree by a rollback that was killed: %s", count(len(found), "file"), some(found))
}

func (e *exam) besides() ([]string, error) {
	found := map[string]bool{}
	for folder := range e.targetFolders() {
		entries, err := os.ReadDir(filepath.Join(e.Repo.Root, filepath.FromSlash(string(folder))))
		if err != nil {
			continue // gone, or no folder any more
		}
		for _, entry := range entries {
			if p := join(folder, entry.Name()); worktree.IsBeside(p) {
				found[string(p)] = true
			}
		}
	}
	out, err := e.Repo.Git(e.ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Split(string(out), "\x00") {
		if worktree.IsBeside(model.Path(name)) {
			found[name] = true
		}
	}
	list := make([]string, 0, len(found))
	for name := range found {
		list = append(list, name)
	}
	sort.Strings(list)
	return list, nil
}

// targetFolders are the folders in which rollbacks wrote.
func (e *exam) targetFolders() map[model.Path]bool {
	folders := map[model.Path]bool{"": true}
	store := journal.Open(e.Repo.StateDir())
	ids, err := store.IDs()
	if err != nil {
		return folders
	}
	for _, id := range ids[:min(len(ids), examined)] {
		entry, err := store.Read(id)
		if err != nil {
			continue
		}
		for _, t := range entry.Targets {
			folders[worktree.Dir(t.Target.Path)] = true
		}
	}
	return folders
}
