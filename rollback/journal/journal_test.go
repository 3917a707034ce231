package journal_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/rollback/journal"
)

const id = model.ID("01h455vb4pex5vsknk084sn02q")

func prepared() journal.Prepared {
	file := model.FileState{Kind: model.KindFile, Mode: "100640", Size: 3, SHA256: strings.Repeat("a", 64)}
	return journal.Prepared{
		ID: id, Kind: journal.KindRollback, At: time.Date(2026, 11, 30, 10, 0, 0, 5, time.UTC), Pid: 7, Fingerprint: strings.Repeat("b", 64),
		Patch: strings.Repeat("c", 40), Scopes: []string{"latest"}, Safety: "refs/overturn/safety/" + string(id),
		Base: model.ResultBase{Ref: "r", Tree: "t", Head: "h"},
		Targets: []journal.Target{
			{Target: model.Target{Path: "a\nb", Op: model.OpWrite, From: file, To: file, Turns: []int{1}, Hunks: []int{}}, Before: "1", After: "2"},
			{Target: model.Target{Path: "caf\xe9", Op: model.OpDelete, From: file, To: model.Absent(), Turns: []int{}, Hunks: []int{}}, Before: "3"},
		},
		Index:  []journal.IndexChange{{Path: "caf\xe9", From: journal.IndexEntry{Mode: "100644", OID: "9"}}},
		Make:   []journal.Folder{{Path: "d\xff", Perm: 0o750}},
		Remove: []journal.Folder{{Path: "e/f"}},
		Kept:   []model.Noted{{Path: "k", Reason: "why"}},
	}
}

func begun(t *testing.T) (*journal.Store, *journal.Writer, string) {
	t.Helper()
	dir := t.TempDir()
	s := journal.Open(dir)
	w, err := s.Begin(prepared())
	must(t, err)
	return s, w, filepath.Join(dir, "journal", string(id)+".jsonl")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrittenComesBack(t *testing.T) {
	s, w, _ := begun(t)
	for _, r := range []journal.Record{
		{Type: journal.TypeTidied}, {Type: journal.TypeBeside}, {Type: journal.TypeSwapped, N: 0}, {Type: journal.TypeSwapped, N: 1}, {Type: journal.TypeBack, N: 0},
		{Type: journal.TypeRemoved, Folders: []journal.Folder{{Path: "e/f", Perm: 0o700}}}, {Type: journal.TypeIndex}, {Type: "of a later day"},
	} {
		must(t, w.Mark(r))
	}
	must(t, w.Commit(journal.Record{Type: journal.TypeApplied}))
	if open, err := s.Unsettled(); err != nil || !slices.Equal(open, []model.ID{id}) {
		t.Errorf("unsettled: %v, %v", open, err)
	}
	must(t, w.End(journal.Record{Type: journal.TypeDone, Result: &model.Result{ID: id, Outcome: model.OutcomeComplete}}))
	if open, err := s.Unsettled(); err != nil || len(open) > 0 {
		t.Errorf("unsettled after the end: %v, %v", open, err)
	}
	e, err := s.Read(id)
	must(t, err)
	if !reflect.DeepEqual(e.Prepared, prepared()) {
		t.Errorf("prepared came back as\n%+v, want\n%+v", e.Prepared, prepared())
	}
	if !e.Tidied || !e.Beside || !e.Indexed || !e.Applied || !e.Ended || e.Swapped[0] || !e.Swapped[1] || len(e.Swapped) != 1 || e.Removed[0].Perm != 0o700 || e.Result.Outcome != model.OutcomeComplete {
		t.Errorf("marks came back as %+v", e)
	}
	if _, err := s.Begin(prepared()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an id was used twice: %v", err)
	}
}

// TestZerosAfterAPowerCut: the file had grown, and its bytes never came to the disk.
// What came before counts; the journal can be settled, and read after that.
func TestZerosAfterAPowerCut(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Mark(journal.Record{Type: journal.TypeBeside}))
	must(t, w.Close())
	whole, err := os.ReadFile(name)
	must(t, err)
	for _, tail := range []string{"\x00", strings.Repeat("\x00", 300), `{"v":1,"type":"swapp` + "\x00\x00\x00", "\x00\x00\n" + `{"v":1,"type":"swapped","n":1}` + "\n\x00"} {
		must(t, os.WriteFile(name, append(whole[:len(whole):len(whole)], tail...), 0o600))
		if open, err := s.Unsettled(); err != nil || len(open) != 1 {
			t.Fatalf("%q: unsettled %v, %v", tail, open, err)
		}
		w, e, err := s.Resume(id)
		if err != nil || !e.Beside || e.Ended {
			t.Fatalf("%q: %+v, %v", tail, e, err)
		}
		must(t, w.Mark(journal.Record{Type: journal.TypeRecover, Way: journal.WayFinish}))
		must(t, w.End(journal.Record{Type: journal.TypeDone, Result: &model.Result{ID: id, Outcome: model.OutcomeComplete}}))
		if e, err := s.Read(id); err != nil || !e.Ended || e.Result == nil {
			t.Errorf("%q: after the end %+v, %v", tail, e, err)
		}
	}
}

