// Package uitest drives the review without a terminal: it presses keys, drains
// jobs, and reads the cells that a terminal would show. Its engine keeps files in
// memory and really compares them.
//
// Invariant: every frame it reads was checked: every row covers every column, no
// row goes beyond its end, and nothing of the content has reached the terminal as
// a control. A crash leaves nothing behind.
package uitest
