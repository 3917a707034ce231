//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// NoFollow is for the open of a file that is written in place: a link that came
// with the files of a repository must not choose what is written to.
const NoFollow = syscall.O_NOFOLLOW

// noWait is for the open of a file that is read: the writer of a FIFO that stands in
// its place is not waited for.
const noWait = syscall.O_NONBLOCK

// tryFlock takes the lock or returns errHeld. flock belongs to the open file, so
// two locks within one process exclude each other as well, and the system gives it
// back when the process dies.
func tryFlock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}

// waitFlock takes the lock on f, waiting for it.
func waitFlock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func syncDir(d *os.File) error {
	Point("durable.syncdir.sync")
	return d.Sync()
}

func killSelf() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }
