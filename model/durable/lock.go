package durable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"overturn/model"
	"overturn/model/wire"
)

// Lock is a held lock. It ends with Unlock or with the process.
type Lock struct{ f *os.File }

// Holder is who wrote itself into a lock file.
type Holder struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"` // when the lock was taken
	What    string    `json:"what"`    // what it is held for, e.g. "rollback"
}

// errHeld says that another process (or another Lock of this one) has the lock.
var errHeld = errors.New("held")

// Hold takes the system's lock on an open file, without waiting and without
// touching its bytes; false when someone else has it. It ends when f is closed.
func Hold(f *os.File) (bool, error) {
	err := tryFlock(f)
	if errors.Is(err, errHeld) {
		return false, nil
	}
	return err == nil, err
}

// lockPoll is how often a waiting Acquire looks again: at first soon, since most
// holders are hooks that take a few milliseconds.
func lockPoll(tries int) time.Duration {
	return min(time.Millisecond<<min(tries, 5), 25*time.Millisecond)
}

// Acquire takes the lock at path, making its file when it is absent, and waits
// for it until ctx ends; then the error has code CodeLocked and names the holder.
// what says in a word or two what the lock is held for.
func Acquire(ctx context.Context, path, what string) (*Lock, error) {
	for tries := 0; ; tries++ {
		lock, err := take(path, what)
		if !errors.Is(err, errHeld) {
			return lock, err
		}
		timer := time.NewTimer(lockPoll(tries))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, lockedError(path)
		case <-timer.C:
		}
	}
}

// TryAcquire is Acquire that does not wait.
func TryAcquire(path, what string) (*Lock, error) {
	lock, err := take(path, what)
	if errors.Is(err, errHeld) {
		return nil, lockedError(path)
	}
	return lock, err
}

func take(path, what string) (*Lock, error) {
	Point("durable.take.open")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|NoFollow, 0o600)
	if err != nil {
		return nil, model.Failf(err, "cannot open the lock")
	}
	if err := tryFlock(f); err != nil {
		f.Close()
		if errors.Is(err, errHeld) {
			return nil, err
		}
		return nil, model.Failf(err, "cannot take the lock %s", path)
	}
	if err := name(f, what); err != nil {
		f.Close()
		return nil, model.Failf(err, "cannot write the lock %s", path)
	}
	return &Lock{f}, nil
}

// name writes who holds the lock. When it was taken is the present by the clock of
// the file system, which all that may read it share: that of the first write. Blanks
// write over what longer words leave, since to cut a file costs its file system more.
func name(f *os.File, what string) error {
	Point("durable.name.begin")
	if _, err := f.WriteAt([]byte{'\n'}, 0); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var w wire.Writer
	Holder{PID: os.Getpid(), Started: info.ModTime().UTC(), What: what}.write(&w)
	line := w.Bytes()
	if rest := min(info.Size(), holderLimit) - int64(len(line)) - 1; rest > 0 {
		line = append(line, bytes.Repeat([]byte{' '}, int(rest))...)
	}
	Point("durable.name.write")
	_, err = f.WriteAt(append(line, '\n'), 0)
	return err
}

// holderLimit is how much of a lock file is read.
const holderLimit = 64 << 10

func (h Holder) write(w *wire.Writer) {
	w.Open("")
	w.Int("pid", h.PID)
	w.Time("started", h.Started)
	w.Text("what", h.What)
	w.Close()
}

// Unlock gives the lock back; the file stays. A nil Lock, or a second call, does nothing.
func (l *Lock) Unlock() error {
	if l == nil || l.f == nil {
		return nil
	}
	f := l.f
	l.f = nil
	return f.Close()
}

// ReadHolder reads who is named in the lock file. That it is named there does not
// say that it still holds the lock.
func ReadHolder(path string) (Holder, error) {
	f, err := os.Open(path)
	if err != nil {
		return Holder{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, holderLimit))
	if err != nil {
		return Holder{}, err
	}
	var h Holder
	return h, json.Unmarshal(data, &h)
}

func lockedError(path string) error {
	who := "another overturn"
	if h, err := ReadHolder(path); err == nil && h.PID > 0 {
		who = fmt.Sprintf("%s (process %d, since %s)", h.What, h.PID, h.Started.Format("15:04:05"))
	}
	return model.Errorf(model.CodeLocked, "the lock is held by %s", who).
		WithHint("wait until it is done, or end it; the lock file itself (%s) need not be removed", path)
}
