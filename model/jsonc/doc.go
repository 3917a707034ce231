// Package jsonc reads and edits JSON with comments: // to the end of the line,
// /* … */, and a comma after the last member.
//
// Invariants: Plain keeps every offset, so what encoding/json says of a place is true
// of the file; Set and Remove change the member that is meant and keep comments, order
// and spacing of all others; what they return is read again as it was meant. Pure: a
// crash leaves nothing.
package jsonc
