package t3

import (
	"encoding/base64"
	"strconv"
	"strings"

	"overturn/model"
)

// Root is above all refs of T3 Code.
const Root = "refs/t3/"

// Generation is which T3 Code made a ref.
type Generation int

// The generations. The first, up to 0.0.45, names refs by the thread's id, in
// base64url; the second by a hash of the id of a scope.
const (
	First  Generation = 1
	Second Generation = 2
)

// Name is the name of a boundary's ref, taken apart.
type Name struct {
	Generation Generation
	Segment    string // what stands for the thread
	Number     int    // turns before it
	Start      bool   // captured before a turn; else after it
}

// The forms of names, of a first and a second generation.
const (
	firstPrefix, firstMiddle   = Root + "checkpoints/", "/turn/"
	secondPrefix, secondMiddle = Root + "orchestration-v2/checkpoints/", "/ordinal/"
	startSuffix                = "-start"

	// secondSegment is base64url, without padding, of 32 characters.
	secondSegment = 43
)

// ParseName takes the name of a ref apart; false for every other name.
func ParseName(ref string) (Name, bool) {
	n := Name{Generation: Second}
	rest, ok := strings.CutPrefix(ref, secondPrefix)
	middle := secondMiddle
	if !ok {
		if rest, ok = strings.CutPrefix(ref, firstPrefix); !ok {
			return n, false
		}
		n.Generation, middle = First, firstMiddle
	}
	segment, number, ok := strings.Cut(rest, middle)
	if !ok || !isSegment(segment) || n.Generation == Second && len(segment) != secondSegment {
		return n, false
	}
	if n.Generation == Second {
		number, n.Start = strings.CutSuffix(number, startSuffix)
	}
	n.Segment = segment
	n.Number, ok = parseNumber(number)
	return n, ok
}

func isSegment(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return s != ""
}

// mostTurns bounds a number, so that one of a hostile ref is no loop of years.
const mostTurns = 1_000_000

// parseNumber reads a decimal in its one spelling.
func parseNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= mostTurns && strconv.Itoa(n) == s
}

// ThreadPrefix begins the ids of T3 Code's threads.
const ThreadPrefix = "t3:"

// idOf is the id by which overturn names a thread. It never depends on T3 Code's
// database: it stays the same where that cannot be read. The first generation's is T3
// Code's own id, where that is an id that can be shown and comes back from its segment.
func idOf(generation Generation, segment string) model.ThreadID {
	if generation == Second {
		return ThreadPrefix + "v2:" + model.ThreadID(segment)
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(segment)
	if id, bad := model.ParseThreadID(ThreadPrefix + string(raw)); err == nil && bad == nil && !strings.HasPrefix(string(raw), "v2:") && !strings.HasPrefix(string(raw), "v1:") {
		return id
	}
	if id, err := model.ParseThreadID(ThreadPrefix + "v1:" + segment); err == nil {
		return id
	}
	return ThreadPrefix + "v1:" + model.ThreadID(digest(segment))
}
