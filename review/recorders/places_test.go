package recorders

import (
	"os"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/checkpoint/foreign/t3"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/review"
	"overturn/review/ledger"
)

// The innermost work tree counts; a folder in none of them is nowhere.
func TestPlaces(t *testing.T) {
	r := gittest.New(t)
	r.Write("sub/a", "1\n")
	r.Commit("first")
	inner := r.Path("inside")
	r.Git("worktree", "add", "-q", inner)
	if err := os.Symlink(r.Root, r.Root+".link"); err != nil {
		t.Fatal(err)
	}
	p, err := placesOf(t.Context(), r.Open())
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		r.Root: "main ", r.Path("sub"): "main sub", r.Root + ".link/sub": "main sub", inner: "inside ", inner + "/sub/deeper": "inside sub/deeper",
		r.Root + "x": " ", "/": " ", "": " ", "relative": " ", r.Path(".git"): "main ",
	} {
		if tree, within := p.of(dir); tree+" "+string(within) != want {
			t.Errorf("%s: %q in %q, want %q", dir, within, tree, want)
		}
	}
	if p.only() != "" || p[:1].only() != "main" {
		t.Error("only is that of a repository with one work tree")
	}
}

// known is a source of whose threads the database would say where they worked.
func known(t *testing.T, r *gittest.Repo, dirs map[string]string) (*Book, *review.Engine) {
	t.Helper()
	repo := r.Open()
	objs, names := objects.Open(repo), refs.New(repo)
	t.Cleanup(func() { _ = objs.Close() })
	now := time.Now()
	s := NewT3(repo, objs, names, "", func() time.Time { return now })
	l, err := s.listing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.known = map[model.ThreadID]t3.Known{}
	for id, dir := range dirs {
		l.known[model.ThreadID("t3:"+id)] = t3.Known{Dir: dir}
	}
	book := NewBook(ledger.New(ledger.Deps{Repo: repo, Objects: objs, Refs: names, Clock: time.Now}), s)
	return book, review.New(review.Deps{Repo: repo, Objects: objs, Refs: names, Ledger: book, Clock: time.Now})
}

// Facts: t3code.md, 1.5: of a project in a folder, only the folder is taken from disk; the
// rest is HEAD's, and a commit elsewhere is no change of the turn.
func TestFolderOfAProject(t *testing.T) {
	r := gittest.New(t)
	r.Write("sub/a", "1\n")
	r.Write("else/b", "1\n")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "sub")
	c.Capture(foreigntest.First("x", 0))
	r.Write("sub/a", "2\n")
	r.Write("else/b", "2\n")
	r.Git("add", "else")
	r.Git("commit", "-qm", "elsewhere")
	c.Capture(foreigntest.First("x", 1))

	book, engine := known(t, r, map[string]string{"x": r.Path("sub")})
	turn, err := book.Turn(t.Context(), "t3:x", 1)
	if err != nil || len(turn.Files) != 1 || turn.Files[0].Path != "sub/a" || turn.WorkTree != "main" {
		t.Errorf("%+v, %v", turn, err)
	}
	cs, err := engine.Compare(t.Context(), model.Scope{Kind: model.ScopeTurn, Turn: 1, Thread: "t3:x"})
	if err != nil {
		t.Fatal(err)
	}
	if len(cs.Files) != 1 || cs.Files[0].Path != "sub/a" || cs.Foreign {
		t.Errorf("%+v", cs.Files)
	}
	if len(cs.LeftOut) != 1 || cs.LeftOut[0].Path != "else/b" || !strings.Contains(cs.LeftOut[0].Reason, "what HEAD had") {
		t.Errorf("%+v", cs.LeftOut)
	}
}

// Turns that ran at the same time in one work tree are nobody's; in two they are each
// their agent's; where one's is not known it may have been this one.
func TestTurnsBeside(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Commit("first")
	linked := r.Worktree("linked")
	c := foreigntest.NewT3(t, r, "")
	one, two := foreigntest.Second("one", 1), foreigntest.Second("two", 1)
	c.Capture(foreigntest.Second("one", 0))
	c.Capture(foreigntest.Second("two", 0))
	c.Capture(one + "-start")
	c.Capture(two + "-start")
	r.Write("a", "2\n")
	c.Capture(one)
	c.Capture(two)
	id := func(thread string) string { return "v2:" + foreigntest.Key(foreigntest.ScopeID(thread)) }
	for what, tc := range map[string]struct {
		other string
		want  model.Owner
	}{
		"the same":  {r.Root, model.OwnerUnknown},
		"another":   {linked.Root, model.OwnerAgent},
		"not known": {"/nowhere", model.OwnerUnknown},
	} {
		book, _ := known(t, r, map[string]string{id("one"): r.Root, id("two"): tc.other})
		turn, err := book.Turn(t.Context(), model.ThreadID("t3:"+id("one")), 1)
		if err != nil || len(turn.Files) != 1 || turn.Files[0].Owner != tc.want {
			t.Errorf("%s: %+v, %v; want %s", what, turn.Files, err, tc.want)
		}
	}
}
