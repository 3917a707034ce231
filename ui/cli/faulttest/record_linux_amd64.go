package faulttest

import (
	"os"
	"os/exec"
)

// Recording is what a program did to a folder: what was there, and every call.
type Recording struct {
	Root  string
	Calls []*Call
	Said  Said

	disk *disk
}

// Record runs a command to its end and keeps every call that changed what is below
// root, and its reports.
func Record(cmd *exec.Cmd, root string) (*Recording, error) {
	before, err := scan(root)
	if err != nil {
		return nil, err
	}
	r := &Recording{Root: root, disk: before}
	r.Said, err = Watch(cmd, root, func(c *Call) Verdict {
		r.Calls = append(r.Calls, c)
		return Go()
	})
	return r, err
}

// Reported tells whether the program had said all that it says before call n: the
// last is how it ended.
func (r *Recording) Reported(n int) bool {
	last := len(r.Calls) - 1
	for i, c := range r.Calls {
		if c.Name == Report {
			last = i
		}
	}
	return n > last
}

// Cut makes of root, a copy of the folder as it was before, what a power cut before
// call n would leave: n calls were made, and of what was not synced keep says what
// is there all the same.
func (r *Recording) Cut(n int, keep Keep, root string) error {
	d := r.disk.clone()
	for _, c := range r.Calls[:n] {
		d.call(r.Root, c)
	}
	return d.powerCut(keep).lay(root)
}

// scan reads a folder.
func scan(root string) (*disk, error) {
	if _, err := os.Stat(root); err != nil {
		return nil, err
	}
	d := newDisk()
	return d, d.load(root)
}
