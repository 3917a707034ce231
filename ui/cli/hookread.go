package cli

import (
	"io"
	"os"
	"time"
)

// maxPayload is the longest payload that a hook reads, in bytes. Agents put the
// whole text of a file that they write into it.
const maxPayload = 32 << 20

// readPayload reads stdin to its end; cut says that it was longer than maxPayload
// or did not end within limit. The reading that is left behind then ends with
// the process.
func readPayload(r io.Reader, limit time.Duration) (raw []byte, cut bool) {
	if f, ok := r.(*os.File); ok && pollable {
		return readPolled(f, time.Now().Add(limit))
	}
	type chunk struct {
		data []byte
		err  error
	}
	chunks := make(chan chunk)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			buf := make([]byte, 64<<10)
			n, err := r.Read(buf)
			select {
			case chunks <- chunk{buf[:n], err}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case c := <-chunks:
			raw = append(raw, c.data...)
			switch {
			case len(raw) > maxPayload:
				return raw[:maxPayload], true
			case c.err != nil:
				return raw, c.err != io.EOF
			}
		case <-timer.C:
			return raw, true
		}
	}
}
