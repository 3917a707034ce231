package remotes

import "strings"

// verdict is what became of one ref in a push.
type verdict int

const (
	unknown  verdict = iota // git said nothing of it
	landed                  // the remote has the value
	diverged                // the remote has a value that ours does not lead on from
	refused                 // the remote will not have it
)

// answer is git's line for one ref.
type answer struct {
	verdict verdict
	words   string // in brackets at the end of the line
}

// parsePush reads what `git push --porcelain` prints, by the name of the ref on the
// remote: FLAG TAB FROM:TO TAB SUMMARY [ (REASON)].
func parsePush(out []byte) map[string]answer {
	answers := map[string]answer{}
	for line := range strings.Lines(string(out)) {
		flag, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || len(flag) != 1 {
			continue
		}
		names, summary, ok := strings.Cut(rest, "\t")
		_, to, pair := strings.Cut(names, ":")
		if !ok || !pair {
			continue
		}
		answers[to] = answer{verdictOf(flag, summary), reasonIn(summary)}
	}
	return answers
}

func verdictOf(flag, summary string) verdict {
	switch {
	case flag == " " || flag == "*" || flag == "=":
		return landed
	case flag != "!":
		return unknown // + and - are a force and a deletion: neither is asked for
	case strings.HasPrefix(summary, "[remote rejected]"):
		if overtaken(summary) {
			return diverged
		}
		return refused
	case strings.HasPrefix(summary, "[rejected]"):
		return diverged
	}
	return unknown
}

// overtaken tells whether the remote took the ref for another writer between its
// listing and its change: words of every git that receives.
func overtaken(summary string) bool {
	for _, sign := range []string{"failed to update ref", "cannot lock ref", "reference already exists", "incorrect old value"} {
		if strings.Contains(summary, sign) {
			return true
		}
	}
	return false
}

func reasonIn(summary string) string {
	_, words, ok := strings.Cut(summary, " (")
	if !ok {
		return strings.Trim(summary, "[]")
	}
	return strings.TrimSuffix(words, ")")
}
