package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
	"overturn/model/durable"
)

// Store is the folder of journals of one work tree.
type Store struct{ dir string }

// Open names the folder "journal" below a state folder; it need not exist yet.
func Open(stateDir string) *Store { return &Store{dir: filepath.Join(stateDir, "journal")} }

const suffix = ".jsonl"

// endLine closes a settled journal, so that an unsettled one is found by its
// last bytes alone.
const endLine = `{"v":1,"type":"end"}` + "\n"

func (s *Store) file(id model.ID) string { return filepath.Join(s.dir, string(id)+suffix) }

// Begin makes the journal of p; when it returns, the line "prepared" and the
// file's name are durable. An id that is taken is fs.ErrExist.
func (s *Store) Begin(p Prepared) (*Writer, error) {
	if err := s.makeFolder(); err != nil {
		return nil, model.Failf(err, "cannot make the journal's folder")
	}
	line, err := encode(Record{Type: TypePrepared, At: p.At, Prepared: &p})
	if err != nil {
		return nil, err
	}
	name := s.file(p.ID)
	durable.Point("journal.begin.open")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, model.Failf(err, "cannot begin the journal")
	}
	durable.Point("journal.begin.write")
	_, err = f.Write(line)
	if err == nil {
		durable.Point("journal.begin.sync")
		err = f.Sync()
	}
	if err == nil {
		err = durable.SyncDir(s.dir)
	}
	if err != nil {
		return nil, model.Failf(errors.Join(err, f.Close(), os.Remove(name)), "cannot write the journal")
	}
	return &Writer{file: f}, nil
}

// makeFolder makes the folder of journals; its name is durable like theirs.
func (s *Store) makeFolder() error {
	if info, err := os.Stat(s.dir); err == nil && info.IsDir() {
		return nil
	}
	durable.Point("journal.makefolder.mkdir")
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(s.dir))
}

// Resume opens an unsettled journal to settle it.
func (s *Store) Resume(id model.ID) (*Writer, *Entry, error) {
	entry, err := s.Read(id)
	if err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(s.file(id), os.O_RDWR|os.O_APPEND|durable.NoFollow, 0)
	if err != nil {
		return nil, nil, model.Failf(err, "cannot open the journal")
	}
	if err := closeTorn(f); err != nil {
		return nil, nil, model.Failf(errors.Join(err, f.Close()), "cannot mend the journal")
	}
	return &Writer{file: f}, entry, nil
}

// closeTorn ends a torn last line, so that the next one starts on its own.
func closeTorn(f *os.File) error {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, st.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	durable.Point("journal.closetorn.write")
	_, err = f.Write([]byte{'\n'})
	return err
}

// Read reads one entry. No such entry, and one that never began, is CodeUsage.
func (s *Store) Read(id model.ID) (*Entry, error) {
	if _, err := model.ParseID(string(id)); err != nil {
		return nil, err
	}
	name := s.file(id)
	data, err := durable.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, model.Usagef("there is no rollback %s in this work tree", id).WithHint("`overturn history` lists them")
	}
	if err != nil {
		return nil, model.Failf(err, "cannot read the journal")
	}
	entry, err := Decode(data)
	if err == nil && entry != nil && entry.ID != id {
		err = fmt.Errorf("it is that of %s", entry.ID)
	}
	if err != nil {
		return nil, &Damaged{ID: id, File: name, Err: err}
	}
	if entry == nil && s.kept(id) {
		return nil, &Damaged{ID: id, File: name, Err: errEmptied}
	}
	if entry == nil {
		return nil, model.Usagef("rollback %s never began; nothing was written", id)
	}
	return entry, nil
}

// IDs lists all journals, newest first.
func (s *Store) IDs() ([]model.ID, error) {
	files, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, model.Failf(err, "cannot list the journals")
	}
	var ids []model.ID
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), suffix)
		if id, err := model.ParseID(name); ok && err == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// errEmptied is a journal without a line of a rollback that displaced files: a
// crash cannot leave it, as the line is durable before the first file is touched.
var errEmptied = errors.New("its first line is gone, and files were displaced for it")

// kept tells whether there is a folder of files that the rollback displaced
// (ARCHITECTURE, "Rollback"); it is made after the line "prepared" only.
func (s *Store) kept(id model.ID) bool {
	_, err := os.Lstat(filepath.Join(filepath.Dir(s.dir), "kept", string(id)))
	return err == nil
}

// Unsettled lists the journals that are not settled, newest first. Those that never
// began (no whole line) are not among them: nothing was written for them, as the
// first line is durable before the first file is touched. One that lost its line
// afterwards is.
func (s *Store) Unsettled() ([]model.ID, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	var open []model.ID
	for _, id := range ids {
		ended, begun, err := s.tail(id)
		if err != nil {
			return nil, model.Failf(err, "cannot read the journal of %s", id)
		}
		if begun && !ended {
			open = append(open, id)
		}
	}
	return open, nil
}

// tail looks at the last bytes of a journal only.
func (s *Store) tail(id model.ID) (ended, begun bool, err error) {
	f, err := os.Open(s.file(id))
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return false, false, err
	}
	last := make([]byte, min(st.Size(), int64(len(endLine))))
	if _, err := f.ReadAt(last, st.Size()-int64(len(last))); err != nil && err != io.EOF {
		return false, false, err
	}
	if string(last) == endLine {
		return true, true, nil
	}
	data, err := io.ReadAll(f)
	return false, strings.IndexByte(string(data), '\n') >= 0 || s.kept(id), err
}

// Writer appends to one journal. It is for one goroutine.
type Writer struct{ file *os.File }

// Mark appends a line without waiting for the disk: recovery does without it.
func (w *Writer) Mark(r Record) error {
	line, err := encode(r)
	if err != nil {
		return err
	}
	durable.Point("journal.mark.write")
	if _, err := w.file.Write(line); err != nil {
		return model.Failf(err, "cannot write the journal")
	}
	return nil
}

// Commit is Mark, and all lines so far are durable when it returns.
func (w *Writer) Commit(r Record) error {
	if err := w.Mark(r); err != nil {
		return err
	}
	return w.sync()
}

// End writes how it ended and the closing line, durable, and closes the journal.
func (w *Writer) End(r Record) error {
	line, err := encode(r)
	if err == nil {
		durable.Point("journal.end.write")
		_, err = w.file.Write(append(line, endLine...))
	}
	if err == nil {
		err = w.sync()
	}
	if err := errors.Join(err, w.file.Close()); err != nil {
		return model.Failf(err, "cannot close the journal")
	}
	return nil
}

// Close leaves the journal unsettled.
func (w *Writer) Close() error { return w.file.Close() }

func (w *Writer) sync() error {
	durable.Point("journal.sync.sync")
	if err := w.file.Sync(); err != nil {
		return model.Failf(err, "cannot sync the journal")
	}
	return nil
}
