package view

import "overturn/model"

// Lines is a text with random access to its lines, 0-based, without their line
// feed. Line must be cheap and must not copy.
type Lines interface {
	Lines() int
	Line(i int) []byte
}

// Document is the difference of one file. Everything between two edits is equal
// (or differs in whitespace alone, where that is ignored), line for line, so the
// view can show any amount of context without asking again.
type Document struct {
	File File
	Old  Lines
	New  Lines

	OldNoNewline bool // the old side's last line has no line feed
	NewNoNewline bool

	Hunks       []Hunk
	HiddenSpace int      // hunks that differ in whitespace alone and are not in Hunks
	Header      []string // what is not lines: mode, type, rename, link target, submodule, binary sizes
	Alarms      []string // what could deceive a reader: conflict markers, bidi marks, control bytes
	Binary      bool     // contents are not text: no Hunks
	Folded      string   // why nobody reads it by default ("lock file", "generated"), or ""
	Read        bool     // what has no hunks was read

	// Marker tells the lines that a merge left in the new side; nil where there are none.
	Marker func(line []byte) bool

	// Emphasis finds the byte ranges in which two lines differ. It is bounded in
	// time, deterministic, and may be nil.
	Emphasis func(old, new []byte) (oldSpans, newSpans [][2]int)
}

// Edit replaces Old[OldFrom:OldTo] by New[NewFrom:NewTo]; 0-based, half open.
type Edit struct{ OldFrom, OldTo, NewFrom, NewTo int }

// Hunk groups the edits that lie within three lines of context of each other in
// the exact diff. Edits ascend and do not overlap; there is at least one.
type Hunk struct {
	Number  int // of the exact diff, from 1: what staging takes
	Edits   []Edit
	Section string // the enclosing function or heading, or ""
	Owner   model.Owner
	Turns   []int          // turns that wrote it, ascending
	In      model.ThreadID // that counts them; "" where they are of several
	Thread  model.ThreadID // of the agent that owns it
	Read    bool
	Since   []string // what changed since it was read: lines with a sign; nil where it was not
}

// LineRange names lines to be taken back, 1-based and inclusive: of the new
// side, or of the old side (as "-A-B" of --lines does).
type LineRange struct {
	Old      bool
	From, To int
}

// Card is all that is known of one turn's checkpoint.
type Card struct {
	Turn    model.Turn
	Backend string   // where the record is kept
	Repair  []string // commands that mend a missing or broken checkpoint, or nothing
}
