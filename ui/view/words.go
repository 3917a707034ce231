package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"overturn/model"
)

// Badge is how a turn's checkpoint is marked: a letter and a word, the same
// wherever it is shown.
type Badge struct {
	Letter, Word string
	Level        Level
}

// Level says how much attention something asks for.
type Level int

// The levels.
const (
	Calm Level = iota
	Good
	Warn
	Bad
)

// BadgeOf marks a turn. That it is open comes before its snapshot's status.
func BadgeOf(t Turn) Badge {
	switch {
	case t.State == model.TurnOpen:
		return Badge{"O", "open", Calm}
	case t.Status == model.StatusReady:
		return Badge{"R", "ready", Good}
	case t.Status == model.StatusMissing:
		return Badge{"M", "missing", Warn}
	case t.Status == model.StatusError:
		return Badge{"E", "error", Bad}
	}
	return Badge{"?", "unknown", Warn}
}

// Ending is the word for how a turn ended, where that is worth a word.
func Ending(s model.TurnState) string {
	if s == model.TurnCompleted || s == model.TurnOpen {
		return ""
	}
	return string(s)
}

// OwnerLetter is the letter of an owner; "" is not known yet.
func OwnerLetter(o model.Owner) string {
	switch o {
	case model.OwnerAgent:
		return "A"
	case model.OwnerUser:
		return "U"
	case model.OwnerMixed:
		return "X"
	case model.OwnerUnknown:
		return "?"
	}
	return " "
}

// ChangeLetter is git's letter for a change, with "P" for permissions alone.
func ChangeLetter(c model.Change) string {
	switch c {
	case model.Added:
		return "A"
	case model.Modified:
		return "M"
	case model.Deleted:
		return "D"
	case model.Renamed:
		return "R"
	case model.ModeOnly:
		return "P"
	case model.Retyped:
		return "T"
	}
	return "?"
}

// Ago says how long ago t was, in three or four cells.
func Ago(now, t time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	case d < 1000*24*time.Hour:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	default:
		return strconv.Itoa(int(d/(365*24*time.Hour))) + "y"
	}
}

// Since is Ago as it stands in a sentence.
func Since(now, t time.Time) string {
	switch s := Ago(now, t); s {
	case "", "now":
		return strings.Replace(s, "now", "just now", 1)
	default:
		return s + " ago"
	}
}

// Count says how many there are of a thing.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Turns spells a list of turn numbers: "turn 3", "turns 3 5 6".
func Turns(list []int) string {
	if len(list) == 0 {
		return ""
	}
	s := "turn"
	if len(list) > 1 {
		s = "turns"
	}
	for _, n := range list {
		s += " " + strconv.Itoa(n)
	}
	return s
}

// TurnsOf is Turns with their thread, where that is not the one that is looked at: "turn
// 3 of thread 4f2a". Numbers that several threads count say nothing, and are left out.
func TurnsOf(list []int, in, shown model.ThreadID) string {
	switch {
	case len(list) == 0:
		return ""
	case in == "":
		return "turns of several threads"
	case in == shown:
		return Turns(list)
	}
	return Turns(list) + " of thread " + ShortThread(in)
}

// ShortThread is the beginning of a thread's id, enough to tell a few apart.
func ShortThread(id model.ThreadID) string {
	const length = 8
	n := 0
	if at := strings.LastIndexByte(string(id[:min(len(id), length)]), ':'); at > 0 {
		n = -(at + 1) // the mark of the program that recorded it does not count
	}
	for i := range string(id) {
		if n++; n > length {
			return string(id[:i])
		}
	}
	return string(id)
}

// ScopeWords spells a scope as people say it: a range by the turns that lie in it.
func ScopeWords(s model.Scope) string {
	switch {
	case s.Kind == model.ScopeTurn:
		return "turn " + strconv.Itoa(s.Turn)
	case s.Kind == model.ScopeRange && s.To == s.From+1:
		return "turn " + strconv.Itoa(s.To)
	case s.Kind == model.ScopeRange:
		return fmt.Sprintf("turns %d to %d", s.From+1, s.To)
	}
	return s.String()
}
