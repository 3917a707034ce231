package ui_test

import (
	"fmt"
	"math/rand/v2"
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

// pieces is what ugly texts are made of: what drives a terminal, what terminals
// disagree on, what is wider or narrower than it looks, and what is none of that.
func pieces() []string {
	return []string{
		"plain text", " ", "\t", "\t\t", "x", "\x1b[2J", "\x1b]0;owned\a", "\x1b[31m", "\x1bP$q\x1b\\", "\x1b[?1049h", "\a", "\b\b", "\v\f", "\x00", "\x7f", "\r", "\x0e", "\x9b2J", "\u009b2J", "\u0085",
		"\xff\xfe", "caf\xe9", "\xc3", "\xf0\x9f", "\xed\xa0\x80", "\u202e\u2066", "\u200b", "\ufeff", "\u00a0", "\u00ad", "\u2028", "\u200d", "\u200c",
		"👨‍👩‍👧‍👦", "🏳️‍🌈", "🇯🇵", "🇯", "🇯🇵🇩🇪🇫", "👍🏽", "⚠️", "⚠", "1️⃣", "#️⃣", "❤️‍🔥", "🏴\U000e0067\U000e0062\U000e007f", "\ufe0f", "\u20e3", "e\u0301", "\u0301", "o\u0302\u0301\u0308\u0323", strings.Repeat("\u0300", 40),
		"日本語", "한국어", "ᄀ", "각", "क्षि", "กำ", "שלום", "مرحبا", "ﷺ", "𐍈", "𝔘", "ｆｕｌｌ", "ﾊﾝｶｸ", "\u3000", "\u115f", "\u3164", "—", "│─┐", "…", "ß", "İ", "ǅ", "\U0010ffff", "\ufffd",
	}
}

func uglyText(rng *rand.Rand, n int) string {
	var b strings.Builder
	all := pieces()
	for range n {
		b.WriteString(all[rng.IntN(len(all))])
	}
	return b.String()
}

// uglyLines are lines of every length, a very long one among them.
func uglyLines(rng *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case i == n/2:
			b.WriteString(uglyText(rng, 900))
		default:
			b.WriteString(uglyText(rng, rng.IntN(14)))
		}
		b.WriteString([]string{"\n", "\n", "\n", "\r\n"}[rng.IntN(4)])
	}
	return strings.TrimRight(b.String(), []string{"", "\n"}[rng.IntN(2)])
}

// edit changes some lines.
func edit(rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 4 {
		i := rng.IntN(len(lines))
		lines[i] = []string{"", uglyText(rng, 5) + "\n", lines[i] + lines[i], uglyText(rng, 2) + lines[i]}[rng.IntN(4)]
	}
	return strings.Join(lines, "")
}

// ugly is an engine of which everything that comes from outside is ugly: contents,
// names, prompts, reasons, headers.
func ugly(rng *rand.Rand) *uitest.Engine {
	e := uitest.Shop()
	name := func(n int) string { return strings.NewReplacer("\x00", "", "/", "").Replace(uglyText(rng, n)) }
	owners := []model.Owner{model.OwnerAgent, model.OwnerUser, model.OwnerMixed, model.OwnerUnknown}
	var list []uitest.Change
	for i := range 12 {
		old := uglyLines(rng, 12)
		c := uitest.Change{Path: model.Path(fmt.Sprintf("%s%d/%s%d", name(i%3), i%4, name(1+i%5), i)), Old: []byte(old), New: []byte(edit(rng, old)), Owner: owners[i%4], Header: []string{uglyText(rng, 6)}, Alarms: []string{uglyText(rng, 9)}, Folded: []string{"", "", "", uglyText(rng, 5)}[i%4]}
		switch i {
		case 3:
			c.Old = nil
		case 4:
			c.New = nil
		case 5:
			c.Binary = true
		}
		list = append(list, c)
	}
	e.Changes["7"], e.Changes["working"], e.Changes["branch"] = list, list[:5], list[5:]
	e.Moved = map[model.Path][]view.Move{}
	for _, c := range list {
		e.Moved[c.Path] = []view.Move{{From: 0, To: 4, Path: list[0].Path, Line: 3}, {Old: true, From: 1, To: 6, Path: c.Path, Line: 100}}
	}
	e.LeftOut = []model.Noted{{Path: model.Path(name(6)), Reason: uglyText(rng, 8)}}
	for i := range e.View.Turns {
		t := &e.View.Turns[i]
		t.Prompt, t.StatusReason = uglyText(rng, 10), uglyText(rng, 4)
	}
	for n, c := range e.Cards {
		c.Turn.Prompt, c.Turn.StatusReason, c.Turn.Effects = uglyText(rng, 30), uglyText(rng, 8), append(c.Turn.Effects, model.Effect{Domain: model.DomainOther, Summary: uglyText(rng, 9), Compensation: uglyText(rng, 9)})
		e.Cards[n] = c
	}
	uglyTurns(rng, e, list)
	e.View.Branch, e.View.Title, e.View.Root = uglyText(rng, 3), uglyText(rng, 6), "/home/"+name(4)
	return e
}

