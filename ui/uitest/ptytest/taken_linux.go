package ptytest

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// taken waits until the program has read all that was typed, or is gone. What is typed
// after an Esc that still waits would be read together with it, as a key with Alt.
func (s *Session) taken() {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", s.PID()))
	if err != nil {
		return
	}
	tty, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer tty.Close()
	for range 2000 { // ten seconds: a program that is stopped reads nothing
		if n, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCINQ); err != nil || n == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
