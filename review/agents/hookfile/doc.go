// Package hookfile edits the "hooks" block that Claude Code, Codex and their kin
// share: {"hooks": {EVENT: [{"hooks": [{"type": "command", "command": …}]}]}};
// and Cursor's, where handlers stand in the event's list without a group.
//
// Invariants: every byte that is not ours stays: comments, order, indentation,
// line ends, trailing commas. Take after Put gives back the very bytes, with no
// record kept of what was there: a container that was empty before gets a blank
// line after its opening bracket, and that mark tells Take to leave it. A file
// that Put made holds no such mark, and Take says that it may go. Content that is
// not JSON (with comments) is refused and never edited.
//
// The room computes bytes; a crash leaves nothing behind.
package hookfile
