// Package backfill adds to records what came after their turns: the summary of files
// that a hook had no time for, the turn's part of the agent's transcript, and who
// owned the changes when they were reviewed.
//
// Invariants: nothing that a record has is taken away, and a record that has all is not
// written. What is not to be had is told with its reason, and is tried again next time;
// that a record is absent, that it could not be asked for, and that it is damaged are
// three answers.
//
// A crash leaves each record as it was or with all that was to be added.
package backfill
