package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

func TestOpensOnTheLatestTurn(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 160, 40)
	r.Want("7 R ready", "start of turn 7 → end of turn 7", "README.md", "4 M", "1 lasting effect", "data/dump.sql left out: larger")
	r.Press("j", "j", "j", "<enter>")
	r.Want("client.go  modified · agent", "@@ -35,7 +35,13 @@", "hunk 1/6")
	r.Absent("reading ")
}

func TestModesAndTurns(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	r.Press("1")
	r.Want("HEAD 1a2b3c4 → on disk", "4 files")
	r.Press("2")
	r.Want("7 files")
	r.Press("(")
	r.Want("Nothing differs: start of turn 6 → end of", "Turn 6", "6 R ready", "1 left out")
	r.Press("(", "(")
	r.Want("4 M missing", "The checkpoint of this turn is missing: files may")
	r.Press("i")
	r.Want("Checkpoint of turn 4", "the agent was killed", "overturn show 4")
	r.Press("G")
	r.Want("no summary could be made", "git push origin main  not reversible")
	r.Press(")")
	r.Want("Checkpoint of turn 5", "interrupted")
	r.Press("<esc>", "3")
	r.Want("start of turn 7")
	r.Press(")")
	r.Want("no turn beyond this one")
	r.Press("4")
	r.Want("4 Turn 4", "start of turn 4")
	r.Press("(", "3", "4")
	r.Want("4 Turn 3", "start of turn 3")
}

func TestBranchAgainstAnotherBase(t *testing.T) {
	e := uitest.Shop()
	e.Changes["branch=release"] = e.Changes["7"][:1]
	r := uitest.Open(t, e, 120, 30)
	e.Lock()
	e.Fail["compare"] = model.Errorf(model.CodeUsage, "no base found")
	e.Unlock()
	r.Press("2")
	r.Want("No base found.", "B names a base")
	e.Lock()
	delete(e.Fail, "compare")
	e.Unlock()
	r.Press("B")
	r.Send(uitest.Key("release"))
	r.Want("base of the branch: release")
	r.Press("<enter>")
	r.Want("1 file ", "client.go")
	r.Press("1", "2")
	r.Want("1 file ")
}

// Keys that come while something is read wait for it, in order; they never reach
// a dialog that they open.
func TestKeysWaitForWhatIsRead(t *testing.T) {
	e := uitest.Shop()
	gates := map[string]chan struct{}{}
	for _, name := range []string{"overview", "compare", "document"} {
		gates[name] = make(chan struct{})
		e.Slow[name] = gates[name]
	}
	r := uitest.Open(t, e, 120, 30)
	r.Press("1", "j", "<enter>", "]", "x", "P", "P", "y")
	for _, name := range []string{"overview", "compare", "document"} {
		close(gates[name])
		for range 30 {
			time.Sleep(time.Millisecond)
			r.Drain()
		}
	}
	r.Want("● 1 staged", "Plan of what is staged")
	if len(e.Calls) > 0 {
		t.Errorf("keys typed ahead have confirmed: %v", e.Calls)
	}
	slow := uitest.Shop()
	gate := make(chan struct{})
	slow.Slow["overview"] = gate
	r = uitest.Open(t, slow, 120, 30)
	r.Press("(")
	close(gate)
	for i := 0; i < 100 && !strings.Contains(r.Text(), "start of turn 6"); i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
	r.Want("4 Turn 6", "start of turn 6")
}

// Turns come in any order; ( and ) walk by number from the one that is shown.
func TestTurnsInAnyOrder(t *testing.T) {
	e := uitest.Shop()
	slices.Reverse(e.View.Turns)
	r := uitest.Open(t, e, 120, 30)
	r.Want("3 Latest turn", "4 Turn 6", "7 R ready")
	for _, n := range []string{"6", "5", "4"} {
		r.Press("(")
		r.Want("4 Turn "+n, "start of turn "+n)
	}
	r.Press(")")
	r.Want("start of turn 5")
	r.Press("3", "4")
	r.Want("start of turn 5")
}

