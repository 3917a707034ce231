// Package highlight finds the colours of source text: what is a keyword, a
// string, a comment. Both sides of a document are read as whole files, so that a
// hunk in the middle of a comment is a comment.
//
// A Job is carried out in steps, each as long as its context allows, and after
// each what is known so far can be drawn; colours are found from the first line
// on. Languages are chroma's definitions (folder lexers), taken by file name; one
// is parsed when a text needs it first, and nothing before.
//
// Invariants: no text longer than Limit is read; a text never changes for being
// coloured, and what a lexer says is held against it, so that no run lies
// elsewhere than what it colours; the lexers are used by one step at a time; a
// lexer that panics colours nothing more. A crash leaves nothing behind.
package highlight
