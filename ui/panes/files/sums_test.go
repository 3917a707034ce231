package files

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/uitest/vt"
	"overturn/ui/view"
)

// counted is a comparison of files of an owner each, with n lines added and one
// removed in the n-th.
func counted(files ...string) *view.Comparison {
	owners := map[string]model.Owner{"A": model.OwnerAgent, "U": model.OwnerUser, "X": model.OwnerMixed, "?": model.OwnerUnknown, "-": ""}
	c := &view.Comparison{LeftOut: []model.Noted{{Path: "big", Reason: "too large"}}}
	for i, f := range files {
		owner, path, _ := strings.Cut(f, " ")
		c.Files = append(c.Files, view.File{FileChange: model.FileChange{Path: model.Path(path), Change: model.Modified, Additions: i + 1, Deletions: 1, Owner: owners[owner]}})
	}
	return c
}

// shown is what p draws, runs of blanks as one.
func shown(p *Pane, w, h int) string {
	f := frame.New(w, h)
	p.Draw(f.All(), style.New(themes.Mono(), termenv.Ascii), true)
	term := vt.New(w, h)
	for y := range h {
		for _, part := range f.Parts(y) {
			term.Feed([]byte("\x1b[" + itoa(y+1) + ";" + itoa(part.Col+1) + "H" + string(part.Text)))
		}
	}
	lines := strings.Split(term.Text(), "\n")
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.Join(lines, "\n")
}

func itoa(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

func TestFoldersSumUpWhatIsBelow(t *testing.T) {
	p := New()
	cmp := counted("A lib/z/deep", "A lib/a", "U main.go", "A lib/z/flat")
	p.Show(cmp, true)
	if s := shown(p, 40, 8); !strings.Contains(s, "▾ lib/ +7 −3\n") || !strings.Contains(s, "▾ z/ +5 −2\n") {
		t.Errorf("shown:\n%s", s)
	}
	p.To(0)
	p.Toggle()
	if s := shown(p, 40, 8); !strings.Contains(s, "▸ lib/ 3 +7 −3") {
		t.Errorf("folded:\n%s", s)
	}
	cmp.Files[1].Additions, cmp.Files[3].Additions = -1, 90
	p.Count()
	if s := shown(p, 40, 8); !strings.Contains(s, "3 +91 −2 …") {
		t.Errorf("with one file not counted:\n%s", s)
	}
	if s := shown(p, 14, 8); !strings.Contains(s, "▸ lib/ 3\n") {
		t.Errorf("narrow:\n%s", s)
	}
}

func TestOnlyTheAgents(t *testing.T) {
	p := New()
	cmp := counted("A lib/a", "U lib/u", "X lib/x", "? odd", "- new")
	p.Show(cmp, true)
	p.Select(2)
	p.Only(true)
	s := shown(p, 40, 9)
	if want := "▾ lib/ +4 −2\nM a +1 −1 A\nM x +3 −1 X\nM new +5 −1"; strings.TrimSpace(s) != want {
		t.Errorf("listed:\n%s\nwant\n%s", s, want)
	}
	if at, of := p.Position(); p.File() != 2 || at != 2 || of != 3 {
		t.Errorf("the cursor is on file %d, %d of %d", p.File(), at, of)
	}
	p.To(0)
	if _, folder, files := p.Selection(); !folder || len(files) != 2 || files[0] != "lib/a" || files[1] != "lib/x" {
		t.Errorf("the folder stands for %q", files)
	}
	cmp.Files[4].Owner = model.OwnerUser
	p.Count()
	if p.Listed(4) || !p.Listed(0) || strings.Contains(shown(p, 40, 9), "new") {
		t.Errorf("what proved to be the user's is still listed:\n%s", shown(p, 40, 9))
	}
	p.Only(false)
	if _, of := p.Position(); of != 5 || !strings.Contains(shown(p, 40, 9), "left out") {
		t.Errorf("not all are listed again:\n%s", shown(p, 40, 9))
	}
}

func TestNothingIsTheAgents(t *testing.T) {
	p := New()
	p.Show(counted("U a", "? b"), true)
	p.Only(true)
	shown(p, 40, 4)
	if p.File() >= 0 || p.NextFile(1) {
		t.Error("a file is selected in an empty list")
	}
	p.Move(1)
	p.To(-1)
	p.Only(false)
	if p.File() < 0 {
		t.Error("no file is selected in a full list")
	}
}

// A folder whose files were all read says so, one with something unread or not counted
// does not, nor one in which nothing is to be read.
func TestFoldersThatWereRead(t *testing.T) {
	p := New()
	cmp := counted("A lib/a", "A lib/z/deep", "A space/s", "U main.go")
	for i, hunks := range []int{2, 1, 0, 1} {
		cmp.Files[i].Hunks = hunks
	}
	cmp.Files[1].Read = 1
	p.Show(cmp, true)
	want := func(lib, z string) {
		t.Helper()
		if s := shown(p, 40, 9); !strings.Contains(s, lib+"\n") || !strings.Contains(s, z+"\n") || !strings.Contains(s, "▾ space/ +3 −1\n") {
			t.Errorf("want %q and %q:\n%s", lib, z, s)
		}
	}
	want("▾ lib/ +3 −2", "▾ z/ +2 −1 ✓")
	cmp.Files[0].Read = 2
	p.Count()
	want("▾ lib/ +3 −2 ✓", "▾ z/ +2 −1 ✓")
	cmp.Files[1].Hunks, cmp.Files[1].Read = -1, 0
	p.Count()
	want("▾ lib/ +3 −2", "▾ z/ +2 −1")
	cmp.Files[1].Hunks, cmp.Files[1].Read = 1, 1
	p.To(0)
	p.Toggle()
	p.Count()
	if s := shown(p, 14, 8); !strings.Contains(s, "▸ lib/ 2 ✓\n") {
		t.Errorf("narrow and folded:\n%s", s)
	}
}
