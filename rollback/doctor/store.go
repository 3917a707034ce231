package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
)

// statTable looks whether the next capture can start from the last one.
func (e *exam) statTable() {
	const check = "stat-table"
	paths, err := e.Snapshots.CheckTable()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.good(check, "none yet: the first capture makes it")
	case err != nil:
		e.failed(check, err, "rm "+model.ShellWord(filepath.Join(e.Repo.StateDir(), "table"))+": the next capture reads every file once and makes it anew; nothing is lost")
	default:
		e.good(check, "knows %s", count(paths, "path"))
	}
}

// captures tells whether hooks capture at present.
func (e *exam) captures() {
	const check = "captures"
	if err := e.Ledger.CaptureTrouble(); err != nil {
		e.bad(check, "overturn turn start --thread check tries without a limit of time, and says what fails; leave out what takes long (.gitignore, a filter)", "%s", err)
		return
	}
	e.good(check, "are tried at every event")
}

// inbox looks at what waits to be recorded.
func (e *exam) inbox() {
	const check, settle = "inbox", "overturn status records what waits"
	b, err := e.Ledger.Backlog()
	if err != nil {
		e.failed(check, err, "see that you may read "+e.Repo.StateDir())
		return
	}
	ok := true
	say := func(repair, format string, args ...any) { e.bad(check, repair, format, args...); ok = false }
	if b.Events > 0 {
		say(settle, "%s of hooks not recorded yet, the oldest from %s ago", count(b.Events, "event"), e.since(b.Oldest))
	}
	if len(b.Records) > 0 {
		say(settle, "%s without a record yet: %s", count(len(b.Records), "turn"), b.Why)
	}
	if len(b.Gone) > 0 {
		say("overturn status closes them", "%s still open whose agent is gone", count(len(b.Gone), "turn"))
	}
	if len(b.Broken) > 0 {
		say("look at them and remove them: an event that cannot be read is never recorded", "set aside, as no events: %s", some(b.Broken))
	}
	switch {
	case !ok:
	case len(b.Open) > 0:
		e.good(check, "empty; %s under way", count(len(b.Open), "turn"))
	default:
		e.good(check, "empty")
	}
}

// staleTemp is when a temporary file of overturn's is taken for one of a process that
// was killed.
const staleTemp = time.Hour

// storage says what overturn costs on the disk.
func (e *exam) storage() {
	const check = "storage"
	used, err := e.Objects.Usage()
	if err != nil {
		e.failed(check, err, "see that you may read "+filepath.Join(e.Repo.CommonDir, "objects"))
		return
	}
	var state int64
	var temps, yards []string
	for _, dir := range e.stateFolders() {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if d != nil && e.oldYard(name, d) {
					yards = append(yards, name)
					return fs.SkipDir
				}
				if d != nil && e.oldTemp(name, d) {
					temps = append(temps, name)
				}
				return e.ctx.Err()
			}
			info, err := d.Info()
			if err != nil {
				return nil
			}
			state += info.Size()
			if e.oldTemp(name, d) {
				temps = append(temps, name)
			}
			return nil
		})
	}
	detail := fmt.Sprintf("%s in %s of our own, state %s", size(used.Bytes), count(used.Packs, "pack"), size(state))
	if used.Retired > 0 {
		detail += ", of it " + size(used.Retired) + " let go and waiting for git gc"
	}
	if n := len(used.Leftovers); n > 0 {
		detail += ", " + count(n, "unfinished pack") + " of killed processes, removed with the next turn"
	}
	e.good(check, "%s", detail)
	if len(yards) > 0 {
		e.bad(check, "rm -rf "+model.ShellWord(yards[0])+": nothing of yours is in it", "left by a trial that was killed: %s", some(yards))
	}
	if len(temps) > 0 {
		e.bad(check, "rm -r them: they are of overturns that were killed", "%s left in the state folder: %s", count(len(temps), "temporary file"), some(temps))
	}
}

// oldTemp tells whether something is a temporary file or folder of a killed process.
func (e *exam) oldTemp(name string, d fs.DirEntry) bool {
	info, err := d.Info()
	return err == nil && filepath.Ext(name) == ".tmp" && e.now.Sub(info.ModTime()) > staleTemp
}

// oldYard tells whether a folder is that of a trial which is not under way.
func (e *exam) oldYard(name string, d fs.DirEntry) bool {
	info, err := d.Info()
	return err == nil && strings.HasPrefix(d.Name(), "trial-") && filepath.Dir(name) == e.Repo.StateDir() && e.now.Sub(info.ModTime()) > staleTemp
}

// stagedSet looks whether what is staged can be read.
func (e *exam) stagedSet() {
	const check = "staged-set"
	staged, err := e.Rollback.Staged(e.ctx)
	if err != nil {
		e.failed(check, err, "overturn unstage")
		return
	}
	if len(staged) == 0 {
		e.good(check, "empty")
		return
	}
	e.good(check, "%s staged", count(len(staged), "path"))
}
