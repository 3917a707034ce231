package ledger

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
)

// lookUp reads /proc/<pid>/stat: the name stands in parentheses and may itself
// hold any byte, so fields are counted from the last one. Of those, 2 is the
// parent and 20 the start time in ticks since boot (4 and 22 in proc(5)). A
// zombie has ended.
func lookUp(pid int) (processInfo, processState) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, fs.ErrNotExist) && procMounted() {
		return processInfo{}, processAbsent
	}
	if err != nil {
		return processInfo{}, processUnknown
	}
	return parseStat(raw)
}

func parseStat(raw []byte) (processInfo, processState) {
	open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if open < 0 || end < open {
		return processInfo{}, processUnknown
	}
	fields := bytes.Fields(raw[end+1:])
	if len(fields) < 20 {
		return processInfo{}, processUnknown
	}
	if fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return processInfo{}, processAbsent
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return processInfo{}, processUnknown
	}
	return processInfo{name: string(raw[open+1 : end]), parent: parent, started: string(fields[19])}, processPresent
}

// procMounted tells absence of a process from absence of /proc.
func procMounted() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
