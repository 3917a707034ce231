package sqlite

import (
	"encoding/binary"
)

const (
	interiorTable = 0x05
	leafTable     = 0x0d
	deepest       = 40      // levels of a tree
	largestRecord = 8 << 20 // bytes; a larger one is passed over
)

// walk reads a tree of records, in order of their row ids.
type walk struct {
	db   *DB
	seen map[uint32]bool
	each func(payload []byte) (more bool, err error)
}

// tree hands out the records of the table whose root is a page.
func (db *DB) tree(root uint32, each func(payload []byte) (bool, error)) error {
	w := &walk{db: db, seen: map[uint32]bool{}, each: each}
	_, err := w.node(root, 0)
	return err
}

func (w *walk) node(n uint32, depth int) (more bool, err error) {
	if w.seen[n] || depth > deepest {
		return false, bad("page %d is in a tree twice", n)
	}
	w.seen[n] = true
	page, err := w.db.page(n)
	if err != nil {
		return false, err
	}
	head := 0
	if n == 1 {
		head = headerSize
	}
	kind, cells := page[head], int(binary.BigEndian.Uint16(page[head+3:]))
	pointers := head + 8
	if kind == interiorTable {
		pointers += 4
	} else if kind != leafTable {
		return false, bad("page %d is of kind %d", n, kind)
	}
	if pointers+2*cells > len(page) {
		return false, bad("page %d has %d cells", n, cells)
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[pointers+2*i:]))
		if kind == interiorTable {
			if at+4 > len(page) {
				return false, bad("a cell of page %d is outside of it", n)
			}
			more, err = w.node(binary.BigEndian.Uint32(page[at:]), depth+1)
		} else {
			more, err = w.leaf(page, at)
		}
		if err != nil || !more {
			return more, err
		}
	}
	if kind == interiorTable {
		return w.node(binary.BigEndian.Uint32(page[head+8:]), depth+1)
	}
	return true, nil
}

// leaf hands out one record.
func (w *walk) leaf(page []byte, at int) (bool, error) {
	if at >= w.db.usable {
		return false, bad("a record is outside of its page")
	}
	rest := page[at:w.db.usable]
	size, n := varint(rest)
	_, m := varint(rest[n:])
	if n == 0 || m == 0 {
		return false, bad("a record is cut short")
	}
	if size > largestRecord {
		return true, nil
	}
	payload, err := w.payload(rest[n+m:], int(size))
	if err != nil {
		return false, err
	}
	return w.each(payload)
}

// payload is a record with what of it lies in overflow pages.
func (w *walk) payload(rest []byte, size int) ([]byte, error) {
	local, most := size, w.db.usable-35
	if size > most {
		least := (w.db.usable-12)*32/255 - 23
		if local = least + (size-least)%(w.db.usable-4); local > most {
			local = least
		}
	}
	if local > len(rest) {
		return nil, bad("a record is cut short")
	}
	data := append(make([]byte, 0, size), rest[:local]...)
	if local == size {
		return data, nil
	}
	if len(rest) < local+4 {
		return nil, bad("a record is cut short")
	}
	for next := binary.BigEndian.Uint32(rest[local:]); len(data) < size; {
		if w.seen[next] {
			return nil, bad("page %d is in a tree twice", next)
		}
		w.seen[next] = true
		page, err := w.db.page(next)
		if err != nil {
			return nil, err
		}
		next = binary.BigEndian.Uint32(page)
		data = append(data, page[4:4+min(size-len(data), w.db.usable-4)]...)
	}
	return data, nil
}

// varint reads SQLite's number of one to nine bytes; n is 0 where it is cut short.
func varint(b []byte) (v uint64, n int) {
	const longest = 9
	for n < len(b) && n < longest {
		c := b[n]
		n++
		if n == longest {
			return v<<8 | uint64(c), n
		}
		if v = v<<7 | uint64(c&0x7f); c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
