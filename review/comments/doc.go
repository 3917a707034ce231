// Package comments keeps what the user has to say about what was reviewed, makes one
// prompt of it, and hands it to the agent with its next prompt when the user asked
// for that.
//
// In the state folder of the work tree: comments.json (all comments), comments.lock,
// handover.json (what waits for the agent's next prompt), told/<id>.json (what an
// agent was told, with the time).
//
// Invariants: a comment goes only when the user deletes it; one whose place is gone
// is shown as such, with the code that it was written on. Nothing is said to an agent
// that the user did not ask for, and nothing twice: what waits is claimed by a rename
// before it is said. What was asked for is said word for word as it was shown. Foreign
// text in a prompt is legible: nothing in it drives a terminal.
//
// A crash leaves the files from before or after a change, never between; one in the
// middle of telling leaves a told record without a time, and what it held counts as
// told. A lost file loses comments, never work.
package comments
