// Package plain is the review line by line: for screen readers, logs and scripts. It
// reads a command a line and answers in lines of one fact each, without colour, cursor
// movement or redrawing, over the same Engine as the screen.
//
// Invariants: nothing is written to the work tree without the answer that the screen
// asks for, on a line of its own: y, or the number of paths, and where nobody types the
// fingerprint of the plan; anything else, an empty
// line or the end of the input is no. Foreign text is written out where it would drive
// a terminal. A command that fails is told with its next step, and the review goes on;
// that one failed is what it ends with. A crash leaves behind what the Engine's calls
// leave.
package plain
