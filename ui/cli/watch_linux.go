package cli

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// bell rings when a file in a watched folder was written, renamed or removed.
type bell struct {
	file *os.File
	stop func() bool
}

func newBell(ctx context.Context) (*bell, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "inotify")
	stop := context.AfterFunc(ctx, func() { file.SetReadDeadline(time.Unix(1, 0)) })
	return &bell{file, stop}, nil
}

// watch adds folders; one that is watched already, or is not there, changes nothing.
func (b *bell) watch(folders []string) {
	raw, err := b.file.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) {
		for _, folder := range folders {
			unix.InotifyAddWatch(int(fd), folder, unix.IN_CLOSE_WRITE|unix.IN_MOVED_TO|unix.IN_DELETE|unix.IN_CREATE|unix.IN_ONLYDIR)
		}
	})
}

// ring blocks until the next change, or until the context ends.
func (b *bell) ring() error {
	var events [4096]byte
	_, err := b.file.Read(events[:])
	return err
}

func (b *bell) close() {
	b.stop()
	b.file.Close()
}
