// Package pager shows a patch, or any other text, that comes on standard input: what
// `git diff | overturn pager` and git's core.pager ask for. It reads only; keys come
// from the terminal itself.
//
// Invariants: memory does not grow with the text: its bytes lie in a file without a
// name, of its lines their place and their kind are kept. What has come is shown while
// the rest comes, and nothing that was asked for waits for it. Colours that the sender
// put in are taken out; every other control sequence is written out, never obeyed. A
// line's colour comes from the counts of its hunk, so that no content poses as a
// header. A crash leaves nothing behind: the file has no name.
package pager
