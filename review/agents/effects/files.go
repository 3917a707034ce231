package effects

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
)

// files names what file programs write outside the work tree.
func (r *reader) files(program string, args []string) {
	list := operands(args, "-m", "-t", "-o", "-g", "-S", "-e")
	switch program {
	case "rm", "rmdir", "unlink", "shred", "mkdir", "touch", "tee", "truncate":
		r.outside(list, program+" ")
	case "mv":
		r.outside(list, program+" ")
	case "cp", "ln", "install", "rsync":
		if len(list) > 1 {
			r.outside(list[len(list)-1:], program+" to ")
		}
	case "chmod", "chown", "chgrp":
		if len(list) > 1 {
			r.outside(list[1:], program+" ")
		}
	case "sed":
		if hasFlag(args, "-i", "--in-place") && len(list) > 1 {
			r.outside(list[1:], "sed -i ")
		}
	}
}

// outside names those of the paths that no snapshot holds: outside the work tree, and
// files of git's own.
func (r *reader) outside(paths []string, what string) {
	if r.c.Root == "" {
		return
	}
	for _, p := range paths {
		abs := r.absolute(p)
		switch {
		case abs == "" || isDevice(abs):
		case !within(r.c.Root, abs):
			r.add(verdict{domain: model.DomainOutside, reversible: model.ReversibleUnknown,
				compensation: "put the file back by hand"}, what+abs)
		default:
			r.ofGit(abs, what)
		}
	}
}

// ofGit names a write to git's own files in the work tree. What removes a repository says
// what is gone with it.
func (r *reader) ofGit(abs, what string) {
	rel, err := filepath.Rel(r.c.Root, abs)
	removes := strings.HasPrefix(what, "rm ") || strings.HasPrefix(what, "mv ") || strings.HasPrefix(what, "shred ")
	switch {
	case err != nil:
	case removes && (rel == "." || rel == ".git"):
		r.add(verdict{domain: model.DomainOther, reversible: model.ReversibleNo,
			compensation: "what only this repository held is gone, the snapshots of overturn too: clone it again (a linked work tree: git worktree repair)"}, what+abs)
	case removes && path.Base(rel) == ".git":
		r.add(verdict{domain: model.DomainOther, reversible: model.ReversibleNo,
			compensation: "what only that repository held is gone: clone it again"}, what+abs)
	case slices.Contains(strings.Split(rel, "/"), ".git"):
		r.add(verdict{domain: model.DomainOther, reversible: model.ReversibleUnknown,
			compensation: "files of git's own are in no snapshot: put this one back by hand"}, what+abs)
	}
}
