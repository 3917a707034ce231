// Package writertest has two processes write a thousand records each to one
// repository, on either backend: none may be lost. It is a room of its own for its
// time.
package writertest
