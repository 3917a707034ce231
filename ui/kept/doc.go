// Package kept is what a review leaves for the next one in the same work tree: where
// the cursor stood in each scope, what was folded, and the choices that the user made
// about how things are shown. It is pure: bytes in, bytes out.
//
// Invariants: Parse takes any bytes and never fails, what it does not understand is left
// out; what Encode writes is bounded (Limit) whatever it is given, and Parse reads it
// back as it was. It is a convenience: losing it costs the user a few keys. A crash
// leaves nothing behind; the file is the engine's.
package kept
