package view

import "overturn/model"

// Origins is who wrote each line of a document: an index in By, BeforeRecords, or
// Untraced. A side that is not known is nil.
type Origins struct {
	By       []Writer
	Old, New []int32
}

// What Origins says of a line that nobody on record wrote.
const (
	BeforeRecords = -1 // it was there before the first capture
	Untraced      = -2 // it could not be followed
)

// Writer is who wrote a line. Turn is 0 where it was written in none.
type Writer struct {
	Owner  model.Owner
	Thread model.ThreadID // of an agent
	Turn   int
}
