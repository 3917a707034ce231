//go:build system && unix

package gitops_test

import "syscall"

// asUser starts a child as another user.
func asUser(uid uint32) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid, NoSetGroups: true}}
}
