package model

import (
	"fmt"
	"strconv"
	"strings"
)

// ScopeKind is what a comparison compares.
type ScopeKind int

// The kinds of scope.
const (
	ScopeWorking ScopeKind = iota // HEAD to what is on disk
	ScopeBranch                   // merge base to what is on disk
	ScopeLatest                   // the newest turn of the thread
	ScopeTurn                     // turn N
	ScopeRange                    // boundary From to boundary To
	ScopeThread                   // boundary 0 to the latest
)

// Scope names a comparison, as the user spelt it. Boundary n is the end of
// turn n; 0 is the baseline.
type Scope struct {
	Kind     ScopeKind
	Base     string   // of ScopeBranch: the base the user named, or ""
	Turn     int      // of ScopeTurn
	From, To int      // of ScopeRange
	Thread   ThreadID // "" is the thread with the newest turn in this work tree
}

// ParseScope reads CONTRACT's SCOPE; anything else is CodeUsage.
func ParseScope(s string) (Scope, error) {
	switch {
	case s == "working":
		return Scope{Kind: ScopeWorking}, nil
	case s == "branch":
		return Scope{Kind: ScopeBranch}, nil
	case strings.HasPrefix(s, "branch=") && len(s) > len("branch="):
		return Scope{Kind: ScopeBranch, Base: s[len("branch="):]}, nil
	case s == "latest":
		return Scope{Kind: ScopeLatest}, nil
	case s == "thread":
		return Scope{Kind: ScopeThread}, nil
	}
	if from, to, ok := strings.Cut(s, ".."); ok {
		a, errA := boundaryNumber(from)
		b, errB := boundaryNumber(to)
		if errA == nil && errB == nil && a < b {
			return Scope{Kind: ScopeRange, From: a, To: b}, nil
		}
	} else if n, err := boundaryNumber(s); err == nil && n > 0 {
		return Scope{Kind: ScopeTurn, Turn: n}, nil
	}
	return Scope{}, Usagef("%q is not a scope", s).WithHint("use working, branch, branch=BASE, latest, N, A..B or thread")
}

func boundaryNumber(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strconv.Itoa(n) != s {
		return 0, fmt.Errorf("%q is not a boundary", s)
	}
	return n, nil
}

// String spells the scope as ParseScope reads it; the thread is not part of it.
func (s Scope) String() string {
	switch s.Kind {
	case ScopeWorking:
		return "working"
	case ScopeBranch:
		if s.Base != "" {
			return "branch=" + s.Base
		}
		return "branch"
	case ScopeLatest:
		return "latest"
	case ScopeTurn:
		return strconv.Itoa(s.Turn)
	case ScopeRange:
		return fmt.Sprintf("%d..%d", s.From, s.To)
	default:
		return "thread"
	}
}

// OfTurns tells whether the scope lies between recorded boundaries, so that
// neither side is the present.
func (s Scope) OfTurns() bool { return s.Kind >= ScopeLatest }
