package review

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ownership"
)

// history writes n trees of a few files, each differing from the one before in
// one file, and lays them out as turns of two threads by turns.
func writeHistory(t *testing.T, objs *objects.Store, n int) (trees []string, changed []model.Path, line *ownership.Timeline) {
	t.Helper()
	w := objs.NewWriter()
	rng := rand.New(rand.NewPCG(5, 6))
	content := map[string]int{}
	var points ownership.Thread
	for i := range n {
		name := fmt.Sprint("noise", rng.IntN(3))
		if i%37 == 5 {
			name = fmt.Sprint("file", i%2)
		}
		content[name] = i
		var entries []objects.TreeEntry
		for name, c := range content {
			oid, err := w.Write(objects.TypeBlob, []byte(fmt.Sprint(name, c)))
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: name, OID: oid})
		}
		tree, err := w.WriteTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		turn := &ownership.Turn{Thread: "t", Number: i + 1}
		at := time.Unix(int64(2*i), 0)
		if i > 0 {
			points = append(points, ownership.Point{At: at, Tree: trees[i-1], Phase: ownership.Opened, Turn: turn})
		}
		points = append(points, ownership.Point{At: at.Add(time.Second), Tree: tree, Phase: ownership.Closed, Turn: turn})
		trees, changed = append(trees, tree), append(changed, model.Path(name))
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return trees, changed, ownership.NewTimeline(points)
}

// TestFollow finds the turns that changed a file in short and in long histories,
// with some captures gone.
func TestFollow(t *testing.T) {
	objs := objects.Open(gittest.New(t).Open())
	t.Cleanup(func() { _ = objs.Close() })
	for _, n := range []int{3, 40, 60, 70, 300} {
		trees, changed, line := writeHistory(t, objs, n)
		cut := func(map[string]bool) []ownership.Segment {
			return line.Segments(-1, line.Len(), objs.EmptyTree(), trees[n-1])
		}
		got, err := follow(t.Context(), objs, []model.Path{"file0", "file1"}, cut)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []model.Path{"file0", "file1"} {
			var want, turns []int
			for i, c := range changed {
				if c == p {
					want = append(want, i+1)
				}
			}
			for _, s := range got.changed[p] {
				turns = append(turns, got.segments[s.segment].Verdict(p).Turn)
			}
			if fmt.Sprint(turns) != fmt.Sprint(want) {
				t.Errorf("%d trees: %s was changed in turns %v, want %v", n, p, turns, want)
			}
		}
	}
}

// TestFollowLost joins the segments around a capture whose objects are gone.
func TestFollowLost(t *testing.T) {
	objs := objects.Open(gittest.New(t).Open())
	t.Cleanup(func() { _ = objs.Close() })
	trees, _, _ := writeHistory(t, objs, 7)
	turn := &ownership.Turn{Thread: "t", Number: 1, Reports: true}
	gone := "0123456789012345678901234567890123456789"
	cut := func(lost map[string]bool) []ownership.Segment {
		middle := gone
		if lost[gone] {
			middle = ""
		}
		line := ownership.NewTimeline(ownership.Thread{
			{At: time.Unix(1, 0), Tree: trees[0], Phase: ownership.Opened, Turn: turn},
			{At: time.Unix(2, 0), Tree: trees[1], Phase: ownership.ToolBegan, CallID: "a", Turn: turn},
			{At: time.Unix(3, 0), Tree: middle, Phase: ownership.ToolEnded, CallID: "a", Turn: turn},
			{At: time.Unix(4, 0), Tree: trees[6], Phase: ownership.Closed, Turn: turn},
		})
		return line.Segments(0, 3, trees[0], trees[6])
	}
	got, err := follow(t.Context(), objs, []model.Path{"file1"}, cut)
	if err != nil {
		t.Fatal(err)
	}
	h, ok := got.history("file1", ownership.State{Kind: model.KindAbsent}, ownership.State{Kind: model.KindFile})
	if !ok || len(h.Steps) != 1 || h.Steps[0].Owner != model.OwnerAgent {
		t.Errorf("%+v", h)
	}
}
