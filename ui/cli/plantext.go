package cli

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
	"overturn/ui/view"
)

// emitPlan prints a plan; whole says why each domain that is not covered is not.
func (a *app) emitPlan(p *model.Plan, whole bool) error {
	return a.emit("overturn.plan/1", p, func(w *bufio.Writer) {
		if len(p.Targets) == 0 {
			fmt.Fprintln(w, "nothing is staged")
		}
		targetLines(w, p)
		if len(p.Targets) == 0 {
			return
		}
		domainLines(w, p.Domains, whole)
		if len(p.Effects) > 0 {
			fmt.Fprintf(w, "effects outside these files, not taken back (reversible: %s)\n", p.Reversible)
			effectLines(w, p.Effects)
			adviceLine(w, p.Advice)
		}
		fmt.Fprintf(w, "fingerprint %s\n", p.Fingerprint)
	})
}

// targetLines are the paths that will be written, and those that stay.
func targetLines(w *bufio.Writer, p *model.Plan) {
	for _, t := range p.Targets {
		fmt.Fprintf(w, "%-8s %-7s %-8s %-7s %s%s%s\n", t.Verdict, t.Op, t.Method, t.Owner, patch.Quote(t.Path), chosen(t.Hunks, t.Lines), turnsWord(t.Turns, t.Thread)+reason(t.Reason))
	}
	for _, k := range p.Kept {
		fmt.Fprintf(w, "kept     %s (%s)\n", patch.Quote(k.Path), safe(k.Reason))
	}
}

// turnsWord names the turns that had a part in a target, and the thread that counts them.
func turnsWord(turns []int, thread model.ThreadID) string {
	switch {
	case len(turns) == 0:
		return ""
	case thread == "":
		return "  turns of several threads"
	}
	return "  " + view.Turns(turns) + " of thread " + safe(string(thread))
}

// chosen names the hunks and lines of a file that are staged, "" where it is all of it.
func chosen(hunks []int, lines string) string {
	if lines != "" {
		lines = " lines " + lines
	}
	if len(hunks) == 0 {
		return lines
	}
	words := make([]string, len(hunks))
	for i, n := range hunks {
		words[i] = strconv.Itoa(n)
		if n == rollback.ModeHunk {
			words[i] = "mode"
		}
	}
	return " hunk " + strings.Join(words, ",") + lines
}

// domainLines names what is covered, and what is not; whole gives the reasons too,
// once for all domains that share one.
func domainLines(w *bufio.Writer, domains []model.DomainCover, whole bool) {
	var covered, not, reasons []string
	by := map[string][]string{}
	for _, d := range domains {
		switch {
		case d.Covered:
			covered = append(covered, string(d.Domain))
			continue
		case by[d.Note] == nil:
			reasons = append(reasons, d.Note)
		}
		not = append(not, string(d.Domain))
		by[d.Note] = append(by[d.Note], string(d.Domain))
	}
	if len(covered) > 0 {
		fmt.Fprintf(w, "covered: %s\n", strings.Join(covered, " "))
	}
	switch {
	case len(not) == 0:
	case !whole:
		fmt.Fprintf(w, "not covered: %s\n", strings.Join(not, " "))
	default:
		fmt.Fprintln(w, "not covered:")
		for _, r := range reasons {
			fmt.Fprintf(w, "  %s%s\n", strings.Join(by[r], " "), reason(r))
		}
	}
}
