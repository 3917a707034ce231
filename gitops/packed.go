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

// LookupPacked finds one ref in a packed-refs file, "" when it is not there. The file
// may hold 100,000 others: where its head says that it is sorted, as git's always does,
// it is searched by halves.
func LookupPacked(p *Packed, name string) (string, error) {
	begin, sorted, err := p.sortedBody()
	if err != nil {
		return "", err
	}
	if !sorted {
		data, err := p.Bytes()
		if err != nil {
			return "", err
		}
		return scanPacked(data, name)
	}
	at, err := p.first(begin, name)
	if err != nil || at == p.size {
		return "", err
	}
	oid, found, _, err := p.ref(at, p.size)
	if err != nil || found != name {
		return "", err
	}
	return oid, nil
}

// PackedBelow is PackedRefs for the names that begin with prefix: where the file says
// that it is sorted, the others cost nothing.
func PackedBelow(p *Packed, prefix string, yield func(name, oid string) bool) error {
	begin, sorted, err := p.sortedBody()
	if err != nil {
		return err
	}
	if !sorted {
		data, err := p.Bytes()
		if err != nil {
			return err
		}
		return PackedRefs(data, func(name, oid string) bool {
			return !strings.HasPrefix(name, prefix) || yield(name, oid)
		})
	}
	at, err := p.first(begin, prefix)
	for err == nil && at < p.size {
		oid, name, ok, err := p.ref(at, p.size)
		switch {
		case err != nil:
			return err
		case !ok:
			return damagedNear(prefix)
		case !strings.HasPrefix(name, prefix) || !yield(name, oid):
			return nil
		}
		if at, err = p.next(at, p.size); err != nil {
			return err
		}
	}
	return err
}

// PackedParts calls yield for every folder right below prefix, which ends in a slash,
// that holds packed refs; the refs of a folder are passed over where the file is sorted.
func PackedParts(p *Packed, prefix string, yield func(part string)) error {
	begin, sorted, err := p.sortedBody()
	if err != nil {
		return err
	}
	if !sorted {
		return PackedBelow(p, prefix, func(name, _ string) bool {
			if part, _, deeper := strings.Cut(name[len(prefix):], "/"); deeper {
				yield(part)
			}
			return true
		})
	}
	for from := prefix; ; {
		at, err := p.first(begin, from)
		if err != nil || at == p.size {
			return err
		}
		_, name, ok, err := p.ref(at, p.size)
		switch {
		case err != nil:
			return err
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

// sortedBody is where the refs begin behind the file's head; sorted is whether that says
// so of them.
func (p *Packed) sortedBody() (begin int, sorted bool, err error) {
	head, begin, _, err := p.line(0, p.size)
	return begin, bytes.HasPrefix(head, []byte("# pack-refs with:")) && bytes.Contains(head, []byte(" sorted")), err
}

// ref is the ref of the line that begins at from; ok is false where it is none, or does
// not end before hi.
func (p *Packed) ref(from, hi int) (oid, name string, ok bool, err error) {
	line, _, whole, err := p.line(from, hi)
	id, rest, ok := bytes.Cut(line, []byte{' '})
	return string(id), string(rest), whole && ok && hexID(id), err
}

// first halves the sorted lines behind lo until it has the first ref whose name is not
// below name: where its line begins, or the end of the file. Lines that begin with ^
// belong to the one before.
func (p *Packed) first(lo int, name string) (int, error) {
	for hi := p.size; lo < hi; {
		start, err := p.lineStart(lo, lo+(hi-lo)/2)
		for err == nil && start > lo && p.peeled(start) {
			start, err = p.lineStart(lo, start-1)
		}
		if err != nil {
			return 0, err
		}
		_, found, ok, err := p.ref(start, hi)
		switch {
		case err != nil:
			return 0, err
		case !ok:
			return 0, damagedNear(name)
		case strings.Compare(found, name) >= 0:
			hi = start
		default:
			if lo, err = p.next(start, hi); err != nil {
				return 0, err
			}
		}
	}
	return lo, nil
}

// peeled tells of a line that says to what the ref before it leads.
func (p *Packed) peeled(at int) bool {
	b, err := p.span(at, at+1)
	return err == nil && b[0] == '^'
}

// next is where the ref after the one at from begins, hi at most.
func (p *Packed) next(from, hi int) (int, error) {
	for first := true; first || from < hi && p.peeled(from); first = false {
		var err error
		if _, from, _, err = p.line(from, hi); err != nil {
			return 0, err
		}
	}
	return from, nil
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
