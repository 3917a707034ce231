package trace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"overturn/model"
)

// followPoll is how often Follow looks for new lines.
const followPoll = 100 * time.Millisecond

// Follow calls yield for every event that is added from now on, in order, until
// ctx ends (nil is returned) or yield fails (its error is returned). It goes on
// when the file is rotated, and waits for one that is not there yet.
func Follow(ctx context.Context, path string, yield func(Event) error) error {
	t := tailer{path: path}
	defer t.close()
	if err := t.skip(); err != nil {
		return model.Failf(err, "cannot follow the trace")
	}
	ticker := time.NewTicker(followPoll)
	defer ticker.Stop()
	for {
		events, err := t.next()
		if err != nil {
			return model.Failf(err, "cannot follow the trace")
		}
		for _, e := range events {
			if err := yield(e); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// tailer reads what is added to a file, and then what is added to its successor.
type tailer struct {
	path string
	f    *os.File
	rest []byte // a line that has no end yet
}

// skip goes to the end of what is there.
func (t *tailer) skip() error {
	if err := t.open(); err != nil || t.f == nil {
		return err
	}
	_, err := t.f.Seek(0, io.SeekEnd)
	return err
}

func (t *tailer) open() error {
	f, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	t.f = f
	return err
}

// next returns the events that were added since the last call.
func (t *tailer) next() ([]Event, error) {
	var events []Event
	for {
		if t.f == nil {
			if err := t.open(); err != nil || t.f == nil {
				return events, err
			}
		}
		// Whether it was rotated is asked first: what was written before is read still.
		rotated, err := t.rotated()
		if err != nil {
			return events, err
		}
		data, err := io.ReadAll(t.f)
		if err != nil {
			return events, err
		}
		t.rest = append(t.rest, data...)
		if end := bytes.LastIndexByte(t.rest, '\n'); end >= 0 {
			events = append(events, parse(t.rest[:end])...)
			t.rest = append([]byte(nil), t.rest[end+1:]...)
		}
		if !rotated {
			return events, nil
		}
		t.close()
		t.rest = nil
	}
}

func (t *tailer) rotated() (bool, error) {
	mine, err := t.f.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Stat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // its successor comes with the next event
	}
	return err == nil && !os.SameFile(mine, now), err
}

func (t *tailer) close() {
	if t.f != nil {
		t.f.Close()
		t.f = nil
	}
}
