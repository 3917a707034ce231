package snapshot_test

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"overturn/gitops/snapshot"
)

// What was a file and is a FIFO now is not opened, not even for a moment: who waits at
// its other end would go on.
func TestFIFOInPlaceOfAFileIsNotOpened(t *testing.T) {
	for name, rules := range map[string]string{"captured before": "", "ignored before": "two\n"} {
		t.Run(name, func(t *testing.T) {
			r := small(t)
			r.Git("rm", "-q", "--cached", "two")
			r.Write(".gitignore", rules)
			b := newBench(t, r, snapshot.Options{})
			b.agree("a file")
			r.Remove("two")
			fifo(t, r.Path("two"))
			r.Write(".gitignore", "")
			opened := watchOpening(t, r.Path("two"))
			s := b.capture()
			if got := leftOut(s); got != "two: special file (socket, FIFO or device)" {
				t.Errorf("left out %q", got)
			}
			if opened() {
				t.Error("the FIFO was opened")
			}
		})
	}
}

// watchOpening tells whether a path was opened since the call.
func watchOpening(t *testing.T, path string) func() bool {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	must(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
	must(t, err)
	return func() bool {
		_, err := unix.Read(fd, make([]byte, 4096))
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			t.Error(err)
		}
		return err == nil
	}
}
