package view

import "overturn/model"

// Match is a line of a comparison that a search found.
type Match struct {
	File     int    // in Comparison.Files
	Sign     byte   // '+' and '-' of lines that came or went, ' ' of others
	Line     int    // from 0: of the old side where Sign is '-', else of the new one
	Text     []byte // the line; of a long one, what stands around the match
	From, To int    // the match in Text
}

// Old tells whether the line is one of the old side.
func (m Match) Old() bool { return m.Sign == '-' }

// Move is lines [From, To) of one side of a file, from 0, that stand elsewhere on the
// other side: they went to Line, from 1, of Path, or came from there.
type Move struct {
	Old      bool
	From, To int
	Path     model.Path
	Line     int
}
