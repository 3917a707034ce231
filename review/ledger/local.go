package ledger

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/wire"
)

const (
	turnSchema   = "overturn.ledger.turn/1"
	threadSchema = "overturn.ledger.thread/1"
	ledgerName   = "ledger"
	revertedName = "reverted"
	threadName   = "thread.json"
	turnSuffix   = ".json"
	evidenceName = ".evidence.jsonl"
)

// errLost says that a local file is there and does not hold what it should: a
// power cut emptied it, or somebody wrote it.
var errLost = errors.New("the local file is damaged")

// turnFile is <n>.json: the turn, and what only this machine needs to know.
type turnFile struct {
	Schema       string        `json:"schema"`
	Turn         model.Turn    `json:"turn"`
	Process      model.Process `json:"process"`
	ReportsTools bool          `json:"reports_tools"`
	Aside        bool          `json:"aside"`               // made by an end that had no start
	Beside       string        `json:"beside"`              // digest of what the end snapshot keeps beside its tree
	StartPerm    []model.Noted `json:"start_perm"`          // permission bits at the start, where other than 644 and 755
	StartRaw     bool          `json:"start_raw,omitempty"` // the start kept bytes of files beside its tree
	RecordWaits  string        `json:"record_waits"`        // why the record is not written yet, "" when it is
	Apart        bool          `json:"apart"`               // the lists of the turn are not in its first line
	Below        bool          `json:"below,omitempty"`     // they are in the second line; else in a file of their own
	// Sum is what the files of a turn whose lists are apart add up to.
	Sum *model.FileSum `json:"sum,omitempty"`

	// Transcript is where the agent's transcript of the turn begins; nil: it told of none.
	Transcript *transcriptMark `json:"transcript,omitempty"`

	// Pruned is when the snapshots of the turn were let go; they are gone.
	Pruned *time.Time `json:"pruned,omitempty"`

	// Conversation is the agent's own id of it, where that is not the thread's.
	Conversation string `json:"conversation,omitempty"`

	filled bool // the lists were read
}

func (t *turnFile) open() bool { return t.Turn.State == model.TurnOpen }

// threadFile is thread.json: what the turns do not say.
type threadFile struct {
	Schema    string         `json:"schema"`
	Thread    model.ThreadID `json:"thread"`
	Agent     string         `json:"agent"`
	WorkTree  string         `json:"work_tree"`
	Title     string         `json:"title"`
	CreatedAt time.Time      `json:"created_at"`
}

// threadDir is the folder of one thread in the state folder of one work tree.
type threadDir struct{ path string }

func ledgerDir(stateDir string) string { return filepath.Join(stateDir, ledgerName) }

func dirOf(stateDir string, thread model.ThreadID) threadDir {
	return threadDir{filepath.Join(ledgerDir(stateDir), thread.RefPart())}
}

func (d threadDir) exists() bool {
	info, err := os.Stat(d.path)
	return err == nil && info.IsDir()
}

// hundred is how many turns share a folder: the first hundred lie in that of the
// thread, and every further hundred in one below it, named by its first number. So
// finding the newest turn lists two short folders, however many turns there are.
const hundred = 100

// room is the folder that turn n lies in.
func (d threadDir) room(n int) string {
	if n < hundred {
		return d.path
	}
	return filepath.Join(d.path, strconv.Itoa(n/hundred*hundred))
}

// makeRoom makes that folder; the one of the thread is there.
func (d threadDir) makeRoom(n int) error {
	if n < hundred {
		return nil
	}
	durable.Point("ledger.makeroom.mkdir")
	if err := os.Mkdir(d.room(n), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return localFailure(err, d.room(n))
	}
	return nil
}

func (d threadDir) turnPath(n int) string {
	return filepath.Join(d.room(n), strconv.Itoa(n)+turnSuffix)
}

func (d threadDir) evidencePath(n int) string {
	return filepath.Join(d.room(n), strconv.Itoa(n)+evidenceName)
}

// list reads a folder of turns: the numbers of those that have a file, and of the
// folders below, both rising. No folder is no turns.
func list(path string) (turns, rooms []int, err error) {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, model.Failf(err, "cannot list the turns of a thread")
	}
	for _, e := range entries {
		name, isTurn := strings.CutSuffix(e.Name(), turnSuffix)
		n, err := strconv.Atoi(name)
		switch {
		case err != nil || n <= 0 || strconv.Itoa(n) != name:
		case isTurn:
			turns = append(turns, n)
		case e.IsDir() && n%hundred == 0:
			rooms = append(rooms, n)
		}
	}
	slices.Sort(turns)
	slices.Sort(rooms)
	return turns, rooms, nil
}

