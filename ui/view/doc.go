// Package view holds what the review shows: overviews, comparisons, documents
// and cards, in the words of model and free of any engine. The command line
// fills these structs from the engines; the panes read them.
//
// Invariants: nothing here does I/O or knows a terminal; a Comparison and a
// Document never change once handed over, so that jobs and frames may read them
// at the same time; text is raw bytes as in the repository and is made safe by
// ui/frame when drawn. A crash leaves nothing behind.
package view
