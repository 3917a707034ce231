package view

import "overturn/model"

// Comparison is the list of files that differ in a scope.
type Comparison struct {
	Scope   model.Scope // resolved: latest has become its turn
	Base    string      // what the old side is, for people ("HEAD 1a2b3c4", "start of turn 7")
	Target  string      // what the new side is ("on disk", "end of turn 7")
	Files   []File      // in tree order
	LeftOut []model.Noted
	Marked  int    // counts what other reviews marked as read, or took back: where it differs, File.Read may
	Note    string // a sentence the reader must know ("base found through origin/HEAD"), or ""
}

// File is one row of a comparison. Additions, Deletions are -1 and Owner is ""
// until Summaries has told them.
type File struct {
	model.FileChange
	Key         string // names both contents; equal keys mean that nothing changed since
	OldKind     model.Kind
	NewKind     model.Kind
	OldMode     string // six octal digits, "000000" when absent
	NewMode     string
	Committed   bool // branch scope: part of the difference is committed
	Uncommitted bool // branch scope: part of it is not
	Hunks       int  // to be read, as they are shown; 1 where there are no lines, -1 until Summaries has told
	Read        int  // of them
}

// Done tells whether all of the file was read, as far as that is known.
func (f *File) Done() bool { return f.Hunks >= 0 && f.Read >= f.Hunks }

// Names is the path, and for a renamed file the one it had: what goes back is both.
func (f File) Names() []model.Path {
	if f.OldPath == "" {
		return []model.Path{f.Path}
	}
	return []model.Path{f.Path, f.OldPath}
}

// Summary is what is dear to know of a file: it needs both contents.
type Summary struct {
	Index     int // in Comparison.Files
	Additions int
	Deletions int
	Binary    bool
	SpaceOnly bool // differs in whitespace alone
	Owner     model.Owner
	Hunks     int // to be read, as they are shown; 1 where there are no lines
	Read      int // of them
}