// TestTornAtEveryByte: a cut anywhere gives the entry as of the last whole line,
// or an entry that never began; never an error.
func TestTornAtEveryByte(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Mark(journal.Record{Type: journal.TypeBeside}))
	must(t, w.Mark(journal.Record{Type: journal.TypeSwapped, N: 1}))
	must(t, w.Close())
	whole, err := os.ReadFile(name)
	must(t, err)
	for cut := 0; cut <= len(whole); cut++ {
		must(t, os.WriteFile(name, whole[:cut], 0o600))
		lines := strings.Count(string(whole[:cut]), "\n")
		open, err := s.Unsettled()
		must(t, err)
		if (len(open) == 1) != (lines > 0) {
			t.Fatalf("cut at %d: unsettled %v", cut, open)
		}
		e, err := s.Read(id)
		if lines == 0 {
			if model.CodeOf(err) != model.CodeUsage {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			continue
		}
		must(t, err)
		if e.Beside != (lines > 1) || e.Swapped[1] != (lines > 2) {
			t.Fatalf("cut at %d: %+v", cut, e)
		}
		w, _, err := s.Resume(id)
		must(t, err)
		must(t, w.Mark(journal.Record{Type: journal.TypeRecover, Way: journal.WayUnwind}))
		must(t, w.Close())
		if e, err = s.Read(id); err != nil || e.Way != journal.WayUnwind {
			t.Fatalf("cut at %d, then resumed: %+v, %v", cut, e, err)
		}
	}
}

const (
	doneLine = `{"v":1,"type":"done","result":{"outcome":"complete"}}` + "\n"
	endLine  = `{"v":1,"type":"end"}` + "\n"
)

// TestATornLineThatWasClosedIsNoDamage: a crash cut it, and who settled the entry later
// wrote on behind it.
func TestATornLineThatWasClosedIsNoDamage(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Mark(journal.Record{Type: journal.TypeBeside}))
	must(t, w.Close())
	whole, err := os.ReadFile(name)
	must(t, err)
	tail := `{"v":1,"type":"swap` + "\n" + `{"v":1,"type":"recover","way":"finish"}` + "\n" + doneLine + endLine
	must(t, os.WriteFile(name, append(whole, tail...), 0o600))
	if e, err := s.Read(id); err != nil || !e.Ended || e.Result == nil || e.Way != journal.WayFinish {
		t.Errorf("read as %+v, %v", e, err)
	}
}

func TestDamageIsNamed(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Close())
	whole, err := os.ReadFile(name)
	must(t, err)
	for what, data := range map[string]string{
		"not JSON":                "nonsense\n",
		"another first line":      `{"v":1,"type":"beside"}` + "\n",
		"a newer format":          strings.Replace(string(whole), `"v":1`, `"v":2`, 1),
		"a target that is out":    string(whole) + `{"v":1,"type":"swapped","n":5}` + "\n",
		"a path that escapes":     strings.ReplaceAll(string(whole), `"e/f"`, `"../f"`),
		"of another id":           strings.ReplaceAll(string(whole), string(id), "01h455vb4pex5vsknk084sn02r"),
		"done without how":        string(whole) + `{"v":1,"type":"done"}` + "\n",
		"an end without how":      string(whole) + endLine,
		"done came not to disk":   string(whole) + `{"v":1,"type":"done","result"` + "\x00\x00\n" + endLine,
		"a mark came not to disk": string(whole) + `{"v":1,"type":"swa` + "\x00\x00\n" + doneLine + endLine,
		"garbage in between":      string(whole) + "\x01\x02\n" + `{"v":1,"type":"end"}` + "\n",
	} {
		must(t, os.WriteFile(name, []byte(data), 0o600))
		var d *journal.Damaged
		if _, err := s.Read(id); !errors.As(err, &d) || d.File != name || d.ID != id {
			t.Errorf("%s: %v", what, err)
		}
	}
	must(t, os.WriteFile(name, whole, 0o600))
	if _, err := s.Read(id); err != nil {
		t.Errorf("the file itself: %v", err)
	}
}

