package faulttest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Verdict is what becomes of a call.
type Verdict struct {
	errno unix.Errno
	kill  bool
	short bool
}

// Go lets the call be made.
func Go() Verdict { return Verdict{} }

// Kill ends the program, and whatever it started, before the call is made.
func Kill() Verdict { return Verdict{kill: true} }

// Fail makes the call return an error, undone.
func Fail(errno unix.Errno) Verdict { return Verdict{errno: errno} }

// Short writes the first half, as a disk does that has no room for more.
func Short() Verdict { return Verdict{short: true} }

// Report is the Name of a write to standard output: what the program says is done.
const Report = "report"

// Said is what a watched program gave back; Code is -1 when it was killed.
type Said struct {
	Code           int
	Stdout, Stderr string
}

// Watch runs a command (the name of a program that is no script, and its arguments)
// and asks decide about every call that changes something below root,
// and about its reports. The calls are decided one at a time.
func Watch(cmd *exec.Cmd, root string, decide func(*Call) Verdict) (Said, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return Said{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return Said{}, err
	}
	ours, theirs, err := pair()
	if err != nil {
		return Said{}, err
	}
	defer ours.Close()
	cmd.Env = append(cmd.Env, childVariable+"="+cmd.Path)
	cmd.Path, cmd.ExtraFiles = self, []*os.File{theirs}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := errors.Join(cmd.Start(), theirs.Close()); err != nil {
		return Said{}, err
	}
	listener, err := receive(ours)
	if err == nil {
		w := &watch{listener: listener, root: root, pid: cmd.Process.Pid, decide: decide}
		err = w.serve()
		unix.Close(listener)
	}
	if err != nil {
		_ = cmd.Process.Kill()
	}
	werr := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(werr, &exit) {
		werr = nil
	}
	if cmd.ProcessState.ExitCode() == 125 {
		werr = errors.Join(werr, errors.New(stderr.String()))
	}
	return Said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}, errors.Join(err, werr)
}

func pair() (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "supervisor"), os.NewFile(uintptr(fds[1]), "watched"), nil
}

// receive takes the listener over from the child.
func receive(from *os.File) (int, error) {
	data, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(from.Fd()), data, rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) != 1 {
		return -1, errors.Join(err, errors.New("the child sent no listener"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return -1, err
	}
	return fds[0], nil
}

// notification and response are seccomp_notif and seccomp_notif_resp of the kernel.
type notification struct {
	id     uint64
	pid    uint32
	_      uint32
	number int32
	_      uint32
	_      uint64
	args   [6]uint64
}

type response struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

const (
	ioctlReceive = 0xc0502100
	ioctlSend    = 0xc0182101
)

// watch is one program under watch.
type watch struct {
	listener int
	root     string
	pid      int
	decide   func(*Call) Verdict
	killed   bool
}

// serve answers until all who are watched have ended.
func (w *watch) serve() error {
	for {
		fds := []unix.PollFd{{Fd: int32(w.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(fds, -1); err != nil {
			if err == unix.EINTR {
				continue
			}
			return err
		}
		if fds[0].Revents&unix.POLLIN == 0 {
			return nil
		}
		var n notification
		if errno := w.ioctl(ioctlReceive, unsafe.Pointer(&n)); errno != 0 {
			if errno == unix.ENOENT || errno == unix.EINTR { // its thread is gone
				continue
			}
			return errno
		}
		r, err := w.answer(&n)
		if err != nil {
			return err
		}
		if errno := w.ioctl(ioctlSend, unsafe.Pointer(r)); errno != 0 && errno != unix.ENOENT {
			return errno
		}
	}
}

func (w *watch) ioctl(what uintptr, arg unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), what, uintptr(arg))
	return errno
}

func (w *watch) answer(n *notification) (*response, error) {
	r := &response{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if w.killed {
		return w.end(n, r)
	}
	c, err := decode(int(n.pid), int(n.number), n.args)
	if err != nil {
		if _, serr := os.Stat(fmt.Sprintf("/proc/%d", n.pid)); serr != nil {
			return r, nil // it was killed meanwhile
		}
		return nil, err
	}
	if c.Name == "write" && c.Path == "" && c.fd == unix.Stdout {
		c.Name = Report
	} else if !w.below(c.Path) && !w.below(c.To) {
		return r, nil
	}
	switch v := w.decide(c); {
	case v.kill:
		w.killed = true
		return w.end(n, r)
	case v.errno != 0:
		r.flags, r.errno = 0, -int32(v.errno)
	case v.short && c.Name == "write" && len(c.Data) > 1:
		r.flags = 0
		r.val, err = half(c, n.number == unix.SYS_PWRITE64)
	}
	return r, err
}

// end kills whoever makes calls after the end, and the program itself.
func (w *watch) end(n *notification, r *response) (*response, error) {
	_ = unix.Kill(w.pid, unix.SIGKILL)
	if group, err := groupOf(int(n.pid)); err == nil {
		_ = unix.Kill(group, unix.SIGKILL)
	}
	r.flags, r.errno = 0, -int32(unix.EIO) // nobody is there to see it
	return r, nil
}

func (w *watch) below(path string) bool { return strings.HasPrefix(path, w.root+"/") || path == w.root }

// groupOf is the process that a thread belongs to.
func groupOf(tid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	if err != nil {
		return 0, err
	}
	var group int
	_, after, _ := strings.Cut(string(status), "Tgid:")
	_, err = fmt.Sscan(after, &group)
	return group, err
}

// half makes the first half of a write in the place of its caller, through the
// caller's own open file.
func half(c *Call, at bool) (int64, error) {
	group, err := groupOf(c.tid)
	if err != nil {
		return 0, err
	}
	process, err := unix.PidfdOpen(group, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(process)
	fd, err := unix.PidfdGetfd(process, c.fd, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	data := c.Data[:len(c.Data)/2]
	if at {
		n, err := unix.Pwrite(fd, data, c.Off)
		return int64(n), err
	}
	n, err := unix.Write(fd, data)
	return int64(n), err
}
