package recorders

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/model/durable"
)

// recordRow is what a list needs of a record; none of it ever changes.
type recordRow struct {
	ID     model.ID  `json:"id"`
	Own    bool      `json:"here,omitempty"` // recorded here: nothing else is kept
	Thread string    `json:"thread,omitempty"`
	Agent  string    `json:"agent,omitempty"`
	Turn   int       `json:"turn,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Title  string    `json:"title,omitempty"`

	Repository string `json:"repository,omitempty"` // that recorded it, or unnamed
}

// knownRecords remembers rows in memory and, once there are many new ones, in a file of
// one row a line. The file can be deleted, cut off or lost: records are read again.
type knownRecords struct {
	file string

	mu    sync.Mutex
	rows  map[model.ID]recordRow // nil before the file was read
	fresh int
}

// manyRows is how many new rows are worth a write: to read as many records takes as long.
const manyRows = 64

func (k *knownRecords) find(id model.ID) (recordRow, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rows == nil {
		k.read()
	}
	row, ok := k.rows[id]
	return row, ok
}

func (k *knownRecords) read() {
	k.rows = map[model.ID]recordRow{}
	data, err := durable.ReadFile(k.file)
	if err != nil {
		return
	}
	for line := range bytes.Lines(data) {
		var row recordRow
		if json.Unmarshal(line, &row) != nil || !row.whole() {
			continue
		}
		k.rows[row.ID] = row
	}
}

// whole says whether a row that was read can be used. One without a repository was kept
// before records told theirs: it is read again.
func (r recordRow) whole() bool {
	return checkpoint.KindOf(string(r.ID)) != checkpoint.KindUnknown && (r.Own || r.Thread != "" && r.Turn > 0 && r.Repository != "")
}

func (k *knownRecords) add(row recordRow) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rows[row.ID] = row
	k.fresh++
}

// save is best effort and holds no lock: what is not kept is read again.
func (k *knownRecords) save() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fresh < manyRows || k.file == "" {
		return
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for _, id := range slices.Sorted(maps.Keys(k.rows)) {
		if enc.Encode(k.rows[id]) != nil {
			return
		}
	}
	durable.SweepTemps(k.file)
	if durable.ReplaceFile(k.file, out.Bytes(), 0o600) == nil {
		k.fresh = 0
	}
}
