package rollback

import "overturn/model"

// Prepared is a plan with the bytes that carry it out.
type Prepared struct {
	Plan    *model.Plan
	Targets []PreparedTarget // as Plan.Targets, one for one
	Index   []IndexChange    // entries of the user's index that are still as the turn left them
	// Folders were not there at the first state of a scope whose files go: when
	// they are empty afterwards they go too. Deepest first.
	Folders []model.Path

	stored map[string]string // ids of blobs that were read for it, to their hashes
	staged []byte            // the file of the staged set that it was worked out from
}

// PreparedTarget is a target with what is there now and what will be: raw bytes as
// on disk, of a link its text, nil where nothing stands. The ids are git's blob
// ids of those bytes, "" where nothing stands; nothing says that such blobs are
// stored.
type PreparedTarget struct {
	model.Target
	Before, After     []byte
	BeforeID, AfterID string
}

// Conflicts is the targets that cannot be carried out.
func (p *Prepared) Conflicts() []PreparedTarget { return p.with(model.VerdictConflict) }

// Writes tells whether carrying out t changes anything on disk.
func (t PreparedTarget) Writes() bool {
	return t.Verdict != model.VerdictConflict && t.Verdict != model.VerdictAlready
}

func (p *Prepared) with(v model.Verdict) []PreparedTarget {
	var list []PreparedTarget
	for _, t := range p.Targets {
		if t.Verdict == v {
			list = append(list, t)
		}
	}
	return list
}
