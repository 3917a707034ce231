package snapshot

// fileStat is what a stat table keeps of a file: sizes in bytes, times in
// nanoseconds since 1970, mode as the kernel gives it (type and permissions).
type fileStat struct {
	size, mtime, ctime int64
	ino                uint64
	mode               uint16
}

// The file types in mode, the same on every unix; gitlink is git's own.
const (
	typeMask uint16 = 0xf000
	typeDir  uint16 = 0x4000
	typeFile uint16 = 0x8000
	typeLink uint16 = 0xa000
	typeFIFO uint16 = 0x1000
	typeGit  uint16 = 0xe000 // a submodule: never comes from the kernel
)

// dirent is one name of a directory; typ is 0 where the file system says none.
type dirent struct {
	name string
	typ  uint16
}

// outcome of a system call, as far as captures tell them apart.
type outcome int

const (
	okay outcome = iota
	gone         // nothing there, or a parent is no directory
	denied
	failed
)

// treeMode is the mode that a git tree holds for a file of this mode; 0 for
// what trees cannot hold.
func treeMode(mode uint16) uint32 {
	switch mode & typeMask {
	case typeDir:
		return 0o40000
	case typeLink:
		return 0o120000
	case typeGit:
		return 0o160000
	case typeFile:
		if mode&0o100 != 0 {
			return 0o100755
		}
		return 0o100644
	}
	return 0
}

// indexMode is the inverse of treeMode, as far as a tree knows.
func indexMode(mode uint32) uint16 {
	switch mode {
	case 0o120000:
		return typeLink | 0o777
	case 0o160000:
		return typeGit
	case 0o100755:
		return typeFile | 0o755
	}
	return typeFile | 0o644
}

// dotted spells the top of the work tree as system calls want it.
func dotted(path string) string {
	if path == "" {
		return "."
	}
	return path
}
