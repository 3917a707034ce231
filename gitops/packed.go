package gitops

import (
	"bytes"
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

// LookupPacked finds one ref in the bytes of a packed-refs file, "" when it is
// not there. The file may hold 100,000 others: where its head says that it is sorted,
// as git's always does, it is searched by halves.
func LookupPacked(data []byte, name string) (string, error) {
	body, sorted := sortedBody(data)
	if !sorted {
		return scanPacked(data, name)
	}
	at, err := firstPacked(body, name)
	if err != nil || at == len(body) {
		return "", err
	}
	if oid, found, _ := packedLine(body[at:]); found == name {
		return oid, nil
	}
	return "", nil
}

// PackedBelow is PackedRefs for the names that begin with prefix: where the file says
// that it is sorted, the others cost nothing.
func PackedBelow(data []byte, prefix string, yield func(name, oid string) bool) error {
	body, sorted := sortedBody(data)
	if !sorted {
		return PackedRefs(data, func(name, oid string) bool {
			return !strings.HasPrefix(name, prefix) || yield(name, oid)
		})
	}
	at, err := firstPacked(body, prefix)
	for err == nil && at < len(body) {
		oid, name, ok := packedLine(body[at:])
		switch {
		case !ok:
			return damagedNear(prefix)
		case !strings.HasPrefix(name, prefix) || !yield(name, oid):
			return nil
		}
		at = nextRef(body, at, len(body))
	}
	return err
}

// PackedParts calls yield for every folder right below prefix, which ends in a slash,
// that holds packed refs; the refs of a folder are passed over where the file is sorted.
func PackedParts(data []byte, prefix string, yield func(part string)) error {
	body, sorted := sortedBody(data)
	if !sorted {
		return PackedBelow(data, prefix, func(name, _ string) bool {
			if part, _, deeper := strings.Cut(name[len(prefix):], "/"); deeper {
				yield(part)
			}
			return true
		})
	}
	for from := prefix; ; {
		at, err := firstPacked(body, from)
		if err != nil || at == len(body) {
			return err
		}
		_, name, ok := packedLine(body[at:])
		switch {
		case !ok:
			return damagedNear(prefix)
		case !strings.HasPrefix(name, prefix):
			return nil
		}
		part, _, deeper := strings.Cut(name[len(prefix):], "/")
		from = name + "\x00"
		if deeper {
			yield(part)
			from = prefix + part + "0" // the byte after the slash
		}
	}
}

// sortedBody is the file without its head, where that says that the rest is sorted.
func sortedBody(data []byte) (body []byte, sorted bool) {
	head, body, _ := bytes.Cut(data, []byte{'\n'})
	return body, bytes.HasPrefix(head, []byte("# pack-refs with:")) && bytes.Contains(head, []byte(" sorted"))
}

// packedLine is the ref of the first line of data; ok is false where it is none.
func packedLine(data []byte) (oid, name string, ok bool) {
	line, _, whole := bytes.Cut(data, []byte{'\n'})
	id, rest, ok := bytes.Cut(line, []byte{' '})
	return string(id), string(rest), whole && ok && hexID(id)
}

// firstPacked halves the sorted lines until it has the first ref whose name is not below
// name: where its line begins, or len(data). Lines that begin with ^ belong to the one
// before.
func firstPacked(data []byte, name string) (int, error) {
	lo, hi := 0, len(data)
	for lo < hi {
		start := bytes.LastIndexByte(data[lo:lo+(hi-lo)/2], '\n') + 1 + lo
		for start > lo && data[start] == '^' {
			start = bytes.LastIndexByte(data[lo:start-1], '\n') + 1 + lo
		}
		_, found, ok := packedLine(data[start:hi])
		switch {
		case !ok:
			return 0, damagedNear(name)
		case strings.Compare(found, name) >= 0:
			hi = start
		default:
			lo = nextRef(data, start, hi)
		}
	}
	return lo, nil
}

// nextRef is where the ref after the one at from begins, hi at most.
func nextRef(data []byte, from, hi int) int {
	for first := true; first || from < hi && data[from] == '^'; first = false {
		end := bytes.IndexByte(data[from:hi], '\n')
		if end < 0 {
			return hi
		}
		from += end + 1
	}
	return from
}

func damagedNear(name string) error {
	return model.Errorf(model.CodeFailed, "packed-refs is damaged near ref %s", name).WithHint("run git fsck")
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
