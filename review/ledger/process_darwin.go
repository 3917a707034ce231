package ledger

import (
	"bytes"
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

// lookUp asks the kernel for one process; the start time is in microseconds.
func lookUp(pid int) (processInfo, processState) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.ESRCH) || err == nil && int(p.Proc.P_pid) != pid {
		return processInfo{}, processAbsent
	}
	if err != nil {
		// The call says EIO when no process has the id.
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			return processInfo{}, processAbsent
		}
		return processInfo{}, processUnknown
	}
	name, _, _ := bytes.Cut(p.Proc.P_comm[:], []byte{0})
	started := int64(p.Proc.P_starttime.Sec)*1_000_000 + int64(p.Proc.P_starttime.Usec)
	return processInfo{name: string(name), parent: int(p.Eproc.Ppid), started: strconv.FormatInt(started, 10)}, processPresent
}
