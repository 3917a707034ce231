package gitops

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

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
// not there. The file may hold 100,000 others: where its head says that it is sorted,
// as git's always does, it is searched by halves.
func LookupPacked(data []byte, name string) (string, error) {
	head, body, _ := bytes.Cut(data, []byte{'\n'})
	if bytes.HasPrefix(head, []byte("# pack-refs with:")) && bytes.Contains(head, []byte(" sorted")) {
		return searchPacked(body, name)
	}
	return scanPacked(data, name)
}

// searchPacked halves the lines. Those that begin with ^ belong to the one before.
func searchPacked(data []byte, name string) (string, error) {
	for lo, hi := 0, len(data); lo < hi; {
		start := bytes.LastIndexByte(data[lo:lo+(hi-lo)/2], '\n') + 1 + lo
		for start > lo && data[start] == '^' {
			start = bytes.LastIndexByte(data[lo:start-1], '\n') + 1 + lo
		}
		line, _, whole := bytes.Cut(data[start:hi], []byte{'\n'})
		end := start + len(line)
		oid, found, ok := bytes.Cut(line, []byte{' '})
		if !whole || !ok || !hexID(oid) {
			return "", model.Errorf(model.CodeFailed, "packed-refs is damaged near ref %s", name).WithHint("run git fsck")
		}
		switch c := strings.Compare(name, string(found)); {
		case c == 0:
			return string(oid), nil
		case c < 0:
			hi = start
		default:
			for lo = end + 1; lo < hi && data[lo] == '^'; lo++ {
				next := bytes.IndexByte(data[lo:hi], '\n')
				if next < 0 {
					next = hi - lo - 1
				}
				lo += next
			}
		}
	}
	return "", nil
}

// scanPacked looks for the name from the front.
func scanPacked(data []byte, name string) (string, error) {
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
