package ledger_test

import (
	"slices"
	"strings"
	"testing"

	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review/ledger"
)

func (b *bench) tool(phase ledger.Phase, call string, paths ...model.Path) {
	b.t.Helper()
	err := b.l.Tool(b.t.Context(), ledger.ToolEvent{Thread: th, TurnID: "x", Phase: phase, Tool: "Write", CallID: call, Paths: paths})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestLateMoments: once another turn has started, an end does not move any more, and
// what a late tool left is not the turn's.
func TestLateMoments(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.end(th, "x")
	b.start("other", "y")
	b.tool(ledger.PhasePre, "c1", "late")
	ev, err := b.l.Evidence(t.Context(), th, 1)
	if err != nil || len(ev.Moments) != 1 {
		t.Fatalf("%+v, %v", ev, err)
	}
	want(t, "a late moment", ev.Moments[0].Tree, "")
}

func TestMoments(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.tool(ledger.PhasePre, "c1")
	b.Write("a.txt", "by the tool\n")
	b.tool(ledger.PhasePost, "c1", "a.txt")
	b.Write("dir/b.txt", "by the user\n")
	b.tool(ledger.PhasePre, "c2")
	b.tool(ledger.PhasePre, "c3")
	b.Write("a.txt", "again\n")
	b.tool(ledger.PhasePost, "c3", "a.txt", "z")
	if err := b.l.Touch(t.Context(), th, []model.Path{"m"}); err != nil {
		t.Fatal(err)
	}
	done := b.end(th, "x")
	b.tool(ledger.PhasePost, "c2", "late")

	ev, err := b.l.Evidence(t.Context(), th, 1)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "reported", ev.ToolsReported, true)
	if !slices.Equal(ev.Touched, []model.Path{"a.txt", "late", "m", "z"}) {
		t.Errorf("touched %q", ev.Touched)
	}
	var running []int
	for _, m := range ev.Moments {
		running = append(running, m.Running)
	}
	if !slices.Equal(running, []int{1, 0, 1, 2, 1, 0}) {
		t.Errorf("running %v", running)
	}
	want(t, "before the tool", ev.Moments[0].Tree, done.Start.Tree)
	want(t, "what the tool did", b.Git("diff", "--name-only", ev.Moments[0].Tree, ev.Moments[1].Tree), "a.txt")
	want(t, "what the user did", b.Git("diff", "--name-only", ev.Moments[1].Tree, ev.Moments[2].Tree), "dir/b.txt")
	want(t, "a late moment, as the end may move", ev.Moments[5].Tree, done.End.Tree)

	b.Git("reflog", "expire", "--expire=now", "--all")
	b.Git("gc", "-q", "--prune=now")
	b.Git("cat-file", "-e", ev.Moments[1].Tree+":a.txt")
	rec, err := b.records.Read(t.Context(), done.Checkpoint)
	if err != nil || !strings.Contains(string(rec.Evidence), "late") {
		t.Errorf("the record does not have the late event: %v %s", err, rec.Evidence)
	}
	stored, err := snapshot.Read(t.Context(), b.objects, done.End.Commit)
	if err != nil || len(stored.Attachments) == 0 {
		t.Errorf("attachments: %+v %v", stored, err)
	}
}

// TestLateToolOpensNothing: after the end a tool event goes to the turn it names.
func TestLateToolOpensNothing(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.end(th, "x")
	b.start(th, "y")
	b.tool(ledger.PhasePost, "c9", "p")
	for n, touched := range map[int]int{1: 1, 2: 0} {
		ev, err := b.l.Evidence(t.Context(), th, n)
		if err != nil || len(ev.Touched) != touched {
			t.Errorf("turn %d: %+v %v", n, ev, err)
		}
	}
	if err := b.l.Tool(t.Context(), ledger.ToolEvent{Thread: "unknown", Phase: ledger.PhasePre}); err != nil {
		t.Errorf("a tool of an unknown thread: %v", err)
	}
}

func TestReportsToolsWithoutAny(t *testing.T) {
	b := newBench(t)
	if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, ReportsTools: true}); err != nil {
		t.Fatal(err)
	}
	b.end(th, "")
	b.start("quiet", "")
	for thread, reports := range map[model.ThreadID]bool{th: true, "quiet": false} {
		ev, err := b.l.Evidence(t.Context(), thread, 1)
		if err != nil || ev.ToolsReported != reports {
			t.Errorf("%s: %+v %v", thread, ev, err)
		}
	}
}

func TestEffects(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	push := model.Effect{Domain: model.DomainPublication, Summary: "git push", Reversible: model.ReversibleNo}
	turn, err := b.l.Effect(t.Context(), th, push)
	if err != nil || len(turn.Effects) != 1 || turn.Effects[0].At.IsZero() {
		t.Fatalf("effect: %+v %v", turn.Effects, err)
	}
	before, _ := b.l.Generation(t.Context())
	want(t, "at the end", len(b.end(th, "x").Effects), 1)
	if _, err := b.l.Effect(t.Context(), th, model.Effect{Domain: model.DomainNetwork, Summary: "late"}); err != nil {
		t.Fatal(err)
	}
	done := b.turn(th, 1)
	want(t, "after it", len(done.Effects), 2)
	want(t, "not said", done.Effects[1].Reversible, model.ReversibleUnknown)
	rec, err := b.records.Read(t.Context(), done.Checkpoint)
	if err != nil || len(rec.Turn.Effects) != 2 {
		t.Errorf("record: %+v %v", rec, err)
	}
	if after, _ := b.l.Generation(t.Context()); after == before || after == "" {
		t.Errorf("generation stayed %q", after)
	}
}

func TestOverlaps(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.start("other", "o")
	b.end(th, "x")
	b.start("third", "z")
	for thread, overlaps := range map[model.ThreadID]string{th: "other", "other": string(th) + " third", "third": "other"} {
		ev, err := b.l.Evidence(t.Context(), thread, 1)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, o := range ev.Overlaps {
			want(t, "turn", o.Turn, 1)
			names = append(names, string(o.Thread))
		}
		want(t, "overlaps of "+string(thread), strings.Join(names, " "), overlaps)
	}
	open, err := b.l.Open(t.Context())
	if err != nil || len(open) != 2 {
		t.Errorf("open: %+v %v", open, err)
	}
}
