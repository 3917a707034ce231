//go:build !linux && !darwin

package refs

import "io/fs"

// accessed is not known here: only the age of a lock says that its maker is dead.
func accessed(fs.FileInfo) int64 { return 0 }
