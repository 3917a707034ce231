// Package inline finds which words of a changed line changed, for emphasis in the
// review; nothing else depends on it.
//
// It is pure, bounded in its input and takes no clock: the same two lines give the
// same spans whatever the machine does meanwhile. Any bytes are allowed; spans
// never cut a valid UTF-8 sequence. A crash leaves nothing behind.
package inline
