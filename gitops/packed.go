package gitops

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"overturn/model"
)

// PackedRefs calls yield for every ref in the bytes of a packed-refs file, in the
// order of the file; peeled ids and comments are passed over. It ends early when
// yield returns false. A line that is neither is an error that names it.
func PackedRefs(data []byte, yield func(name, oid string) bool) error {
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		data = rest
		if len(line) == 0 && !whole || len(line) > 0 && (line[0] == '#' || line[0] == '^') {
			continue
		}
		oid, name, ok := bytes.Cut(line, []byte{' '})
		if !ok || !whole || !hexID(oid) || len(name) == 0 {
			return model.Errorf(model.CodeFailed, "line %d of packed-refs cannot be read", n).WithHint("run git fsck")
		}
		if !yield(string(name), string(oid)) {
			return nil
		}
	}
	return nil
}

func hexID(b []byte) bool {
	if len(b) != 40 && len(b) != 64 {
		return false
	}
	for _, c := range b {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// PackedRefsData is the packed-refs file, nil when there is none.
func (r *Repo) PackedRefsData() ([]byte, error) {
	data, err := ReadFile(filepath.Join(r.CommonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, model.Failf(err, "cannot read packed-refs")
	}
	return data, nil
}

// LookupPacked finds one ref in the bytes of a packed-refs file, "" when it is
// not there. It looks for the name first, since the file may hold 100,000 others.
func LookupPacked(data []byte, name string) (string, error) {
	key := append(append([]byte{' '}, name...), '\n')
	for from := 0; ; {
		i := bytes.Index(data[from:], key)
		if i < 0 {
			return "", nil
		}
		end := from + i
		start := bytes.LastIndexByte(data[:end], '\n') + 1
		if hexID(data[start:end]) {
			return string(data[start:end]), nil
		}
		if data[start] != '#' {
			return "", model.Errorf(model.CodeFailed, "packed-refs is damaged at ref %s", name).WithHint("run git fsck")
		}
		from = end + 1
	}
}

// packedRef is the value of a ref that has no file of its own. A ref may be
// packed between two looks: its file is gone only after packed-refs is in place,
// so looking there second misses nothing.
func (r *Repo) packedRef(name string) (string, error) {
	data, err := r.PackedRefsData()
	if err != nil {
		return "", err
	}
	return LookupPacked(data, name)
}
