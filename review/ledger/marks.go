package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/wire"
)

// Marks are what saves a pass from reading every thread: an empty file for each
// turn that is open, or whose record waits. A mark may be stale (a crash came in
// between); whoever follows one looks at the turn. Names start with a dot, which
// no encoded thread id does.
const (
	markOpen    = ".open"
	markWaiting = ".waiting"
	stateName   = ".state.json"
)

func (l *Ledger) markPath(mark string, of ThreadTurn) string {
	return filepath.Join(ledgerDir(l.d.Repo.StateDir()), mark, of.Thread.RefPart()+"."+strconv.Itoa(of.Turn))
}

func (l *Ledger) setMark(mark string, of ThreadTurn) error {
	path := l.markPath(mark, of)
	durable.Point("ledger.setmark.open")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|durable.NoFollow, 0o600)
	if os.IsNotExist(err) {
		durable.Point("ledger.setmark.mkdir")
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			durable.Point("ledger.setmark.open")
			f, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|durable.NoFollow, 0o600)
		}
	}
	if err != nil {
		return localFailure(err, path)
	}
	return f.Close()
}

func (l *Ledger) clearMark(mark string, of ThreadTurn) error {
	durable.Point("ledger.clearmark.remove")
	if err := os.Remove(l.markPath(mark, of)); err != nil && !os.IsNotExist(err) {
		return localFailure(err, l.markPath(mark, of))
	}
	return nil
}

// marked lists the turns of this work tree that have a mark.
func (l *Ledger) marked(mark string) []ThreadTurn { return marksIn(l.d.Repo.StateDir(), mark) }

func marksIn(stateDir, mark string) []ThreadTurn {
	entries, err := os.ReadDir(filepath.Join(ledgerDir(stateDir), mark))
	if err != nil {
		return nil
	}
	var list []ThreadTurn
	for _, e := range entries {
		part, number, _ := strings.Cut(e.Name(), ".")
		thread, err := model.ThreadFromRefPart(part)
		n, errNumber := strconv.Atoi(number)
		if err == nil && errNumber == nil {
			list = append(list, ThreadTurn{thread, n})
		}
	}
	return list
}

// stateFile is .state.json: the newest turn of the work tree. Every pass writes it
// or dates it anew, so that its stamp is the generation of the ledger. Reverted says
// that later turns were taken out since: what comes late is of these.
type stateFile struct {
	Thread    model.ThreadID `json:"thread"`
	Turn      int            `json:"turn"`
	StartedAt time.Time      `json:"started_at"`
	Reverted  bool           `json:"reverted,omitempty"`
}

// movable tells whether the end of turn n of thread may still move, as far as the
// newest turn of the work tree tells.
func (s stateFile) movable(thread model.ThreadID, n int) bool {
	return s.Thread == thread && s.Turn == n && !s.Reverted
}

func (l *Ledger) statePath() string {
	return filepath.Join(ledgerDir(l.d.Repo.StateDir()), stateName)
}

// readState returns the newest turn as of the last pass; the zero value when it
// is not known.
func (l *Ledger) readState() stateFile {
	var s stateFile
	data, err := gitops.ReadFile(l.statePath())
	if err != nil || wire.Into(data, &s, readStateFile) != nil {
		return stateFile{}
	}
	return s
}

// writeState makes a new generation. Where the newest turn is the same as before
// a new date says so: making a file costs more.
func (l *Ledger) writeState(s, before stateFile) error {
	if s == before {
		now := l.d.Clock()
		durable.Point("ledger.writestate.date")
		if os.Chtimes(l.statePath(), now, now) == nil {
			return nil
		}
	}
	return writeFile(l.statePath(), false, written(s))
}

// stamp tells one version of a file from the next.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d-%s", info.ModTime().UnixNano(), info.Size(), inode(info))
}
