//go:build !linux

package ptytest

import "time"

// taken gives the program time to read what was typed. What is typed after an Esc that
// still waits would be read together with it, as a key with Alt.
func (s *Session) taken() { time.Sleep(60 * time.Millisecond) }
