//go:build unix

package cli

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const pollable = true

// readPolled is readPayload of a file, without a second thread: waiting for one to
// be scheduled takes longer than reading.
func readPolled(f *os.File, until time.Time) (raw []byte, cut bool) {
	fd := int(f.Fd())
	buf := make([]byte, 8<<10)
	for {
		left := time.Until(until)
		if left <= 0 {
			return raw, true
		}
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(wait, int(left/time.Millisecond)+1)
		if errors.Is(err, unix.EINTR) || err == nil && n == 0 {
			continue
		}
		if err == nil {
			n, err = unix.Read(fd, buf)
		}
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN):
		case err != nil:
			return raw, true
		case n == 0:
			return raw, false
		case len(raw)+n > maxPayload:
			return append(raw, buf[:n]...)[:maxPayload], true
		default:
			if raw = append(raw, buf[:n]...); n == len(buf) && n < 256<<10 {
				buf = make([]byte, 4*n) // a long payload takes fewer calls
			}
		}
	}
}
