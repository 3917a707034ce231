package ledger

import (
	"strings"

	"overturn/model"
)

// maxParents bounds the walk up the process tree.
const maxParents = 16

// FindAgent names the process that a hook works for: the nearest ancestor of pid
// that is no shell and none of the wrappers that start hooks. The zero Process
// when it cannot be known.
func FindAgent(pid int) model.Process {
	for i := 0; i < maxParents && pid > 1; i++ {
		info, ok := inspect(pid)
		if !ok {
			return model.Process{}
		}
		if !passesOn(info.name) {
			return model.Process{PID: pid, Started: info.started}
		}
		pid = info.parent
	}
	return model.Process{}
}

// ProcessOf names process pid itself; the zero Process when there is none or it
// cannot be looked at.
func ProcessOf(pid int) model.Process {
	info, ok := inspect(pid)
	if !ok {
		return model.Process{}
	}
	return model.Process{PID: pid, Started: info.started}
}

// passesOn tells whether a program of this name only runs another on somebody's
// behalf.
func passesOn(name string) bool {
	switch strings.TrimPrefix(name, "-") {
	case "sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "ash", "env", "timeout", "nice", "setsid", "xargs", "sudo", "overturn":
		return true
	}
	return false
}

// Gone tells whether p has certainly ended: no process has its id, or the one
// that has it started at another time. A process that cannot be looked at is not
// gone.
func Gone(p model.Process) bool {
	if p.PID <= 0 {
		return false
	}
	info, state := lookUp(p.PID)
	switch {
	case state == processAbsent:
		return true
	case state == processPresent && p.Started != "" && info.started != "":
		return info.started != p.Started
	}
	return false
}

// processInfo is what is known about a process.
type processInfo struct {
	name    string // of the program, without its folder; cut by the system
	parent  int
	started string
}

type processState int

const (
	processUnknown processState = iota
	processPresent
	processAbsent
)

func inspect(pid int) (processInfo, bool) {
	info, state := lookUp(pid)
	return info, state == processPresent
}
