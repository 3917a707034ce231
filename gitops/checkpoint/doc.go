// Package checkpoint is the durable record of a turn: its codec, the names it
// goes by, the interface every backend fulfils and the registry that knows them.
//
// A record is a small tree:
//
//	metadata.json   schema overturn.checkpoint/1: all of CONTRACT's TURN, the format family
//	prompt.txt      the prompt, byte for byte
//	evidence.jsonl  who changed what when, one JSON object a line, as the ledger wrote it
//	effects.json    what the turn did outside the files that snapshots cover
//	changes         what `git diff-tree -r --raw -z --no-abbrev --no-renames` prints for the turn
//	transcript.jsonl  the turn's part of the agent's transcript, which comes later
//	attribution.json  who owned the changes when they were reviewed, which comes later
//	snapshots/      the trees of both ends, where the user shares them
//
// docs/formats.md has all of it. Records lie in one store, the primary, which is
// git-refs unless the settings name another; Topology joins it with mirrors, which
// are written after it and never read, and with the other git store, from which
// records are read by the kind of their id (routing.go).
//
// Invariants: a record is created once (ErrExists otherwise) and then only grows
// a history: an update is a commit on top of the one it was made from, moved by
// compare-and-swap, so that of two writers neither loses its write. Files and
// JSON fields that this version does not know survive an update. A lookup that
// fails is an error, never "not there". Ids are in lower case, everywhere.
//
// A store writes objects through the caller's objects.Writer and hands back the
// ref updates, so that a snapshot and its record are flushed and published
// together. A crash before the refs move leaves unreferenced objects for gc;
// after it the record is whole.
package checkpoint
