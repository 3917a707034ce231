// Package ui is the review: the only Bubble Tea model, its screens, focus and
// overlays. It asks an Engine in jobs, routes keys by the catalogue of
// ui/keymap, and hands finished frames to ui/terminal.
//
// Invariants: Update routes and never does I/O; a late answer is dropped by its
// generation; nothing but the confirm dialog leads to a write in the work tree;
// a frame costs the window, not the diff; at rest there is no timer. A crash
// leaves the terminal restored and nothing else: the state worth keeping is the
// engine's.
package ui