// uglyTurns adds a thread beside the first, a turn that runs, and who wrote the lines.
func uglyTurns(rng *rand.Rand, e *uitest.Engine, list []uitest.Change) {
	agent, id := uglyText(rng, 3), model.ThreadID(uglyText(rng, 4))
	e.Others = map[model.ThreadID][]view.Turn{id: {
		{Agent: agent, Number: 1, Prompt: uglyText(rng, 9), State: model.TurnFailed, Status: model.StatusError, StartedAt: uitest.Now().Add(-time.Hour)},
		{Agent: agent, Number: 1000, Prompt: uglyText(rng, 9), State: model.TurnOpen, StartedAt: uitest.Now().Add(-time.Minute)}}}
	e.View.Running = e.Others[id][1:]
	e.Writers, e.Gone = map[model.Path]*view.Origins{}, map[model.Path][]int{}
	for _, c := range list {
		o := &view.Origins{By: []view.Writer{{Owner: model.OwnerUser}, {Owner: model.OwnerAgent, Thread: id, Turn: 1000}, {Owner: model.OwnerAgent, Thread: "7f3c", Turn: 7}, {Owner: model.OwnerMixed}}}
		for i := range strings.Count(string(c.New), "\n") + 1 {
			o.New = append(o.New, int32(i%6-2))
		}
		e.Writers[c.Path], e.Gone[c.Path] = o, []int{1}
	}
}

// walk shows everything once, on whatever size.
func walk() []string {
	return []string{"j", "j", "<enter>", "]", "[", "s", "]", "l", "l", "h", "s", "w", "<c-d>", "s", "G", "s", "w", "Z", "g", "Z", "+", "-", "z", "v", "j", "j", "x", "<esc>", "A", "A", "<tab>", "h", "h", "X", "t", "j", "X", "t",
		" ", " ", "F", "F", "b", "b", "V", "(", "V", "3", "c", "x", "<esc>", "C", "j", "<esc>", "y", "O", "<esc>", "P", "j", "l", "P", "<esc>", "<esc>", "o", "<enter>", "<enter>", "j", "<esc>", "<esc>", "i", "G", ")", "<esc>", "?", "<pgdn>", "<esc>", ":", "s", "<down>", "<esc>", "p", "日", "<esc>",
		"/", "x", "<enter>", "n", "<c-f>", "x", "<enter>", "j", "j", "<enter>", "n", "n", "<c-f>", "<enter>", "<esc>", ".", ".", ".", ",", "<enter>", "G", "k", "T", "1", "2", "4", "(", ")", "L", "j", "V", "k", "<enter>", "L", "G", "<enter>", "3",
		"b", "j", "j", "j", "<tab>", "j", "j", "j", "s", "j", "j", "b", "s", "<esc>", "V", "(", "(", ")", "V", "O", "<down>", "<esc>", "X", "P", "D", "D", "P", "<c-d>"}
}

// Every frame of every screen, over content as ugly as it gets, fills the terminal
// exactly and holds no byte that a terminal obeys: uitest.Check looks at each.
func TestUglyContentOnEveryScreen(t *testing.T) {
	looks := []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii}
	all := themes.All()
	for i, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {71, 20}, {72, 9}, {40, 12}, {31, 7}, {20, 4}, {12, 3}, {7, 2}, {2, 8}, {1, 1}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 77))
			r := uitest.Open(t, ugly(rng), size[0], size[1], uitest.WithTheme(all[i%len(all)], looks[i%4]))
			for _, k := range walk() {
				r.Press(k)
			}
			if r.Term.Title != "" {
				t.Errorf("the content set the title %q", r.Term.Title)
			}
		})
	}
}

// Every size from 1×1 on: the review, split, wrapped, a list, a prompt and a dialog.
func TestEverySmallSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 78))
	r := uitest.Open(t, ugly(rng), 80, 24)
	sizes := func() {
		for h := 1; h <= 9; h++ {
			for w := 1; w <= 45; w += 1 + w/12 {
				r.Send(tea.WindowSizeMsg{Width: w, Height: h})
			}
		}
	}
	for _, keys := range [][]string{{}, {"j", "<enter>"}, {"w"}, {"s"}, {"w", "l"}, {"X", "P"}, {"P"}, {"<esc>", "<esc>", "?"}, {"<esc>", "p"}, {"<esc>", "<c-f>", "x", "<enter>"}, {"<esc>", "i"}} {
		for _, k := range keys {
			r.Press(k)
		}
		sizes()
		r.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
}

// Clusters that terminals disagree on stand where they should, and so does what comes
// after them: the border of the panes is in its column in every row.
func TestBordersStandStill(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 79))
	r := uitest.Open(t, ugly(rng), 120, 40)
	for range 40 {
		r.Press("j", "<enter>", "]", "<esc>")
		column := -1
		for y, row := range r.Term.Cells() {
			if y < 3 || y >= 39 {
				continue
			}
			for x, c := range row {
				if c.R == '│' && x > 20 && x < 49 && (column < 0 || x == column) {
					column = x
					break
				}
			}
			if column < 0 || row[column].R != '│' {
				t.Fatalf("row %d has no border in column %d\n%s", y, column, r)
			}
		}
	}
}
