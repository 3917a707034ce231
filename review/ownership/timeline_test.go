package ownership_test

import (
	"testing"
	"time"

	"overturn/model"
	"overturn/review/ownership"
)

// at is a moment: n seconds after a fixed one.
func at(n int) time.Time { return time.Date(2026, 1, 2, 3, 0, n, 0, time.UTC) }

func turn(thread string, n int, reports bool, wrote ...string) *ownership.Turn {
	t := &ownership.Turn{Thread: model.ThreadID(thread), Number: n, Reports: reports, Wrote: map[model.Path]bool{}}
	for _, p := range wrote {
		t.Wrote[model.Path(p)] = true
	}
	return t
}

func point(n int, tree string, phase ownership.Phase, t *ownership.Turn) ownership.Point {
	p := ownership.Point{At: at(n), Tree: tree, Phase: phase, Turn: t}
	if phase == ownership.ToolBegan || phase == ownership.ToolEnded {
		p.CallID = "call"
	}
	if phase == ownership.RollbackBegan || phase == ownership.RollbackEnded {
		p.CallID, p.Paths = "rollback", []model.Path{"f", "named"}
	}
	return p
}

func agent(thread string, n int) ownership.Verdict {
	return ownership.Verdict{Owner: model.OwnerAgent, Thread: model.ThreadID(thread), Turn: n, In: model.ThreadID(thread)}
}

func user(n int) ownership.Verdict { return within(model.OwnerUser, n) }

// within is the verdict that something was made in turn n of thread a, or in none.
func within(owner model.Owner, n int) ownership.Verdict {
	v := ownership.Verdict{Owner: owner, Turn: n}
	if n > 0 {
		v.In = "a"
	}
	return v
}

func unknown(n int) ownership.Verdict { return within(model.OwnerUnknown, n) }

const (
	opened = ownership.Opened
	began  = ownership.ToolBegan
	ended  = ownership.ToolEnded
	closed = ownership.Closed
	rolls  = ownership.RollbackBegan
	stands = ownership.RollbackEnded
)

