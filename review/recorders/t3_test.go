package recorders_test

import (
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/ledger"
)

const uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

// twoGenerations is a repository in which T3 Code worked before and after its change of
// storage.
func twoGenerations(t *testing.T) (*fixture, *foreigntest.T3) {
	r := gittest.New(t)
	r.Write("a", "1\n2\n3\n")
	r.Write("b", "b\n")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "")
	c.Capture(foreigntest.First(uuid, 0))
	r.Write("a", "1\ntwo\n3\n")
	r.Write("new", "n\n")
	c.Capture(foreigntest.First(uuid, 1))
	r.Remove("b")
	c.Capture(foreigntest.First(uuid, 2))
	c.Capture(foreigntest.Second("later", 0))
	r.Write("a", "1\ntwo\nthree\n")
	c.Capture(foreigntest.Second("later", 1))
	r.Write("mine", "the user's, between the turns\n")
	c.Capture(foreigntest.Second("later", 2) + "-start")
	r.Write("a", "1\ntwo\nthree\nfour\n")
	c.Capture(foreigntest.Second("later", 2))
	return newFixture(t, r), c
}

func later() string { return "t3:v2:" + foreigntest.Key(foreigntest.ScopeID("later")) }

// Facts: t3code.md, 1.3, 1.4, 4.
func TestBothGenerations(t *testing.T) {
	f, _ := twoGenerations(t)
	before := f.Protected(t)
	equal(t, "threads", f.threads(), "t3 "+later()+` in "main": 2`+"\nt3 t3:"+uuid+` in "main": 2`+
		"\n! refs/t3/: titles are not known: there is no database of T3 Code's below HOME/.t3")
	equal(t, "the first", f.turns("t3:"+uuid), `1 unknown ready | modified a +1 -1 unknown | added new +1 -0 unknown
2 unknown ready | deleted b +0 -1 unknown`)
	equal(t, "the second", f.turns(later()), `1 unknown ready | modified a +1 -1 unknown
2 unknown ready | modified a +1 -0 agent`)
	for scope, want := range map[string]string{
		"1":      "turn 1, start to turn 1, end\nmodified a +1 -1 unknown\nadded new +1 -0 unknown",
		"latest": "turn 2, start to turn 2, end\ndeleted b +0 -1 unknown",
		"0..2":   "baseline to turn 2, end\nmodified a +1 -1 unknown\ndeleted b +0 -1 unknown\nadded new +1 -0 unknown",
		"thread": "baseline to turn 2, end\nmodified a +1 -1 unknown\ndeleted b +0 -1 unknown\nadded new +1 -0 unknown",
		"3":      "usage: turn 3 is ahead of the latest finished one, 2",
	} {
		equal(t, scope, f.compare(scope+"@t3:"+uuid), want)
	}
	equal(t, "with a start of its own", f.compare("2@"+later()), "turn 2, start to turn 2, end\nmodified a +1 -0 agent")
	equal(t, "over several", f.compare("1..2@"+later()), "turn 1, end to turn 2, end\nmodified a +1 -0 unknown\nadded mine +1 -0 unknown")
	if d := before.Diff(f.Protected(t)); d != "" {
		t.Errorf("reading changed what is T3 Code's:\n%s", d)
	}
}

// A thread is named by its id, or a beginning that only one has.
func TestNamesOfThreads(t *testing.T) {
	f, c := twoGenerations(t)
	c.Capture(foreigntest.First(uuid+"x", 0))
	for name, want := range map[string]string{
		"t3:" + uuid: "t3:" + uuid, "t3:v2:": later(),
		"t3:7c9": "", "t3:none": "", "7c9e6679": "", "": "",
	} {
		id, err := f.book.Resolve(t.Context(), name)
		if string(id) != want || (err == nil) != (want != "") || err != nil && model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%q: %q, %v; want %q", name, id, err, want)
		}
	}
}

// A thread of ours may have such a name: it stays ours.
func TestOursOfThatName(t *testing.T) {
	f, _ := twoGenerations(t)
	ours := model.ThreadID("t3:" + uuid)
	_, err := f.book.Start(t.Context(), ledger.StartEvent{Thread: ours, Agent: "generic", Prompt: "ours"})
	f.must(err)
	turn, err := f.book.Brief(t.Context(), ours, 1)
	if f.must(err); turn.Prompt != "ours" {
		t.Errorf("T3 Code's turn hides ours: %+v", turn)
	}
}

// Without threads of others nothing is there, and what we recorded is the default.
func TestOthersAreNeverTheDefault(t *testing.T) {
	f, _ := twoGenerations(t)
	if id, err := f.book.Default(t.Context()); model.CodeOf(err) != model.CodeNoRepository {
		t.Errorf("%q, %v", id, err)
	}
	equal(t, "no thread is named", f.compare("latest"), "no_repository: nothing is recorded in this work tree")
	if got := f.compare("working"); !strings.Contains(got, "unknown") && strings.Contains(got, "agent") {
		t.Errorf("T3 Code's turns have a part in our comparisons:\n%s", got)
	}
}

// A turn of ours that ran while one of T3 Code's did, by the clock of each, leaves open
// who made it; one before or after does not.
func TestOursBeside(t *testing.T) {
	f, _ := twoGenerations(t)
	turns, err := f.book.Turns(t.Context(), model.ThreadID(later()), 0)
	f.must(err)
	start, end := turns[1].StartedAt, *turns[1].CompletedAt
	run := func(thread string, from, to time.Time) {
		_, err := f.book.Start(t.Context(), ledger.StartEvent{Thread: model.ThreadID(thread), Agent: "generic", At: from})
		f.must(err)
		_, err = f.book.End(t.Context(), ledger.EndEvent{Thread: model.ThreadID(thread), At: to})
		f.must(err)
	}
	run("before", start.Add(-time.Hour), start.Add(-time.Minute))
	run("after", end.Add(time.Minute), end.Add(time.Hour))
	equal(t, "before and after", f.compare("2@"+later()), "turn 2, start to turn 2, end\nmodified a +1 -0 agent")
	run("beside", start.Add(-time.Minute), start.Add(time.Second))
	equal(t, "beside", f.compare("2@"+later()), "turn 2, start to turn 2, end\nmodified a +1 -0 unknown")
}
