// Package talkfile handles the files that agents keep their conversations in: reads
// one whole, keeps a copy, replaces it, makes a new one beside it.
//
// Invariants: a file is replaced only while it holds the very bytes that were read,
// and what an agent writes to it meanwhile is not lost: the replaced file keeps a
// second name until it was looked at once more, and is put back where it has grown.
// A copy is on disk before the file is touched. A copy or a new file is never
// written over another.
//
// A crash leaves the file as it was or as it was to be, and beside it at most one
// file of ours (the replaced one, under its second name, or a temporary file). Take
// removes them; where the replaced one holds more than the copy, it stays and is named.
package talkfile
