package ledger

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"overturn/model"
)

// refRoot is where the snapshots of threads lie (CONTRACT, section 4).
const refRoot = "refs/overturn/threads/"

func threadRefs(thread model.ThreadID) string { return refRoot + thread.RefPart() }

func endRef(thread model.ThreadID, n int) string {
	return threadRefs(thread) + "/turn/" + strconv.Itoa(n)
}

func startRef(thread model.ThreadID, n int) string {
	return threadRefs(thread) + "/start/" + strconv.Itoa(n)
}

// ParseRef reads the name of a boundary's ref: its thread, the number, and
// whether it is a start. It refuses (CodeUsage) every name that does not come
// back the same way.
func ParseRef(name string) (thread model.ThreadID, n int, start bool, err error) {
	tail, ok := strings.CutPrefix(name, refRoot)
	parts := strings.Split(tail, "/")
	if !ok || len(parts) != 3 {
		return "", 0, false, model.Usagef("%q is not the ref of a boundary", name)
	}
	if thread, err = model.ThreadFromRefPart(parts[0]); err != nil {
		return "", 0, false, err
	}
	n, err = strconv.Atoi(parts[2])
	if err != nil || n < 0 {
		return "", 0, false, model.Usagef("%q is not the ref of a boundary: it has no number", name)
	}
	for _, spelt := range []string{endRef(thread, n), startRef(thread, n)} {
		if name == spelt && (n > 0 || parts[1] == "turn") {
			return thread, n, parts[1] == "start", nil
		}
	}
	return "", 0, false, model.Usagef("%q is not the one spelling of a boundary's ref", name)
}

// The longest title of a thread, in characters.
const titleLength = 60

// titleOf is the first words of a prompt, on one line.
func titleOf(prompt string) string {
	words := strings.Join(strings.Fields(prompt), " ")
	runes := []rune(words)
	if len(runes) <= titleLength {
		return words
	}
	cut := string(runes[:titleLength])
	if i := strings.LastIndexByte(cut, ' '); i > titleLength/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// The longest texts that are kept, in bytes. A prompt of megabytes has pasted
// files in it; every event reads the newest turn.
const (
	maxPrompt = 256 << 10
	maxText   = 32 << 10
)

// shorten cuts a text that is too long, between characters, and says so.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > limit-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "… (" + strconv.Itoa(len(s)-cut) + " bytes more)"
}