// At 80×24 the verdicts and the beginning of the patch are on one screen.
func TestPlanShowsVerdictsAndPatch(t *testing.T) {
	e := uitest.Shop()
	e.View.Staged = []view.Staged{{Path: client, Scope: "7"}, {Path: "README.md", Scope: "7", Hunks: []int{1}}}
	r := uitest.Open(t, e, 80, 24)
	r.Press("P")
	r.Want("2 paths · 2 clean", "fingerprint", "diff --git a/internal/client/client.go", "+new line")
	r.Press("G")
	r.Want("Covered", "Not covered", "ignored, index, commits")
}

func TestEmptyStatesSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*uitest.Engine)
		keys []string
		want []string
	}{
		{"no repository", func(e *uitest.Engine) {
			e.Fail["overview"] = model.Errorf(model.CodeNoRepository, "no git repository here").WithHint("cd into one, or git init")
		}, nil, []string{"No git repository here.", "cd into one, or git init"}},
		{"no turns, no hook", func(e *uitest.Engine) { e.View.Hooks = []view.Hook{{Agent: "codex"}} }, []string{"3"},
			[]string{"No turn is recorded here yet.", "overturn enable codex", "none recorded yet"}},
		{"no turns, hook", func(e *uitest.Engine) { e.View.Hooks = []view.Hook{{Agent: "codex", Installed: true}} }, []string{"4"},
			[]string{"The hooks of codex are in place"}},
		{"no turns, hooks that wait", func(e *uitest.Engine) {
			e.View.Hooks = []view.Hook{{Agent: "gemini"}, {Agent: "codex", Installed: true, Untrusted: true}}
		}, []string{"3"}, []string{"The hooks of codex wait for your trust: `overturn agents` says how"}},
		{"all taken back", func(e *uitest.Engine) { e.View.AllOut = true }, []string{"3"},
			[]string{"All turns that were recorded here were taken back.", "u undoes the last revert", "all taken back"}},
		{"no agent", func(e *uitest.Engine) {}, []string{"3"}, []string{"overturn run -- COMMAND"}},
		{"nothing differs", func(e *uitest.Engine) {}, nil, []string{"Nothing differs: HEAD 1a2b3c4 → on disk."}},
		{"comparison fails", func(e *uitest.Engine) {
			e.Fail["compare"] = model.Errorf(model.CodeFailed, "object 1234 is damaged").WithHint("git fsck")
		}, nil, []string{"Object 1234 is damaged.", "git fsck"}},
		{"damage", func(e *uitest.Engine) { e.View.Damage = "the stat table is torn" }, nil, []string{"the stat table is torn — i on a turn tells more", "damaged"}},
		{"interrupted", func(e *uitest.Engine) { e.View.Interrupted = &view.Interrupted{ID: "01abc", Done: 2, Of: 5} }, nil,
			[]string{"a rollback was interrupted after 2 of 5 paths", "overturn recover 01abc", "interrupted rollback"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := uitest.NewEngine()
			c.set(e)
			r := uitest.Open(t, e, 120, 24)
			r.Press(c.keys...)
			r.Want(c.want...)
			r.Press("j", "x", "X", "]", ".", "P", "<esc>", "<esc>", "o", "<enter>", "<esc>", "i", "u", "U", "/", "a", "<enter>", "n", "p", "e", "z", "s")
			if len(e.Calls) > 0 {
				t.Errorf("something was written: %v", e.Calls)
			}
		})
	}
}

// At every size, in every theme, every screen covers the terminal exactly
// (uitest.Show checks each frame).
func TestEverySizeAndScreen(t *testing.T) {
	sizes := [][2]int{{1, 1}, {2, 2}, {3, 7}, {20, 5}, {71, 9}, {72, 8}, {80, 24}, {160, 50}, {200, 60}}
	for i, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			th := themes.All()[i%4]
			r := uitest.Open(t, uitest.Shop(), size[0], size[1], uitest.WithTheme(th, []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii}[i%4]))
			for _, k := range []string{"j", "j", "j", "<enter>", "]", "s", "w", "]", "s", "w", "Z", "Z", "+", "-", "z", "v", "j", "x", "<tab>", "X", "t", "X", "t", "P", "P", "<esc>", "<esc>",
				"<esc>", "o", "<enter>", "<enter>", "j", "<esc>", "<esc>", "i", "G", "<esc>", "?", "<pgdn>", "<esc>", ":", "s", "<down>", "<esc>", "p", "r", "<enter>", "/", "日", "<enter>", "l", "l", "h", "T", "T", "W", "G", "g", "1", "2", "(", "(", ")"} {
				r.Press(k)
			}
			r.Send(tea.WindowSizeMsg{Width: size[0] + 3, Height: size[1] + 1})
			r.Send(tea.WindowSizeMsg{Width: max(size[0]-1, 1), Height: max(size[1]-1, 1)})
		})
	}
}

