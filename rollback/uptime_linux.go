package rollback

import (
	"time"

	"golang.org/x/sys/unix"
)

// uptime is how long the system has been running.
func uptime() (time.Duration, bool) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, false
	}
	return time.Duration(info.Uptime) * time.Second, true
}
