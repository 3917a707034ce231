package ledger

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"overturn/model"
	"overturn/model/durable"
)

// seenName is the file of a thread that says which turns somebody has looked at.
const seenName = "seen.json"

// seenFile is seen.json: ranges of numbers, rising and apart. It is a refinement: of two
// processes that write at once one may lose its mark, and the turn stays longer.
type seenFile struct {
	Ranges [][2]int `json:"seen"`
}

func (d threadDir) seenPath() string { return filepath.Join(d.path, seenName) }

func (d threadDir) readSeen() seenFile {
	var s seenFile
	data, err := durable.ReadFile(d.seenPath())
	if err != nil || json.Unmarshal(data, &s) != nil {
		return seenFile{}
	}
	return s
}

func (s seenFile) has(n int) bool {
	return slices.ContainsFunc(s.Ranges, func(r [2]int) bool { return r[0] <= n && n <= r[1] })
}

// add marks turns from one number to another.
func (s seenFile) add(from, to int) seenFile {
	ranges := append(slices.Clone(s.Ranges), [2]int{from, to})
	slices.SortFunc(ranges, func(a, b [2]int) int { return a[0] - b[0] })
	out := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &out[len(out)-1]; r[0] <= last[1]+1 {
			last[1] = max(last[1], r[1])
		} else {
			out = append(out, r)
		}
	}
	return seenFile{out}
}

// seen tells whether somebody has looked at turn n. A thread whose work tree is gone
// has no marks.
func (s *threadState) seen(n int) bool {
	if s.dir.path == "" {
		return false
	}
	if s.looked == nil {
		read := s.dir.readSeen()
		s.looked = &read
	}
	return s.looked.has(n)
}

// Seen notes that the turns from one number to another were shown to somebody: until
// then a prune lets them be for a while. Turns that are noted already cost one read.
func (l *Ledger) Seen(ctx context.Context, thread model.ThreadID, from, to int) error {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return err
	}
	for _, d := range dirs {
		dir := dirOf(d.Dir, thread)
		if !dir.exists() {
			continue
		}
		before := dir.readSeen()
		if after := before.add(max(from, 1), max(to, from, 1)); !slices.Equal(after.Ranges, before.Ranges) {
			return writeJSON(dir.seenPath(), after, false)
		}
	}
	return nil
}
