package comments

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"overturn/model"
	"overturn/model/legible"
)

// Bounds say how much is quoted, in lines: of each comment's code, and of each
// take-back's patch.
type Bounds struct{ Quote, Patch int }

// Whole are the bounds of a prompt that goes to a person's clipboard or a file.
func Whole() Bounds { return Bounds{Quote: 40, Patch: 60} }

// Prompt makes one text of what was taken back and what should change. It is empty
// where there is neither.
func Prompt(list []Placed, back []model.TakenBack, b Bounds) string {
	if len(list)+len(back) == 0 {
		return ""
	}
	var w strings.Builder
	w.WriteString("I have reviewed your changes in this repository.\n")
	if len(back) > 0 {
		w.WriteString("\n## Taken back\n\nThese changes of yours were removed from the files on purpose. Do not make them again unless I ask for it.\n")
		for i, t := range back {
			takenBack(&w, i+1, t, b.Patch)
		}
	}
	if len(list) > 0 {
		w.WriteString("\n## To be changed\n\nGo through every point. Line numbers are those of the files as they are now.\n")
		for i, c := range list {
			point(&w, i+1, c, b.Quote)
		}
	}
	return w.String()
}

func takenBack(w *strings.Builder, n int, t model.TakenBack, limit int) {
	names := make([]string, len(t.Paths))
	for i, p := range t.Paths {
		names[i] = legible.Line(string(p))
	}
	fmt.Fprintf(w, "\n%d. %s\n", n, strings.Join(names, ", "))
	if t.Why != "" {
		fmt.Fprintf(w, "   Why: %s\n", legible.Line(t.Why))
	}
	if text := bare(t.Patch); len(text) > 0 && limit > 0 {
		fence(w, "diff", text, limit)
	}
}

func point(w *strings.Builder, n int, p Placed, limit int) {
	fmt.Fprintf(w, "\n%d. %s\n", n, legible.Line(p.Where()))
	if p.Anchor.Quote != "" && limit > 0 {
		kind := strings.TrimPrefix(path.Ext(string(p.Path)), ".")
		if strings.ContainsFunc(kind, func(r rune) bool { return r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a' }) {
			kind = ""
		}
		lines := strings.Split(p.Anchor.Quote, "\n")
		if more := p.Anchor.To - p.Anchor.From + 1 - len(lines); more > 0 {
			lines = append(lines, fmt.Sprintf("… %d more lines", more))
		}
		fence(w, kind, lines, limit)
	}
	w.WriteString(legible.Block(p.Text))
	w.WriteByte('\n')
}

// fence quotes lines between fences that no line of them can close.
func fence(w *strings.Builder, kind string, lines []string, limit int) {
	ticks := "```"
	for _, l := range lines {
		for t := strings.TrimLeft(l, " \t"); strings.HasPrefix(t, ticks); {
			ticks += "`"
		}
	}
	w.WriteString(ticks + kind + "\n")
	for i, l := range lines {
		if i == limit && len(lines) > limit+1 {
			fmt.Fprintf(w, "… %d more lines\n", len(lines)-limit)
			break
		}
		w.WriteString(legible.Block(strings.TrimSuffix(l, "\r")) + "\n")
	}
	w.WriteString(ticks + "\n")
}

// bare is the lines of a normalised patch that say what changed: no states, no ids.
func bare(patch []byte) []string {
	var out []string
	inside := false
	for _, l := range bytes.Split(bytes.TrimSuffix(patch, []byte{'\n'}), []byte{'\n'}) {
		switch {
		case bytes.HasPrefix(l, []byte("diff --git ")):
			inside = true
		case !inside, bytes.HasPrefix(l, []byte("index ")):
		default:
			out = append(out, string(l))
		}
	}
	return out
}

// HookLimit is how long a text may be that a hook gives to its agent, in bytes:
// Claude Code keeps 10,000 characters and puts what is longer into a file of its own.
const HookLimit = 9500

// HookText is the prompt for an agent's hook: within HookLimit, quoting less where
// that is needed, and pointing to rest where even that is too long. whole tells
// whether every point is in it.
func HookText(list []Placed, back []model.TakenBack, rest string) (text string, whole bool) {
	for _, b := range []Bounds{{Quote: 12, Patch: 40}, {Quote: 4, Patch: 12}, {Quote: 1}} {
		if text = Prompt(list, back, b); len(text) <= HookLimit {
			return text, true
		}
	}
	note := fmt.Sprintf("\n… The whole review is in the file %s: read it before anything else.\n", legible.Line(rest))
	room := HookLimit - len(note)
	if cut := strings.LastIndex(text[:room], "\n\n"); cut > 0 {
		room = cut
	}
	return strings.ToValidUTF8(text[:room], "") + "\n" + note, false
}
