//go:build linux || darwin

package trial

import (
	"io/fs"
	"os"
	"path/filepath"
)

// thing is what stands at a path: nothing, a file with its bytes and permission
// bits, a link with its text, or something else, with its kind.
type thing struct {
	kind string // "", "file", "link", "folder", "other"
	perm fs.FileMode
	text string
}

func file(perm fs.FileMode, text string) thing { return thing{"file", perm, text} }
func link(text string) thing                   { return thing{"link", 0, text} }

// scenery is a work tree: all that stands in it but folders.
type scenery map[string]thing

// firstScenery is the work tree before the turn. Every text names its place, so that
// a byte that was lost, or got to another place, is seen.
func firstScenery() scenery {
	return scenery{
		"dir/sub/edit": file(0o644, "first edit\nsame\nend\n"), "dir/sub/beside": file(0o644, "first beside\n"),
		"lost/deep/gone": file(0o640, "first gone\n"), "mode": file(0o644, "mode\n"), "link": link("keep"),
		"kind": file(0o644, "first kind\n"), "fold": file(0o644, "first fold\n"), "staged": file(0o644, "first staged\n"),
		"keep": file(0o600, "first keep\n"), "untracked": file(0o600, "untracked\n"), "built.o": file(0o644, "built\n"), ".gitignore": file(0o644, "*.o\n"),
		"script": file(0o755, "first script\n"), "script2": file(0o755, "first script2\n"),
	}
}

// lastScenery is the work tree after it.
func lastScenery() scenery {
	s := firstScenery()
	s["dir/sub/edit"] = file(0o644, "last edit, longer\nsame\nend\n")
	delete(s, "lost/deep/gone")
	s["made/deep/new"] = file(0o644, "last new\n")
	s["mode"] = file(0o755, "mode\n")
	s["link"] = link("kind")
	s["kind"] = link("keep")
	delete(s, "fold")
	s["fold/x"] = file(0o644, "last fold/x\n")
	s["staged"] = file(0o644, "last staged\n")
	s["script"], s["script2"] = file(0o700, "last script\n"), file(0o755, "last script2\n")
	return s
}

// shape is a kind of change that is taken back: its targets, and the folders that
// come and go with them.
type shape struct {
	name    string
	targets []string
	area    []string
}

func raceShapes() []shape {
	return []shape{
		{"edit", []string{"dir/sub/edit"}, nil},
		{"new", []string{"made/deep/new"}, []string{"made"}},
		{"gone", []string{"lost/deep/gone"}, []string{"lost"}},
		{"mode", []string{"mode"}, nil},
		{"link", []string{"link"}, nil},
		{"kind", []string{"kind"}, nil},
		{"fold", []string{"fold", "fold/x"}, []string{"fold"}},
		{"staged", []string{"staged"}, nil},
		{"several", []string{"dir/sub/edit", "script", "script2"}, nil},
		{"all", []string{"dir/sub/edit", "made/deep/new", "lost/deep/gone", "mode", "link", "kind", "fold", "fold/x", "staged"}, []string{"made", "lost", "fold"}},
	}
}

func shapeOf(name string) shape {
	for _, s := range raceShapes() {
		if s.name == name {
			return s
		}
	}
	return shape{}
}

// set empties the work tree and puts a scenery there.
func (r *Racing) set(s scenery) {
	if r.Err() != nil {
		return
	}
	entries, err := os.ReadDir(r.Root)
	for _, e := range entries {
		if err == nil && e.Name() != ".git" {
			err = os.RemoveAll(r.Path(e.Name()))
		}
	}
	for path, t := range s {
		if err == nil {
			err = t.put(r.Path(path))
		}
	}
	if err != nil {
		r.Fail(err)
	}
}

func (t thing) put(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if t.kind == "link" {
		return os.Symlink(t.text, name)
	}
	if err := os.WriteFile(name, []byte(t.text), 0o600); err != nil {
		return err
	}
	return os.Chmod(name, t.perm)
}

// target is what stands at a path of the work tree: nothing, where a folder above it
// is a link or a file.
func (r *Racing) target(path string) thing {
	for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
		if at(r.Path(dir)).kind != "folder" {
			return thing{}
		}
	}
	return at(r.Path(path))
}

// at is what stands at a path of the file system.
func at(name string) thing {
	info, err := os.Lstat(name)
	if err != nil {
		return thing{}
	}
	switch {
	case info.IsDir():
		return thing{kind: "folder"}
	case info.Mode()&fs.ModeSymlink != 0:
		text, _ := os.Readlink(name) // gone by now: no text will do
		return link(text)
	case !info.Mode().IsRegular():
		return thing{kind: "other"}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return thing{kind: "other"}
	}
	return file(info.Mode().Perm(), string(data))
}
