package model

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// Comment is what the user has to say about a place that was reviewed.
type Comment struct {
	ID     ID
	At     time.Time // written or changed last
	Scope  string    // the comparison it was written on, as ParseScope reads it
	Thread ThreadID  // whose turns were looked at, "" where none is recorded
	Turn   int       // the turn that was looked at or wrote the lines, 0 where there is none
	Path   Path
	Anchor Anchor
	Text   string
	Told   *Told // nil: the agent was not told of it
}

// Told says when an agent was told, and with which of its prompts.
type Told struct {
	At     time.Time `json:"at"`
	Agent  string    `json:"agent"`
	Thread ThreadID  `json:"thread"`
	Turn   int       `json:"turn"` // that the prompt began; 0 where it could not be recorded
}

// AnchorKind is what a comment is about.
type AnchorKind string

// The kinds of anchor.
const (
	AnchorFile  AnchorKind = "file"
	AnchorHunk  AnchorKind = "hunk"
	AnchorLines AnchorKind = "lines"
)

// Anchor holds a place by its content, so that it is found again when lines above
// it come or go (room model/anchor finds it). Texts are raw bytes, lines joined by
// line feeds.
type Anchor struct {
	Kind   AnchorKind
	Old    bool // the lines are of the old side: they were removed
	From   int  // from 1, where the lines stood when the comment was written; 0 of a file
	To     int  // inclusive
	Quote  string
	Before string // the lines above
	After  string // the lines below
	Hunk   string // SHA-256 of a hunk's changed lines in hex, else ""
}

// Side is the word for the side that the lines are of.
func (a Anchor) Side() string {
	if a.Old {
		return "old"
	}
	return "new"
}

type anchorWire struct {
	Kind   AnchorKind `json:"kind"`
	Side   string     `json:"side"`
	From   int        `json:"from"`
	To     int        `json:"to"`
	Quote  string     `json:"quote"`
	Before string     `json:"before,omitempty"`
	After  string     `json:"after,omitempty"`
	Hunk   string     `json:"hunk,omitempty"`
	// What stands beside a text that is not UTF-8.
	QuoteB64  string `json:"quote_b64,omitempty"`
	BeforeB64 string `json:"before_b64,omitempty"`
	AfterB64  string `json:"after_b64,omitempty"`
}

type commentWire struct {
	ID     ID        `json:"id"`
	At     time.Time `json:"at"`
	Scope  string    `json:"scope"`
	Thread ThreadID  `json:"thread"`
	Turn   int       `json:"turn"`
	wirePath
	anchorWire
	Text string `json:"text"`
	Told *Told  `json:"told"`
}

// MarshalJSON writes one of overturn.comments/1's comments.
func (c Comment) MarshalJSON() ([]byte, error) {
	a := c.Anchor
	w := commentWire{ID: c.ID, At: c.At, Scope: c.Scope, Thread: c.Thread, Turn: c.Turn, wirePath: toWire(c.Path), Text: c.Text, Told: c.Told,
		anchorWire: anchorWire{Kind: a.Kind, Side: a.Side(), From: a.From, To: a.To, Hunk: a.Hunk}}
	w.Quote, w.QuoteB64 = textToWire(a.Quote)
	w.Before, w.BeforeB64 = textToWire(a.Before)
	w.After, w.AfterB64 = textToWire(a.After)
	return json.Marshal(w)
}

// UnmarshalJSON is the inverse of MarshalJSON; paths and texts come back to the byte.
func (c *Comment) UnmarshalJSON(data []byte) error {
	var w commentWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	if err != nil {
		return err
	}
	a := Anchor{Kind: w.Kind, Old: w.Side == "old", From: w.From, To: w.To, Hunk: w.Hunk}
	for _, text := range []struct {
		to         *string
		plain, b64 string
	}{{&a.Quote, w.Quote, w.QuoteB64}, {&a.Before, w.Before, w.BeforeB64}, {&a.After, w.After, w.AfterB64}} {
		if *text.to, err = textFromWire(text.plain, text.b64); err != nil {
			return err
		}
	}
	*c = Comment{w.ID, w.At, w.Scope, w.Thread, w.Turn, path, a, w.Text, w.Told}
	return nil
}

// textToWire is foreign text as JSON can hold it, and the exact bytes beside it
// when they are not UTF-8.
func textToWire(s string) (plain, b64 string) {
	if utf8.ValidString(s) {
		return s, ""
	}
	return strings.ToValidUTF8(s, "\uFFFD"), base64.StdEncoding.EncodeToString([]byte(s))
}

func textFromWire(plain, b64 string) (string, error) {
	if b64 == "" {
		return plain, nil
	}
	raw, err := base64.StdEncoding.DecodeString(b64)
	return string(raw), err
}

// TakenBack is a rollback as an agent has to know of it: what went, and why.
type TakenBack struct {
	ID    ID        `json:"id"`
	At    time.Time `json:"at"`
	Paths Paths     `json:"paths"`
	Why   string    `json:"why"`
	Patch []byte    `json:"-"` // the normalised patch that was confirmed
}
