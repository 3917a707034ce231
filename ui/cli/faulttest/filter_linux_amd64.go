package faulttest

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// childVariable makes Child run: the program to be watched.
const childVariable = "FAULTTEST_PROGRAM"

// socketFD is where Child finds the socket to its supervisor.
const socketFD = 3

// Child is to be called first thing by TestMain: when this process was started by
// Watch it puts the filter in place and becomes the program; it does not return then.
func Child() {
	program := os.Getenv(childVariable)
	if program == "" {
		return
	}
	os.Unsetenv(childVariable)
	runtime.LockOSThread() // the filter is this thread's, and exec leaves this thread alone
	err := becomeWatched(program)
	fmt.Fprintln(os.Stderr, "faulttest:", err)
	os.Exit(125)
}

func becomeWatched(program string) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	listener, err := installFilter()
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	if err := unix.Sendmsg(socketFD, []byte{0}, unix.UnixRights(listener), nil, 0); err != nil {
		return err
	}
	return errors.Join(unix.Close(socketFD), unix.Close(listener), unix.Exec(program, append([]string{program}, os.Args[1:]...), os.Environ()))
}

// Where the kernel's seccomp_data has what the filter looks at.
const (
	offsetNumber = 0
	offsetArg2   = 16 + 2*8 // its low half
)

// installFilter stops the calls in watched; opens only where they may make or cut a
// file.
func installFilter() (int, error) {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	answer := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	calls := watched()
	program := []unix.SockFilter{
		load(offsetNumber),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 0, Jf: 3, K: unix.SYS_OPENAT},
		load(offsetArg2),
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: uint8(len(calls) + 2), K: unix.O_CREAT | unix.O_TRUNC},
		answer(unix.SECCOMP_RET_ALLOW),
	}
	for i, number := range calls { // each jumps over the others and the next answer
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(len(calls) - i), K: uint32(number)})
	}
	program = append(program, answer(unix.SECCOMP_RET_ALLOW), answer(unix.SECCOMP_RET_USER_NOTIF))
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// watched are the calls that write, name, remove, date or sync, beside openat.
func watched() []int {
	return []int{
		unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_FTRUNCATE,
		unix.SYS_RENAME, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINK, unix.SYS_LINKAT, unix.SYS_SYMLINK, unix.SYS_SYMLINKAT,
		unix.SYS_UNLINK, unix.SYS_UNLINKAT, unix.SYS_RMDIR, unix.SYS_MKDIR, unix.SYS_MKDIRAT, unix.SYS_OPEN,
		unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_CHMOD, unix.SYS_UTIMENSAT, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNCFS,
	}
}
