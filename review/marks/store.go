package marks

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
)

const (
	fileName = "marks"
	lockName = "marks.lock"
	lockWait = 5 * time.Second
)

// Keep is how long a mark is kept, and keepMost how many of the newest at most. Marks
// of work that was merged months ago are of no use; a thousand a day are kept long
// enough.
const (
	Keep     = 180 * 24 * time.Hour
	keepMost = 20_000
)

// sparse is how many lines the file may have for each mark that still holds before it
// is written anew, and least below how many lines it never is.
const (
	sparse = 2
	least  = 256
)

// Store is the marks of one work tree. It is safe for several goroutines and
// processes.
type Store struct {
	repo  *gitops.Repo
	clock model.Clock

	mu    sync.Mutex
	stamp stamp
	set   *Set
	known stamp // of the file when News looked, or this store wrote it
	news  int
}

// stamp tells whether the file changed since it was read.
type stamp struct {
	size  int64
	mtime time.Time
}

// New returns the store of repo's work tree; nothing is read until it is asked.
func New(repo *gitops.Repo, clock model.Clock) *Store { return &Store{repo: repo, clock: clock} }

// row is a line of the file. Paths and texts are quoted as Go does it: any bytes come
// back as they were.
type row struct {
	At   time.Time `json:"at"`
	Path string    `json:"path"`
	Hash string    `json:"hash"`
	Text string    `json:"text,omitempty"`
	Off  bool      `json:"off,omitempty"`
}

func (s *Store) path(name string) string { return filepath.Join(s.repo.StateDir(), name) }

// Load reads the marks, unless it knows them already. Lines that cannot be read are
// passed over: a mark less is the worst that comes of it.
func (s *Store) Load() (*Set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.look()
	if s.set != nil && now == s.stamp {
		return s.set, nil
	}
	lines, err := durable.ReadLines(s.path(fileName))
	if err != nil {
		return nil, model.Failf(err, "the marks of what was read cannot be read").
			WithHint("move %s away to begin anew; nothing else refers to it", s.path(fileName))
	}
	s.set, s.stamp = parse(lines), now
	return s.set, nil
}

// look is the stamp of the file now.
func (s *Store) look() stamp {
	info, err := os.Lstat(s.path(fileName))
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// News counts the changes of the file that others made: another review of the work tree.
// What this store writes is none of them.
func (s *Store) News() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count()
}

// count is News under s.mu.
func (s *Store) count() int {
	if now := s.look(); now != s.known {
		s.known = now
		s.news++
	}
	return s.news
}

func parse(lines [][]byte) *Set {
	set := &Set{byPath: map[model.Path][]Mark{}}
	for _, line := range lines {
		m, off, ok := parseRow(line)
		if !ok {
			continue
		}
		list := slices.DeleteFunc(set.byPath[m.Path], func(o Mark) bool { return o.Hash == m.Hash })
		if !off {
			list = append(list, m)
		}
		if len(list) == 0 {
			delete(set.byPath, m.Path)
		} else {
			set.byPath[m.Path] = list
		}
	}
	return set
}

func parseRow(line []byte) (m Mark, off, ok bool) {
	var r row
	if json.Unmarshal(line, &r) != nil || r.Hash == "" {
		return m, false, false
	}
	path, err := strconv.Unquote(r.Path)
	if err != nil || path == "" {
		return m, false, false
	}
	text := ""
	if r.Text != "" {
		if text, err = strconv.Unquote(r.Text); err != nil {
			return m, false, false
		}
	}
	return Mark{Change{model.Path(path), r.Hash, text}, r.At}, r.Off, true
}

func (m *Mark) line(off bool) ([]byte, error) {
	r := row{At: m.At, Path: strconv.QuoteToASCII(string(m.Path)), Hash: m.Hash, Off: off}
	if !off && m.Text != "" {
		r.Text = strconv.QuoteToASCII(m.Text[:min(len(m.Text), TextLimit)])
	}
	return json.Marshal(r)
}

// Read marks changes as read; Unread takes the marks back. They are on disk when it
// returns nil.
func (s *Store) Read(ctx context.Context, changes ...Change) error {
	return s.say(ctx, changes, false)
}

// Unread takes marks back.
func (s *Store) Unread(ctx context.Context, changes ...Change) error {
	return s.say(ctx, changes, true)
}

func (s *Store) say(ctx context.Context, changes []Change, off bool) error {
	if len(changes) == 0 {
		return nil
	}
	if err := s.repo.EnsureStateDir(); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := durable.Acquire(waiting, s.path(lockName), "marks")
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }() // the system frees it with the process at the latest
	lines, err := durable.ReadLines(s.path(fileName))
	if err != nil {
		return model.Failf(err, "the marks of what was read cannot be read").
			WithHint("move %s away to begin anew; nothing else refers to it", s.path(fileName))
	}
	now := s.clock().UTC()
	var said [][]byte
	for _, c := range changes {
		m := Mark{c, now}
		line, err := m.line(off)
		if err != nil {
			return model.Failf(err, "a mark cannot be written")
		}
		said = append(said, line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count() // what others wrote before this is news all the same
	err = s.write(append(lines, said...), said)
	s.known = s.look()
	if err != nil {
		return model.Failf(err, "the marks of what was read cannot be written").
			WithHint("check that %s can be written", s.repo.StateDir())
	}
	return nil
}

// write adds one line, or writes the file anew: for several, so that they cost one
// sync, and where most of what it says no longer holds.
func (s *Store) write(all, said [][]byte) error {
	durable.SweepTemps(s.path(fileName))
	held := parse(all)
	if len(said) == 1 && (len(all) < least || len(all) < sparse*held.Len()) && held.Len() <= keepMost {
		return durable.AppendLine(s.path(fileName), said[0])
	}
	lines, err := held.lines(s.clock())
	if err != nil {
		return err
	}
	return durable.ReplaceFile(s.path(fileName), append(bytes.Join(lines, []byte{'\n'}), '\n'), 0o600)
}

// lines is the file that says no more than what holds, oldest first.
func (s *Set) lines(now time.Time) ([][]byte, error) {
	var list []Mark
	for _, of := range s.byPath {
		for _, m := range of {
			if now.Sub(m.At) < Keep {
				list = append(list, m)
			}
		}
	}
	slices.SortFunc(list, func(a, b Mark) int {
		if n := a.At.Compare(b.At); n != 0 {
			return n
		}
		return bytes.Compare([]byte(a.Path+"\x00"+model.Path(a.Hash)), []byte(b.Path+"\x00"+model.Path(b.Hash)))
	})
	list = list[max(len(list)-keepMost, 0):]
	lines := make([][]byte, len(list))
	for i := range list {
		line, err := list[i].line(false)
		if err != nil {
			return nil, err
		}
		lines[i] = line
	}
	return lines, nil
}
