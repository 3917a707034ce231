// Package marks remembers which changes a person has read, by what they do and not
// by where they stand: a hunk is its path and the hash of its changed lines
// (anchor.Hash), so that a mark survives shifted lines, rebases and commits, and holds
// in every scope that shows the same change. Where several hunks of a file change the
// same, the lines around each count as well. What has no lines is the hash of its
// two sides.
//
// In the state folder of the work tree: marks, a line of JSON for each time that
// something was marked or unmarked; the last one said of a change holds. Lines of
// several processes do not mix (durable.AppendLine).
//
// Invariants: a change that differs in one byte of its lines from what was read is
// not read. What was read is kept with the mark (its beginning, where it is long), so
// that a changed hunk can be shown with the difference to it. Nothing but the view and
// prune's term hangs on marks: they never decide what is written to a work tree.
//
// A crash leaves at most a torn last line, which is left out; a mark may be lost,
// never invented. A lost file loses marks, never work.
package marks
