package worktree

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"overturn/model"
)

// Errors that callers tell apart. Move reports a target that is taken as
// fs.ErrExist and a source that is gone as fs.ErrNotExist.
var (
	// ErrNoExchange: this file system cannot exchange two names in one step.
	ErrNoExchange = errors.New("the file system cannot exchange two files")
	// ErrOtherDevice: the place to move to is on another file system.
	ErrOtherDevice = errors.New("the place to move to is on another file system")
	// ErrTooLarge: the file is longer than the limit of a Read.
	ErrTooLarge = errors.New("the file is too large")
)

// Blocked says that a parent of Path is not a folder: At is the parent, Kind
// what stands there (a link, a file, something else). Callers treat it as a
// conflict: whoever put it there owns it.
type Blocked struct {
	Path, At model.Path
	Kind     model.Kind
}

func (b *Blocked) Error() string {
	return fmt.Sprintf("%s stands in the way: %s is a %s, not a folder", b.At, b.At, b.Kind)
}

// Content is what to write. Perm holds permission bits; of them only the nine
// of owner, group and others are ever set: set-uid, set-gid and sticky bits are
// not brought back from a recording. Of a link Data is the text.
type Content struct {
	Kind model.Kind // KindFile or KindLink
	Perm uint32
	Data []byte
	Like model.Path // a file in the same folder: take owner and group from it where permitted; "" for none
}

// Folder is a folder that was made or removed, with its permission bits.
type Folder struct {
	Path model.Path
	Perm uint32
}

// besidePrefix opens the name of every file that overturn puts into a work tree.
const besidePrefix = ".overturn-"

// Beside is the name next to p under which number n of the rollback id is
// written and under which the file that it displaces comes out.
func Beside(p model.Path, id model.ID, n int) model.Path {
	name := besidePrefix + string(id) + "-" + strconv.Itoa(n)
	if dir := Dir(p); dir != "" {
		return dir + "/" + model.Path(name)
	}
	return model.Path(name)
}

// IsBeside tells whether p is a name that Beside makes.
func IsBeside(p model.Path) bool {
	rest, ok := strings.CutPrefix(path.Base(string(p)), besidePrefix)
	if !ok {
		return false
	}
	id, n, ok := strings.Cut(rest, "-")
	if _, err := model.ParseID(id); err != nil || !ok {
		return false
	}
	_, err := strconv.ParseUint(n, 10, 31)
	return err == nil
}

// Dir is the folder of p, "" for the root.
func Dir(p model.Path) model.Path {
	i := strings.LastIndexByte(string(p), '/')
	if i < 0 {
		return ""
	}
	return p[:i]
}

// Perm is the permission bits (all twelve) in a state's mode, 0 when absent.
func Perm(s model.FileState) uint32 {
	mode, err := strconv.ParseUint(s.Mode, 8, 32)
	if err != nil {
		return 0
	}
	return uint32(mode) & 0o7777
}

// Root is the folder that the tree was opened at.
func (t *Tree) Root() string { return t.root }

// checkOwn refuses to remove or overwrite what is not overturn's own.
func checkOwn(p model.Path) error {
	if !IsBeside(p) {
		return model.Errorf(model.CodeFailed, "%q is not a file of overturn's own and is not removed", string(p))
	}
	return nil
}

// Space is the room on a file system: the number that tells it from others, and
// the bytes that this user may still write.
type Space struct {
	Device uint64
	Free   int64
}
