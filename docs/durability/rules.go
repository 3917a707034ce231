package main

import (
	"fmt"
	"io"
	"path/filepath"
	"sort"
	"strings"
)

// report is what was seen, and every rule that was broken.
type report struct {
	objects int // files of objects that were made
	refs    []string
	marks   []string // journal lines, by their type
	syncs   int
	faults  []string
}

// watch holds the calls in one repository against the rules:
//
//   - when a ref moves, its own file and every object made so far are synced, with
//     the names that lead to them;
//   - when the journal says "prepared", the ref of the safety snapshot is durable;
//   - before anything in the work tree is made, moved or removed, "prepared" is durable;
//   - when the journal says "beside", every new file has its bytes on the disk;
//   - when it says "applied", so have all names that changed;
//   - at the end the refs and the journal are durable.
type watch struct {
	*disk
	root, git string
	report    report
	touched   map[string]bool // names in the work tree that changed
	journal   string          // its file
	prepared  int             // when its first line was written
}

// check reads a trace of strace and says how it stands to the rules.
func check(root string, calls io.Reader) (*report, error) {
	w := &watch{disk: newDisk(), root: root, git: filepath.Join(root, ".git"), touched: map[string]bool{}}
	err := readCalls(calls, func(c *call) error {
		if c.begun {
			w.before(c)
		}
		w.apply(c)
		if c.ok() {
			w.after(c)
		}
		return nil
	})
	w.atEnd()
	return &w.report, err
}

func (w *watch) fault(c *call, format string, args ...any) {
	where := "at the end"
	if c != nil {
		where = fmt.Sprintf("line %d", c.line)
	}
	w.report.faults = append(w.report.faults, where+": "+fmt.Sprintf(format, args...))
}

// before looks at a call that may take effect at once.
func (w *watch) before(c *call) {
	from, to := names(c)
	switch {
	case strings.HasPrefix(c.name, "rename") && below(to, filepath.Join(w.git, "refs", "overturn")):
		w.refMoves(c, from, to)
	case c.name == "write" && w.isJournal(c.arg(0)):
		w.mark(c)
	case w.makesNames(c) && w.inWorkTree(to):
		if w.journal == "" {
			return
		}
		if w.files[w.journal].synced < w.prepared {
			w.fault(c, "%s is touched before the journal is synced", w.short(to))
		}
		if at := w.named(w.journal); at != "" {
			w.fault(c, "%s is touched before the name of %s is synced", w.short(to), w.short(at))
		}
	}
}

func (w *watch) after(c *call) {
	from, to := names(c)
	switch {
	case c.name == "fsync" || c.name == "fdatasync" || c.name == "syncfs":
		w.report.syncs++
	case c.name == "write" && w.isJournal(c.arg(0)) && w.prepared == 0:
		w.prepared = w.clock
	case w.makesNames(c):
		for _, path := range []string{from, to} {
			if w.inWorkTree(path) {
				w.touched[path] = true
			}
		}
	}
}

// makesNames tells calls that make, move or remove a name.
func (w *watch) makesNames(c *call) bool {
	switch c.name {
	case "open", "openat", "creat":
		return strings.Contains(strings.Join(c.args, ","), "O_CREAT") || c.name == "creat"
	}
	for _, verb := range []string{"rename", "link", "symlink", "unlink", "rmdir", "mkdir"} {
		if strings.HasPrefix(c.name, verb) {
			return true
		}
	}
	return false
}

func (w *watch) refMoves(c *call, from, to string) {
	w.report.refs = append(w.report.refs, to)
	if !w.whole(from) {
		w.fault(c, "%s moves before its value is synced", w.short(to))
	}
	objects := w.objects()
	w.report.objects = max(w.report.objects, len(objects))
	for _, path := range objects {
		if !w.whole(path) {
			w.fault(c, "%s moves before %s is synced", w.short(to), w.short(path))
		}
		if at := w.named(path); at != "" {
			w.fault(c, "%s moves before the name of %s is synced", w.short(to), w.short(at))
		}
	}
}

// objects are the files of objects that were made, in order.
func (w *watch) objects() []string {
	var list []string
	for path := range w.files {
		base := filepath.Base(path)
		if below(path, filepath.Join(w.git, "objects")) && !strings.HasPrefix(base, "tmp_") && !strings.HasSuffix(base, ".keep") {
			list = append(list, path)
		}
	}
	sort.Strings(list)
	return list
}

func (w *watch) isJournal(fd string) bool {
	path, _ := file(fd)
	return below(path, filepath.Join(w.git, "overturn", "journal"))
}

// mark is a line of the journal that is about to be written.
func (w *watch) mark(c *call) {
	_, kind, _ := strings.Cut(c.arg(1), `\"type\":\"`)
	kind, _, _ = strings.Cut(kind, `\"`)
	w.report.marks = append(w.report.marks, kind)
	switch kind {
	case "prepared":
		w.journal, _ = file(c.arg(0))
		safety := 0
		for _, ref := range w.report.refs {
			if strings.Contains(ref, "/safety/") {
				safety++
				w.durable(c, ref)
			}
		}
		if safety == 0 {
			w.fault(c, "the journal is prepared without a safety snapshot")
		}
	case "beside":
		for path := range w.touched {
			if strings.HasPrefix(filepath.Base(path), ".overturn-") && !w.whole(path) {
				w.fault(c, "%s is said to be written before it is synced", w.short(path))
			}
		}
	case "applied":
		for path := range w.touched {
			if _, standing := w.folders[filepath.Dir(path)]; standing && w.named(path) != "" {
				w.fault(c, "%s is said to be done before its name is synced", w.short(path))
			}
		}
	}
}

func (w *watch) durable(c *call, path string) {
	if !w.whole(path) {
		w.fault(c, "%s is not synced", w.short(path))
	}
	if at := w.named(path); at != "" {
		w.fault(c, "the name of %s is not synced", w.short(at))
	}
}

// atEnd looks at what was promised. A ref that was removed since promises nothing.
func (w *watch) atEnd() {
	for _, ref := range w.report.refs {
		if w.files[ref] != nil {
			w.durable(nil, ref)
		}
	}
	if w.journal != "" {
		w.durable(nil, w.journal)
	}
}

func (w *watch) inWorkTree(path string) bool {
	return below(path, w.root) && !below(path, w.git) && path != w.git
}

func (w *watch) short(path string) string { return strings.TrimPrefix(path, w.root+"/") }

func below(path, folder string) bool { return strings.HasPrefix(path, folder+"/") }
