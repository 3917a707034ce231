package remotes

import (
	"context"
	"errors"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// transportError says what could not be done with a remote, in git's words and the
// remote's, and what may help.
func transportError(err error, t Target, verb string) error {
	if errors.Is(err, errTimeout) || errors.Is(err, context.DeadlineExceeded) { // our limit, or the caller's
		return model.Failf(errTimeout, "cannot %s %s", verb, t.Label()).WithHint("see whether git ls-remote %s answers", t.Label())
	}
	var ge *gitops.GitError
	switch {
	case !errors.As(err, &ge):
		return model.Failf(err, "cannot %s %s", verb, t.Label())
	case ge.Exit < 0: // its words may hold an address
		return model.Failf(ge.Err, "cannot %s %s: git was ended", verb, t.Label())
	}
	e := model.Errorf(model.CodeFailed, "cannot %s %s: %s", verb, t.Label(), firstWords(ge.Stderr))
	e.Err = nil
	switch said := ge.Stderr; {
	case strings.Contains(said, "Permission denied (publickey") || strings.Contains(said, "terminal prompts disabled") ||
		strings.Contains(said, "could not read Username") || strings.Contains(said, "Host key verification failed"):
		return e.WithHint("nothing is asked for here: load the key into your agent, or store the password, so that git ls-remote %s works without a question", t.Label())
	}
	return e.WithHint("git ls-remote %s shows whether the remote can be reached", t.Label())
}

// firstWords is the essence of what git printed: its lines without the polite ones,
// three at most.
func firstWords(said string) string {
	var kept []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "hint:") || strings.HasPrefix(line, "To ") ||
			strings.HasPrefix(line, "Please make sure") || strings.HasPrefix(line, "and the repository exists") {
			continue
		}
		if kept = append(kept, line); len(kept) == 3 {
			break
		}
	}
	if len(kept) == 0 {
		return "git says no more"
	}
	return withoutTokens(strings.Join(kept, "; "))
}

// remoteWords are the lines that the remote's own program sent.
func remoteWords(said string) string {
	var kept []string
	for line := range strings.Lines(said) {
		if words, ok := strings.CutPrefix(strings.TrimSpace(line), "remote:"); ok && strings.TrimSpace(words) != "" && len(kept) < 3 {
			kept = append(kept, strings.TrimSpace(words))
		}
	}
	return withoutTokens(strings.Join(kept, " "))
}
