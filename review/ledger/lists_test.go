package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"testing"
	"time"

	"overturn/model"
)

// TestWhereListsLie: few entries lie in the turn itself, more in its second line,
// very many in a file of their own, and all come back; a turn that shrinks or grows
// never takes the lists of before.
func TestWhereListsLie(t *testing.T) {
	dir := threadDir{t.TempDir()}
	turn := func(files int) *turnFile {
		f := turnFile{Turn: model.Turn{Thread: "t", Number: 1, State: model.TurnCompleted, StartedAt: time.Unix(1, 0).UTC(), LeftOut: []model.Noted{}, Effects: []model.Effect{},
			End: &model.Boundary{CapturedAt: time.Unix(2, 0).UTC(), Inventory: model.Inventory{Staged: []model.Noted{}, Unstaged: []model.Noted{}, Untracked: []model.Noted{}, Submodules: []model.Submodule{}}}}, StartPerm: []model.Noted{}}
		for i := range files {
			f.Turn.Files = append(f.Turn.Files, model.FileChange{Path: model.Path(fmt.Sprintf("%d of %d", i, files)), Change: model.Added})
		}
		return &f
	}
	for _, c := range []struct {
		files        int
		apart, below bool
	}{{3, false, false}, {shortLists + 1, true, true}, {2000, true, false}, {shortLists + 2, true, true}, {2001, true, false}, {4, false, false}} {
		want := turn(c.files)
		if err := dir.writeTurn(want, false); err != nil {
			t.Fatal(err)
		}
		got, err := dir.turn(1)
		if err != nil || got.Apart != c.apart || got.Below != c.below {
			t.Fatalf("%d files: %+v, %v", c.files, got, err)
		}
		state := &threadState{dir: dir, recover: func(int) *turnFile { t.Fatalf("%d files: recovered", c.files); return nil }}
		if state.fill(got); !reflect.DeepEqual(got.Turn, want.Turn) {
			t.Errorf("%d files: %d came back", c.files, len(got.Turn.Files))
		}
	}
	if _, err := os.Stat(dir.listsPath(1)); err != nil {
		t.Fatal(err) // of 2001 files: it is there, and was not taken
	}
}

// TestLostLists: a second line that a power cut took is made up for by the record,
// never by the file of lists that lay there before.
func TestLostLists(t *testing.T) {
	dir := threadDir{t.TempDir()}
	file := &turnFile{Turn: model.Turn{Thread: "t", Number: 1}}
	for i := range shortLists + 1 {
		file.Turn.LeftOut = append(file.Turn.LeftOut, model.Noted{Path: model.Path(fmt.Sprint(i))})
	}
	if err := dir.writeTurn(file, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir.listsPath(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a file of lists: %v", err)
	}
	if err := os.WriteFile(dir.listsPath(1), written(turnLists{Files: []model.FileChange{{Path: "stale"}}}), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(dir.turnPath(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{1, 2, 100} {
		if err := os.WriteFile(dir.turnPath(1), whole[:len(whole)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := dir.turn(1)
		if err != nil {
			t.Fatal(err)
		}
		state := &threadState{dir: dir, recover: func(int) *turnFile {
			return &turnFile{Turn: model.Turn{LeftOut: []model.Noted{{Path: "of the record"}}}}
		}}
		state.fill(got)
		if lost := cut > 1; lost != (len(got.Turn.LeftOut) == 1) || len(got.Turn.Files) > 0 {
			t.Errorf("%d bytes cut off: %d left out, files %v", cut, len(got.Turn.LeftOut), got.Turn.Files)
		}
	}
}