// TestLostLine: a journal without its line never began, unless files were displaced for
// it; then it is damaged, and to be settled.
func TestLostLine(t *testing.T) {
	s, w, name := begun(t)
	must(t, w.Close())
	kept := filepath.Join(filepath.Dir(filepath.Dir(name)), "kept", string(id))
	must(t, os.MkdirAll(kept, 0o700))
	if e, err := s.Read(id); err != nil || e.ID != id {
		t.Errorf("with its line: %+v, %v", e, err)
	}
	must(t, os.Truncate(name, 0))
	var damaged *journal.Damaged
	if _, err := s.Read(id); !errors.As(err, &damaged) || damaged.File != name {
		t.Errorf("files were displaced: %v", err)
	}
	if open, err := s.Unsettled(); err != nil || len(open) != 1 {
		t.Errorf("unsettled: %v, %v", open, err)
	}
	must(t, os.Remove(kept))
	if _, err := s.Read(id); model.CodeOf(err) != model.CodeUsage {
		t.Errorf("nothing was displaced: %v", err)
	}
	if open, err := s.Unsettled(); err != nil || len(open) != 0 {
		t.Errorf("unsettled: %v, %v", open, err)
	}
}

func TestListsAreNewestFirstAndKnowNoStrangers(t *testing.T) {
	dir := t.TempDir()
	s := journal.Open(dir)
	if ids, err := s.IDs(); err != nil || len(ids) > 0 {
		t.Errorf("before the first: %v, %v", ids, err)
	}
	for _, last := range []string{"a", "c", "b"} {
		p := prepared()
		p.ID = model.ID(string(id[:25]) + last)
		w, err := s.Begin(p)
		must(t, err)
		must(t, w.Close())
	}
	must(t, os.WriteFile(filepath.Join(dir, "journal", "notes.txt"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "journal", "X.jsonl"), nil, 0o600))
	ids, err := s.IDs()
	must(t, err)
	if len(ids) != 3 || ids[0][25] != 'c' || ids[2][25] != 'a' {
		t.Errorf("ids: %v", ids)
	}
	if _, err := s.Read("../../etc/passwd"); model.CodeOf(err) != model.CodeUsage {
		t.Errorf("an id that is a path: %v", err)
	}
}

// FuzzDecode: any bytes give an entry, none, or an error; and an entry never
// speaks of paths that could not be targets, nor of targets that are not there.
func FuzzDecode(f *testing.F) {
	dir := f.TempDir()
	s := journal.Open(dir)
	w, err := s.Begin(prepared())
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range []journal.Record{{Type: journal.TypeSwapped, N: 1}, {Type: journal.TypeRemoved, Folders: []journal.Folder{{Path: "d"}}}} {
		if err := w.Mark(r); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.End(journal.Record{Type: journal.TypeDone, Result: &model.Result{}}); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "journal", string(id)+".jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("{\"v\":1,\"type\":\"prepared\",\"prepared\":{\"id\":\"" + string(id) + "\"}}\n{\"v\":1,\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := journal.Decode(data)
		if err != nil || e == nil {
			return
		}
		for _, target := range e.Targets {
			if _, err := model.ParsePath(string(target.Target.Path)); err != nil {
				t.Errorf("target %q", target.Target.Path)
			}
		}
		for n := range e.Swapped {
			if n < 0 || n >= len(e.Targets) {
				t.Errorf("mark of target %d of %d", n, len(e.Targets))
			}
		}
		for _, folder := range slices.Concat(e.Make, e.Remove, e.Removed) {
			if _, err := model.ParsePath(string(folder.Path)); err != nil {
				t.Errorf("folder %q", folder.Path)
			}
		}
	})
}
