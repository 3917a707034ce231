//go:build linux || darwin

package journal_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/rollback/journal"
)

// TestWithoutRights: a journal that cannot be begun, read or gone on with is said to be so,
// by an error with a code, and nothing is made or lost.
func TestWithoutRights(t *testing.T) {
	gittest.Unprivileged(t)
	resume := func(s *journal.Store) error { _, _, err := s.Resume(id); return err }
	read := func(s *journal.Store) error { _, err := s.Read(id); return err }
	unsettled := func(s *journal.Store) error { _, err := s.Unsettled(); return err }
	list := func(s *journal.Store) error { _, err := s.IDs(); return err }
	begin := func(s *journal.Store) error {
		p := prepared()
		p.ID = "01h455vb4pex5vsknk084sn02r"
		_, err := s.Begin(p)
		return err
	}
	for what, c := range map[string]struct {
		perm os.FileMode
		file bool
		do   func(s *journal.Store) error
		want string
	}{
		"begin in a folder that is shut":      {0o500, false, begin, "cannot begin the journal"},
		"read what may not be read":           {0o200, true, read, "cannot read the journal"},
		"settle what may not be read":         {0o200, true, resume, "cannot read the journal"},
		"settle what may not be written":      {0o400, true, resume, "cannot open the journal"},
		"look whether it is settled":          {0o200, true, unsettled, "cannot read the journal of " + string(id)},
		"list a folder that may not be":       {0o300, false, list, "cannot list the journals"},
		"look for open ones in such a folder": {0o300, false, unsettled, "cannot list the journals"},
	} {
		t.Run(what, func(t *testing.T) {
			s, w, name := begun(t)
			must(t, w.Close())
			before, err := os.ReadFile(name)
			must(t, err)
			shut := filepath.Dir(name)
			if c.file {
				shut = name
			}
			must(t, os.Chmod(shut, c.perm))
			err = c.do(s)
			must(t, os.Chmod(shut, 0o700))
			if model.CodeOf(err) != model.CodeFailed || !strings.Contains(err.Error(), c.want) || !errors.Is(err, fs.ErrPermission) {
				t.Errorf("it says %v", err)
			}
			after, err := os.ReadFile(name)
			must(t, err)
			files, err := os.ReadDir(filepath.Dir(name))
			must(t, err)
			if string(after) != string(before) || len(files) != 1 {
				t.Errorf("left are %v, and the journal %q", files, after)
			}
		})
	}
}

// TestNoPlaceForJournals: the folder cannot be made, or a file stands there.
func TestNoPlaceForJournals(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "journal"), nil, 0o600))
	for what, s := range map[string]*journal.Store{"a file there": journal.Open(dir), "a file above": journal.Open(filepath.Join(dir, "journal"))} {
		if _, err := s.Begin(prepared()); model.CodeOf(err) != model.CodeFailed || !strings.Contains(err.Error(), "cannot make the journal's folder") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestWriterThatCannotWrite: each way to go on with a journal tells that it did not.
func TestWriterThatCannotWrite(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Close())
	before, err := os.ReadFile(name)
	must(t, err)
	line := journal.Record{Type: journal.TypeBeside}
	for what, err := range map[string]error{"mark": w.Mark(line), "commit": w.Commit(line), "end": w.End(line)} {
		if model.CodeOf(err) != model.CodeFailed {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after, err := os.ReadFile(name); err != nil || string(after) != string(before) {
		t.Errorf("the journal is %q, %v", after, err)
	}
	if open, err := s.Unsettled(); err != nil || len(open) != 1 {
		t.Errorf("unsettled are %v, %v", open, err)
	}
}

// TestFieldsThatSayNothing: ids and paths of a journal are held to their form, for files
// are named by them.
func TestFieldsThatSayNothing(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Close())
	whole, err := os.ReadFile(name)
	must(t, err)
	for what, odd := range map[string][2]string{
		"an id":                    {`"id":"` + string(id), `"id":"../` + string(id)},
		"a target's path":          {`"path":"a\nb"`, `"path":"../a"`},
		"the path of a folder":     {`{"path":"e/f"`, `{"path":"/e"`},
		"a folder of another form": {`{"path":"e/f","perm":0}`, `"e/f"`},
		"an entry of another form": {`"index":[{`, `"index":["x",{`},
	} {
		text := strings.Replace(string(whole), odd[0], odd[1], 1)
		if text == string(whole) {
			t.Fatalf("%s: %q is not in %s", what, odd[0], whole)
		}
		must(t, os.WriteFile(name, []byte(text), 0o600))
		var damaged *journal.Damaged
		if _, err := s.Read(id); !errors.As(err, &damaged) || damaged.Unwrap() == nil || damaged.File != name {
			t.Errorf("%s: %v", what, err)
		}
	}
}