func TestHostileContentIsShown(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	r.Press("G", "k", "k", "<enter>")
	r.Want("escape^[[31m.txt", "clear ^[[2J title ^[]0;owned^G bell", "if user<U+202E> } <U+2066>// admin", "caf<E9>^M")
	r.Press("<esc>", "k", "k", "<enter>")
	r.Want(`\ No newline at end of file`, "二行目は    タブ")
	if r.Term.Title != "" {
		t.Errorf("the content set the title %q", r.Term.Title)
	}
}

func TestQuietRefreshKeepsTheRow(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("j", "j", "j", "<enter>", "]", "]", "j", "j", "j", "j", "j", "j")
	_, y := r.At("resp, err := c.once(ctx, id)")
	e.Lock()
	c := &e.Changes["7"][0]
	c.New = append([]byte("// one\n// two\n// three\n"), c.New...)
	e.Changes["7"] = append(e.Changes["7"], uitest.Change{Path: "aaa/first.go", New: []byte("package aaa\n"), Owner: model.OwnerAgent})
	e.Unlock()
	r.Send(tea.FocusMsg{})
	r.Want("8 files", "first.go", "client.go  modified")
	if _, now := r.At("resp, err := c.once(ctx, id)"); now != y {
		t.Errorf("the row under the cursor went from %d to %d\n%s", y, now, r)
	}
	e.Lock()
	e.View.Turns = append(e.View.Turns, view.Turn{Number: 8, Prompt: "More", State: model.TurnOpen, StartedAt: uitest.Now(), Files: -1})
	e.Changes["8"] = e.Changes["7"][:2]
	e.Unlock()
	e.News <- struct{}{}
	until(r, "turn 8 runs")
	r.Want("8 O", "8 files", "7 R ready")
	e.Lock()
	e.View.Turns[7].State, e.View.Turns[7].Status = model.TurnCompleted, model.StatusReady
	e.View.Turns[7].Files, e.View.Turns[7].Additions, e.View.Turns[7].Deletions = 2, 35, 6
	e.Unlock()
	e.News <- struct{}{}
	until(r, "turn 8 ended: 2 files +35 −6")
	r.Want("8 R ready More", "client.go  modified", "2 files")
}

// until waits for news to reach the screen.
func until(r *uitest.Review, text string) {
	for i := 0; i < 400 && !strings.Contains(r.Text(), text); i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
	r.Want(text)
}

// What was typed for a prompt is typed into it, though the key that opens it had to wait.
func TestTypedAheadIntoAPrompt(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("<enter>", ".")
	gate := make(chan struct{})
	e.Slow["document"] = gate
	r.Press("W", "p", "o", "l", "d", "_", "r")
	r.Absent("file: old_r")
	close(gate)
	for i := 0; i < 400 && !strings.Contains(r.Text(), "file: old_r"); i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
	r.Press("<enter>")
	r.Want("-// TODO: retry", "old_retry.go  deleted")
}

// Text typed ahead keeps its letters whatever they mean elsewhere: one that means
// nothing, and one that would quit.
func TestLettersTypedAheadAreText(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("<enter>", ".")
	gate := make(chan struct{})
	e.Slow["document"] = gate
	r.Press("W", "/", "m", "q", "é", "5")
	close(gate)
	for i := 0; i < 400 && !strings.Contains(r.Text(), "/mqé5"); i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
	if r.Want("/mqé5"); r.Quit {
		t.Error("a letter of the query has quit")
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	e := uitest.Shop()
	gate := make(chan struct{})
	r := uitest.Open(t, e, 120, 30)
	e.Slow["document"] = gate
	r.Press("j", "j", "j", "j")
	r.Want("reading internal/client/old_retry.go")
	close(gate)
	for i := 0; i < 100 && strings.Contains(r.Text(), "reading"); i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
	r.Want("-// TODO: retry", "old_retry.go  deleted")
}
