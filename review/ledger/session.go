package ledger

import (
	"encoding/json"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
)

// sessionName is the file of a thread that holds the program which opened its
// conversation last. One that was opened again, and given no prompt yet, has no turn that
// would tell of its program.
const sessionName = "session.json"

func (d threadDir) noteSession(p model.Process) error {
	if p.PID <= 0 || !d.exists() {
		return nil
	}
	return writeJSON(filepath.Join(d.path, sessionName), p, false)
}

// session is that program; the zero Process where none is known. Damage is as its absence.
func (d threadDir) session() (p model.Process) {
	data, err := durable.ReadFile(filepath.Join(d.path, sessionName))
	if err != nil || json.Unmarshal(data, &p) != nil {
		return model.Process{}
	}
	return p
}

// openIn is the program that may have the conversation of a thread open: that of its
// newest turn, unless another opened it since and is there.
func (d threadDir) openIn(newest model.Process) model.Process {
	if p := d.session(); p.PID > 0 && !Gone(p) {
		return p
	}
	return newest
}
