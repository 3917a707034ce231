package refs

import (
	"io/fs"
	"syscall"
)

// accessed is the file's time of access in nanoseconds since 1970.
func accessed(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Atim.Nano()
	}
	return 0
}
