package gitops

import (
	"strings"

	"overturn/model/wire"
)

// readFacts reads facts without reflection, for wire.Into.
func readFacts(r *wire.Reader, f *facts) {
	r.Fields(func(key string) {
		switch key {
		case "version":
			f.Version = int(r.Int())
		case "top":
			readFactText(r, &f.Top)
		case "root":
			readFactText(r, &f.Root)
		case "git_dir":
			readFactText(r, &f.GitDir)
		case "common_dir":
			readFactText(r, &f.CommonDir)
		case "work_tree":
			readFactText(r, &f.WorkTree)
		case "object_format":
			f.ObjectFormat = r.Text()
		case "ref_storage":
			f.RefStorage = r.Text()
		case "env":
			f.Env = wire.ReadList(r, readFactText)
		case "config":
			f.Config = wire.ReadList(r, readFactText)
		case "files":
			f.Files = wire.ReadList(r, readStamp)
		case "folders":
			f.Folders = wire.ReadList(r, readStamp)
		default:
			r.Fail()
		}
	})
}

// readFactText leaves bytes in base64 to encoding/json.
func readFactText(r *wire.Reader, t *text) {
	if *t = text(r.Text()); strings.HasPrefix(string(*t), textMark) {
		r.Fail()
	}
}

func readStamp(r *wire.Reader, s *stamp) {
	r.Fields(func(key string) {
		switch key {
		case "path":
			readFactText(r, &s.Path)
		case "absent":
			s.Absent = r.Bool()
		case "dev":
			s.Dev = uint64(natural(r, 1<<62))
		case "ino":
			s.Ino = uint64(natural(r, 1<<62))
		case "size":
			s.Size = r.Int()
		case "mtime":
			s.Mtime = r.Int()
		case "ctime":
			s.Ctime = r.Int()
		case "uid":
			s.UID = uint32(natural(r, 1<<32))
		case "kind":
			s.Kind = uint32(natural(r, 1<<32))
		default:
			r.Fail()
		}
	})
}

// natural reads a number from 0 up to limit.
func natural(r *wire.Reader, limit int64) int64 {
	n := r.Int()
	if n < 0 || n >= limit {
		r.Fail()
	}
	return n
}