// TestVerdicts lays out points of one or two threads and asks, for each segment,
// who made a difference at "f" and at "named", which a tool of thread a names.
func TestVerdicts(t *testing.T) {
	type want struct {
		from, to string
		f, named ownership.Verdict
	}
	a, quiet := turn("a", 1, true, "named"), turn("a", 1, false)
	a2 := turn("a", 2, true)
	b := turn("b", 7, true, "other")
	mute := turn("b", 7, false)
	tests := []struct {
		name    string
		threads []ownership.Thread
		want    []want
	}{
		{"tools are reported", []ownership.Thread{{
			point(0, "0", opened, a), point(1, "1", began, a), point(2, "2", ended, a), point(3, "3", closed, a),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "1", user(1), agent("a", 1)},
			{"1", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), agent("a", 1)},
			{"3", "last", user(0), user(0)},
		}},
		{"tools are not reported", []ownership.Thread{{point(0, "0", opened, quiet), point(3, "3", closed, quiet)}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "3", agent("a", 1), agent("a", 1)},
			{"3", "last", user(0), user(0)},
		}},
		{"a moment that was not captured joins its neighbours", []ownership.Thread{{
			point(0, "0", opened, a), point(1, "", began, a), point(2, "2", ended, a), point(3, "", closed, a),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", agent("a", 1), agent("a", 1)},
			{"2", "last", unknown(1), unknown(1)},
		}},
		{"only the end of a tool is reported", []ownership.Thread{{
			point(0, "0", opened, a), point(2, "2", ended, a), point(3, "3", closed, a),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), agent("a", 1)},
			{"3", "last", user(0), user(0)},
		}},
		{"a tool that never ended runs to the end of its turn", []ownership.Thread{{
			point(0, "0", opened, a), point(1, "1", began, a), point(3, "3", closed, a),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "1", user(1), agent("a", 1)},
			{"1", "3", agent("a", 1), agent("a", 1)},
			{"3", "last", user(0), user(0)},
		}},
		{"the start was not captured", []ownership.Thread{{
			point(0, "", opened, a), point(1, "1", began, a), point(2, "2", ended, a), point(3, "3", closed, a),
		}}, []want{
			{"base", "1", unknown(1), unknown(1)},
			{"1", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), agent("a", 1)},
			{"3", "last", user(0), user(0)},
		}},
		{"an end without a start", []ownership.Thread{{
			point(0, "0", opened, a), point(3, "3", closed, a), point(5, "5", closed, a2),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "3", user(1), agent("a", 1)},
			{"3", "5", unknown(2), unknown(2)},
			{"5", "last", user(0), user(0)},
		}},
		{"a turn is closed by the next one, at one instant", []ownership.Thread{{
			point(0, "0", opened, quiet), point(3, "", closed, quiet), point(3, "3", opened, a2), point(4, "4", closed, a2),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "3", agent("a", 1), agent("a", 1)},
			{"3", "4", user(2), user(2)},
			{"4", "last", user(0), user(0)},
		}},
		{"threads overlap", []ownership.Thread{
			{point(0, "0", opened, a), point(4, "4", began, a), point(5, "5", ended, a), point(9, "9", closed, a)},
			{point(2, "2", opened, b), point(6, "6", began, b), point(7, "7", ended, b), point(8, "8", closed, b)},
		}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", user(1), agent("a", 1)},
			{"2", "4", user(0), agent("a", 1)},
			{"4", "5", unknown(0), agent("a", 1)},
			{"5", "6", user(0), agent("a", 1)},
			{"6", "7", unknown(0), agent("a", 1)},
			{"7", "8", user(0), agent("a", 1)},
			{"8", "9", user(1), agent("a", 1)},
			{"9", "last", user(0), user(0)},
		}},
		{"one of the overlapping agents does not report its tools", []ownership.Thread{
			{point(0, "0", opened, a), point(9, "9", closed, a)},
			{point(2, "2", opened, mute), point(8, "8", closed, mute)},
		}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", user(1), agent("a", 1)},
			{"2", "8", unknown(0), agent("a", 1)},
			{"8", "9", user(1), agent("a", 1)},
			{"9", "last", user(0), user(0)},
		}},
		{"the other thread works between two turns", []ownership.Thread{
			{point(0, "0", opened, quiet), point(1, "1", closed, quiet), point(8, "8", opened, a2), point(9, "9", closed, a2)},
			{point(3, "3", opened, mute), point(5, "5", closed, mute)},
		}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "1", agent("a", 1), agent("a", 1)},
			{"1", "3", user(0), user(0)},
			{"3", "5", agent("b", 7), agent("b", 7)},
			{"5", "8", user(0), user(0)},
			{"8", "9", user(2), user(2)},
			{"9", "last", user(0), user(0)},
		}},
		{"a turn that is still open", []ownership.Thread{{point(0, "0", opened, quiet)}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "last", agent("a", 1), agent("a", 1)},
		}},
		{"the user takes something back, whatever tool runs, and the agent goes on", []ownership.Thread{{
			point(0, "0", opened, a), point(1, "1", began, a), point(2, "2", rolls, a), point(3, "3", stands, a), point(4, "4", ended, a), point(5, "5", closed, a),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "1", user(1), agent("a", 1)},
			{"1", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), user(1)},
			{"3", "4", agent("a", 1), agent("a", 1)},
			{"4", "5", user(1), agent("a", 1)},
			{"5", "last", user(0), user(0)},
		}},
		{"a tool ends during a rollback", []ownership.Thread{{
			point(0, "0", opened, quiet), point(2, "2", rolls, quiet), point(3, "3", ended, quiet), point(4, "4", stands, quiet), point(5, "5", closed, quiet),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), user(1)},
			{"3", "4", user(1), user(1)},
			{"4", "5", agent("a", 1), agent("a", 1)},
			{"5", "last", user(0), user(0)},
		}},
		{"two turns see a rollback", []ownership.Thread{
			{point(0, "0", opened, a), point(2, "2", rolls, a), point(3, "3", stands, a), point(5, "5", closed, a)},
			{point(0, "0", opened, mute), point(2, "2", rolls, mute), point(3, "3", stands, mute), point(5, "5", closed, mute)},
		}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "0", user(1), agent("a", 1)},
			{"0", "2", unknown(0), agent("a", 1)},
			{"2", "2", user(0), user(0)},
			{"2", "3", user(0), user(0)},
			{"3", "3", user(0), user(0)},
			{"3", "5", unknown(0), agent("a", 1)},
			{"5", "5", agent("b", 7), agent("b", 7)},
			{"5", "last", user(0), user(0)},
		}},
		{"the state before a rollback was not captured", []ownership.Thread{{
			point(0, "0", opened, quiet), point(2, "", rolls, quiet), point(3, "3", stands, quiet), point(5, "5", closed, quiet),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "3", unknown(1), unknown(1)},
			{"3", "5", agent("a", 1), agent("a", 1)},
			{"5", "last", user(0), user(0)},
		}},
		{"nor the one after it", []ownership.Thread{{
			point(0, "0", opened, quiet), point(2, "2", rolls, quiet), point(3, "", stands, quiet), point(5, "5", closed, quiet),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", agent("a", 1), agent("a", 1)},
			{"2", "5", unknown(1), unknown(1)},
			{"5", "last", user(0), user(0)},
		}},
		{"a rollback that was cut short ends at the next moment, and its recovery begins it again", []ownership.Thread{{
			point(0, "0", opened, quiet), point(2, "2", rolls, quiet), point(3, "3", began, quiet), point(4, "4", ended, quiet),
			point(5, "5", rolls, quiet), point(6, "6", stands, quiet), point(7, "7", closed, quiet),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), user(1)},
			{"3", "4", agent("a", 1), agent("a", 1)},
			{"4", "5", agent("a", 1), agent("a", 1)},
			{"5", "6", user(1), user(1)},
			{"6", "7", agent("a", 1), agent("a", 1)},
			{"7", "last", user(0), user(0)},
		}},
		{"a turn that ends during a rollback", []ownership.Thread{{
			point(0, "0", opened, quiet), point(2, "2", rolls, quiet), point(3, "3", closed, quiet),
		}}, []want{
			{"base", "0", user(0), user(0)},
			{"0", "2", agent("a", 1), agent("a", 1)},
			{"2", "3", user(1), user(1)},
			{"3", "last", user(0), user(0)},
		}},
		{"nothing recorded", nil, []want{{"base", "last", user(0), user(0)}}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			line := ownership.NewTimeline(tc.threads...)
			got := line.Segments(-1, line.Len(), "base", "last")
			if len(got) != len(tc.want) {
				t.Fatalf("%d segments, want %d: %+v", len(got), len(tc.want), got)
			}
			for i, w := range tc.want {
				s := &got[i]
				if s.From != w.from || s.To != w.to {
					t.Errorf("segment %d is %s..%s, want %s..%s", i, s.From, s.To, w.from, w.to)
				}
				if v := s.Verdict("f"); v != w.f {
					t.Errorf("%s..%s: f is %+v, want %+v", s.From, s.To, v, w.f)
				}
				if v := s.Verdict("named"); v != w.named {
					t.Errorf("%s..%s: named is %+v, want %+v", s.From, s.To, v, w.named)
				}
			}
		})
	}
}
