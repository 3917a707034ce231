package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"overturn/model"
	"overturn/model/durable"
)

// SizeLimit is how large the file grows, in bytes, before it becomes PATH.1 and a
// new one is begun.
const SizeLimit = 4 << 20

// File is a Recorder that appends JSON lines to a file. It is safe for several
// goroutines and processes. Nothing is made or opened before the first event.
type File struct {
	path  string
	clock model.Clock

	mu  sync.Mutex
	err error
}

// NewFile returns the sink at path; clock dates events that have no time.
func NewFile(path string, clock model.Clock) *File { return &File{path: path, clock: clock} }

// Record appends the events with one write. A failure is kept for Err and is
// nobody's concern.
func (f *File) Record(events ...Event) {
	var lines []byte
	var failed error
	for _, e := range events {
		if e.At.IsZero() {
			e.At = f.clock()
		}
		e.At = e.At.UTC()
		line, err := e.line()
		if err != nil {
			failed = err
			continue
		}
		lines = append(append(lines, line...), '\n')
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(lines) > 0 {
		failed = errors.Join(failed, f.append(lines))
	}
	if failed != nil {
		f.err = failed
	}
}

// Err is the last failure to record.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// append writes whole lines, without a sync: the trace may lose its end in a crash.
func (f *File) append(lines []byte) error {
	out, err := f.open()
	if err != nil {
		return err
	}
	info, err := out.Stat()
	if err == nil && info.Size() > 0 && info.Size()+int64(len(lines)) > SizeLimit {
		if out, err = f.rotate(out, info); err != nil {
			return err
		}
	}
	durable.Point("trace.append.write")
	_, err = out.Write(lines)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}

func (f *File) open() (*os.File, error) {
	durable.Point("trace.open.open")
	out, err := os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|durable.NoFollow, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		durable.Point("trace.open.mkdir")
		if err = os.MkdirAll(filepath.Dir(f.path), 0o700); err == nil {
			durable.Point("trace.open.open")
			out, err = os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|durable.NoFollow, 0o600)
		}
	}
	return out, err
}

// rotate makes the full file PATH.1, unless another process just did.
func (f *File) rotate(full *os.File, info fs.FileInfo) (*os.File, error) {
	if err := full.Close(); err != nil {
		return nil, err
	}
	if now, err := os.Stat(f.path); err == nil && os.SameFile(now, info) {
		// gone: another process was quicker by a hair
		durable.Point("trace.rotate.rename")
		if err := os.Rename(f.path, f.path+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return f.open()
}

// Read returns the events kept at path, oldest first; none when there is no file.
// Lines that are not events are passed over.
func Read(path string) ([]Event, error) {
	var events []Event
	for _, name := range []string{path + ".1", path} {
		data, err := durable.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, model.Failf(err, "cannot read the trace")
		}
		events = append(events, parse(data)...)
	}
	return events, nil
}

func parse(data []byte) []Event {
	var events []Event
	for _, line := range bytes.Split(data, []byte{'\n'}) {
		var e Event
		if len(line) > 0 && json.Unmarshal(line, &e) == nil && e.Event != "" {
			events = append(events, e)
		}
	}
	return events
}