// numbers lists the turns that have a file, rising.
func (d threadDir) numbers() ([]int, error) {
	all, rooms, err := list(d.path)
	for _, first := range rooms {
		if err != nil {
			break
		}
		var turns []int
		turns, _, err = list(d.room(first))
		all = append(all, turns...)
	}
	return all, err
}

// last is the number of the newest turn that has a file, 0 when none has.
func (d threadDir) last() (int, error) {
	turns, rooms, err := list(d.path)
	for _, first := range slices.Backward(rooms) {
		if err != nil {
			return 0, err
		}
		var further []int
		if further, _, err = list(d.room(first)); len(further) > 0 {
			turns = further
			break
		}
	}
	if err != nil || len(turns) == 0 {
		return 0, err
	}
	return turns[len(turns)-1], nil
}

// turn reads the first line of <n>.json: fs.ErrNotExist, or errLost when it is
// damaged, or no file.
func (d threadDir) turn(n int) (*turnFile, error) {
	data, err := gitops.ReadLine(d.turnPath(n))
	if err != nil {
		if info, serr := os.Lstat(d.turnPath(n)); serr == nil && !info.Mode().IsRegular() {
			err = errLost
		}
		return nil, err
	}
	var t turnFile
	if wire.Into(data, &t, readTurnFile) != nil || t.Schema != turnSchema || t.Turn.Number != n {
		return nil, errLost
	}
	return &t, nil
}

// writeTurn writes <n>.json, after the file of very long lists if there are any. t
// must have its lists.
func (d threadDir) writeTurn(t *turnFile, synced bool) error {
	if err := d.makeRoom(t.Turn.Number); err != nil {
		return err
	}
	file := *t
	file.Schema, file.Apart, file.Below, file.Sum = turnSchema, false, false, nil
	bare := t.Turn
	var second []byte
	if lists := takeLists(&bare); lists.entries() > shortLists {
		file.Turn, file.Apart, file.Sum = bare, true, model.SumOf(lists.Files)
		if second = written(lists); len(second) > listsBelow {
			second = nil
			if err := writeFile(d.listsPath(t.Turn.Number), synced, written(lists)); err != nil {
				return err
			}
		}
		file.Below = second != nil
	}
	return writeFile(d.turnPath(t.Turn.Number), synced, written(file), second)
}

// thread reads thread.json; its absence or damage gives the zero value.
func (d threadDir) thread() threadFile {
	var t threadFile
	data, err := durable.ReadFile(filepath.Join(d.path, threadName))
	if err != nil || json.Unmarshal(data, &t) != nil || t.Schema != threadSchema {
		return threadFile{}
	}
	return t
}

func (d threadDir) writeThread(t threadFile) error {
	t.Schema = threadSchema
	return writeJSON(filepath.Join(d.path, threadName), t, false)
}

// writeJSON replaces a file by one line of JSON.
func writeJSON(path string, value any, synced bool) error {
	data, err := json.Marshal(value)
	if err != nil {
		return model.Failf(err, "cannot write %s", filepath.Base(path))
	}
	return writeFile(path, synced, append(data, '\n'))
}

// writeFile replaces a file by rename, so that whoever reads it at any point sees
// the old or the new one. The name of the file beside is fixed: the lock of the
// work tree is held. Only with synced does it survive a power cut for certain; a
// file that does not is found damaged and rebuilt, and each sync costs a hook a
// millisecond.
func writeFile(path string, synced bool, lines ...[]byte) error {
	beside := path + ".tmp"
	durable.Point("ledger.writejson.open")
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|durable.NoFollow, 0o600)
	if err != nil {
		return localFailure(err, path)
	}
	durable.Point("ledger.writejson.write")
	_, err = f.Write(slices.Concat(lines...))
	if err == nil && synced {
		durable.Point("ledger.writejson.sync")
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		durable.Point("ledger.writejson.rename")
		err = durable.RenameOwn(beside, path)
	}
	if err != nil {
		return localFailure(err, path)
	}
	return nil
}

func localFailure(err error, path string) error {
	return model.Failf(err, "cannot write the ledger").
		WithHint("check that %s can be written and that the disk is not full", filepath.Dir(path))
}
