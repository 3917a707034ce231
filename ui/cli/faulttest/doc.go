// Package faulttest lets tests decide what happens to a program at each system call
// that changes the disk: it goes on, the program is killed, the call fails with an
// error, or writes only half. A filter (seccomp) stops the program, and all that it
// starts, before each such call, and asks the supervisor. The program is not
// changed for it and knows nothing of it.
//
// It also records these calls, and works out what a power cut at any of them would
// leave on the disk: what was synced, and of the rest as much or as little as one
// likes (disk.go).
//
// It is for tests alone, and for Linux on amd64: its tests carry the tag "system".
// Calls are stopped in the order in which they are made; of threads that run beside
// each other that order is not the same every time.
package faulttest
