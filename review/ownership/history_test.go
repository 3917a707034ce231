package ownership_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/ownership"
	"overturn/review/patch"
)

// file is a version by its content; keys are contents.
func file(content string) ownership.State {
	return ownership.State{Kind: model.KindFile, Key: content, Mode: "100644"}
}

func gone() ownership.State { return ownership.State{Kind: model.KindAbsent, Mode: "000000"} }

func load(_ context.Context, s ownership.State) ([]byte, error) { return []byte(s.Key), nil }

// attribute runs the versions through Append and Attribute.
func attribute(t *testing.T, first ownership.State, rest ...any) ownership.File {
	t.Helper()
	h := &ownership.History{Path: "f", States: []ownership.State{first}}
	last := first
	for i := 0; i < len(rest); i += 2 {
		last = rest[i+1].(ownership.State)
		h.Append(last, rest[i].(ownership.Verdict))
	}
	var diff *patch.Diff
	if !patch.IsBinary([]byte(first.Key)) && !patch.IsBinary([]byte(last.Key)) {
		diff = patch.Compare([]byte(first.Key), []byte(last.Key), patch.Options{})
	}
	f, err := ownership.Attribute(t.Context(), h, diff, load)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// owners spells a file's owners: file, then hunk by hunk.
func owners(f ownership.File) string {
	spell := func(o model.Owner, thread model.ThreadID, turns []int) string {
		s := string(o)
		if thread != "" {
			s += "@" + string(thread)
		}
		return s + fmt.Sprint(turns)
	}
	list := []string{spell(f.Owner, f.Thread, f.Turns)}
	for _, h := range f.Hunks {
		list = append(list, fmt.Sprintf("%d:%s", h.Number, spell(h.Owner, h.Thread, h.Turns)))
	}
	return strings.Join(list, " ")
}

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestAttribute(t *testing.T) {
	a1, a2, b1 := agent("a", 1), agent("a", 2), agent("b", 1)
	base := lines(1, 40)
	mine := strings.Replace(base, "line 2\n", "agent 2\n", 1)
	both := strings.Replace(mine, "line 30\n", "user 30\n", 1)
	close := strings.Replace(mine, "line 3\n", "user 3\n", 1)
	exec := ownership.State{Kind: model.KindFile, Key: mine, Mode: "100755"}
	link := ownership.State{Kind: model.KindLink, Key: "target", Mode: "120000"}
	tests := []struct {
		name string
		got  ownership.File
		want string
	}{
		{"one step", attribute(t, file(base), a1, file(both)), "agent@a[1] 1:agent@a[1] 2:agent@a[1]"},
		{"two owners, apart", attribute(t, file(base), a1, file(mine), user(0), file(both)), "mixed[1] 1:agent@a[1] 2:user[]"},
		{"two owners in one hunk", attribute(t, file(base), a1, file(mine), user(0), file(close)), "mixed[1] 1:mixed[1]"},
		{"two turns in one hunk", attribute(t, file(base), a1, file(mine), a2, file(close)), "agent@a[1 2] 1:agent@a[1 2]"},
		{"two threads", attribute(t, file(base), a1, file(mine), b1, file(both)), "mixed[1] 1:agent@a[1] 2:agent@b[1]"},
		{"what the user did was undone by the agent", attribute(t, file(base), user(0), file(base+"user\n"), a1, file(mine)), "agent@a[1] 1:agent@a[1]"},
		{"the user takes the agent's line away again", attribute(t, file(mine), a1, file(both), user(0), file(mine+"end\n")), "user[] 1:user[]"},
		{"the user edited what the agent wrote", attribute(t, file(base), a1, file(mine), user(0), file(strings.Replace(base, "line 2\n", "user 2\n", 1))), "mixed[1] 1:mixed[1]"},
		{"the agent deletes a line, the user another", attribute(t, file(base),
			a1, file(strings.Replace(base, "line 5\n", "", 1)),
			user(0), file(strings.Replace(strings.Replace(base, "line 5\n", "", 1), "line 35\n", "", 1))), "mixed[1] 1:agent@a[1] 2:user[]"},
		{"a line goes, comes back, and goes: the last one counts", attribute(t, file(base),
			user(0), file(strings.Replace(base, "line 5\n", "", 1)), a1, file(base), a2, file(strings.Replace(base, "line 5\n", "", 1))), "agent@a[2] 1:agent@a[2]"},
		{"made by the agent, gone on with by the user", attribute(t, gone(), a1, file("one\n"), user(0), file("one\ntwo\n")), "mixed[1] 1:mixed[1]"},
		{"changed by the agent, deleted by the user", attribute(t, file(base), a1, file(mine), user(0), gone()), "user[] 1:user[]"},
		{"deleted by the agent", attribute(t, file(base), user(0), file(mine), a1, gone()), "agent@a[1] 1:agent@a[1]"},
		{"an empty file", attribute(t, gone(), a1, file("")), "agent@a[1]"},
		{"mode by the user, content by the agent", attribute(t, file(base), a1, file(mine), user(0), exec), "mixed[1] 0:user[] 1:agent@a[1]"},
		{"mode alone", attribute(t, file(mine), a1, exec), "agent@a[1] 0:agent@a[1]"},
		{"mode there and back, then there", attribute(t, file(mine), a1, exec, user(0), file(mine), a2, exec), "agent@a[2] 0:agent@a[2]"},
		{"binary", attribute(t, file("\x00a"), a1, file("\x00b"), user(0), file("\x00c")), "mixed[1]"},
		{"binary, one owner", attribute(t, file("\x00a"), a1, file("\x00b"), a2, file("\x00c")), "agent@a[1 2]"},
		{"a file becomes a link", attribute(t, file(base), user(0), file(mine), a1, link), "agent@a[1] 1:agent@a[1]"},
		{"unknown stays unknown", attribute(t, file(base), unknown(1), file(mine)), "unknown[1] 1:unknown[1]"},
		{"nothing happened", attribute(t, file(base)), "unknown[]"},
	}
	for _, tc := range tests {
		if got := owners(tc.got); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestAppend joins what one owner did in one go, and drops what he took back.
func TestAppend(t *testing.T) {
	h := &ownership.History{States: []ownership.State{file("a")}}
	h.Append(file("b"), agent("a", 1))
	h.Append(file("c"), agent("a", 1))
	h.Append(file("c"), user(0))
	h.Append(file("d"), user(0))
	h.Append(file("c"), user(0))
	if want := []ownership.State{file("a"), file("c")}; !reflect.DeepEqual(h.States, want) || len(h.Steps) != 1 {
		t.Fatalf("%+v", h)
	}
	if v, ok := h.Sole(); !ok || v != agent("a", 1) {
		t.Fatalf("sole owner %+v, %v", v, ok)
	}
}

// TestRandomHistories edits a file of unique lines as two owners in turn, and
// holds the owner of every hunk against what each of them really did.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		text := strings.SplitAfter(lines(1, 60), "\n")
		text = text[:len(text)-1]
		h := &ownership.History{Path: "f", States: []ownership.State{file(strings.Join(text, ""))}}
		added, removed := map[string]ownership.Verdict{}, map[string]ownership.Verdict{}
		for round := range 6 {
			by := user(0)
			if round%2 == 0 {
				by = agent("a", round+1)
			}
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(text))
				switch rng.IntN(3) {
				case 0:
					line := fmt.Sprintf("new %d %d\n", round, rng.Uint64())
					text = slices.Insert(slices.Clone(text), at, line)
					added[line] = by
				case 1:
					removed[text[at]] = by
					text = slices.Delete(slices.Clone(text), at, at+1)
				default:
					line := fmt.Sprintf("new %d %d\n", round, rng.Uint64())
					removed[text[at]], added[line] = by, by
					text = slices.Clone(text)
					text[at] = line
				}
			}
			h.Append(file(strings.Join(text, "")), by)
		}
		first, last := []byte(h.States[0].Key), []byte(h.States[len(h.States)-1].Key)
		diff := patch.Compare(first, last, patch.Options{})
		got, err := ownership.Attribute(t.Context(), h, diff, load)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Hunks) != len(diff.Exact()) {
			t.Fatalf("seed %d: %d owners of %d hunks", seed, len(got.Hunks), len(diff.Exact()))
		}
		for i, hunk := range diff.Exact() {
			want := map[model.Owner]bool{}
			for _, e := range hunk.Edits {
				for n := e.NewFrom; n < e.NewTo; n++ {
					want[added[string(diff.New.Line(n))+"\n"].Owner] = true
				}
				for n := e.OldFrom; n < e.OldTo; n++ {
					want[removed[string(diff.Old.Line(n))+"\n"].Owner] = true
				}
			}
			owner := model.OwnerMixed
			if len(want) == 1 {
				for owner = range want {
				}
			}
			if got.Hunks[i].Owner != owner {
				t.Errorf("seed %d, hunk %d: %s, want %s (%v)", seed, i+1, got.Hunks[i].Owner, owner, want)
			}
		}
	}
}
