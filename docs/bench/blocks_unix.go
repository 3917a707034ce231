//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// onDisk is what a file takes on the disk, in bytes.
func onDisk(info fs.FileInfo) int64 { return info.Sys().(*syscall.Stat_t).Blocks * 512 }
