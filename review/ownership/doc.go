// Package ownership turns evidence into verdicts: who made a difference, the
// agent of a thread, the user, or nobody can say.
//
// It works in two steps. A Timeline lays the captures of one work tree, of all
// its threads, on one line and cuts it into segments; each segment knows which
// turns were open and whether one of their tools ran, and gives a Verdict for a
// path. Then a History, the versions of one file at the borders of the segments
// that changed it, is followed line by line: an added line belongs to the segment
// that brought it last, a deleted one to the segment after the last version that
// still had it. Hunks, the mode, and the file sum up their lines.
//
// Invariants: the package is pure; it reads no clock, no repository, and contents
// only through the loader it is handed. Evidence is stored elsewhere and never
// changed here; the same evidence gives the same verdicts. Where evidence is
// silent the verdict is the one that keeps more of the user's work. A crash leaves
// nothing behind.
package ownership
