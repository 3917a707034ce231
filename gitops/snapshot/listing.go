package snapshot

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strconv"

	"overturn/model"
)

// indexEntry is one entry of the user's index.
type indexEntry struct {
	path  []byte
	mode  uint32
	oid   oid
	stage int
	flags uint32
	stat  fileStat // size and inode cut to 32 bits; mode is indexMode's
}

// Bits of indexEntry.flags, as git's cache.h has them.
const (
	indexSkip   = 1 << 30 // CE_SKIP_WORKTREE
	indexIntent = 1 << 29 // CE_INTENT_TO_ADD
)

var errListing = errors.New("git ls-files printed something unexpected")

// listIndex has git list the user's index. The stat that git keeps comes in a format
// that its manual does not promise; where it is not the one known here, the index is
// listed without, and nothing is taken for unchanged: every file is read.
func (c *capture) listIndex() (listing, error) {
	out, err := c.e.repo.Git(c.ctx, "ls-files", "--stage", "--debug", "-z")
	if err != nil {
		return listing{}, model.Failf(err, "cannot read the index")
	}
	full := listing{out: out}
	if full.begins() {
		return full, nil
	}
	c.distrust = true
	out, err = c.e.repo.Git(c.ctx, "ls-files", "--stage", "-v", "-z")
	if err != nil {
		return listing{}, model.Failf(err, "cannot read the index")
	}
	return listing{out: out, bare: true}, nil
}

// listing is what git printed of the index; bare, without stat.
type listing struct {
	out  []byte
	bare bool
}

// begins tells whether the first entry, of whose kind all are, can be read.
func (l listing) begins() bool {
	enough := errors.New("enough")
	err := l.each(func(*indexEntry) error { return enough })
	return err == nil || errors.Is(err, enough)
}

func (l listing) each(yield func(*indexEntry) error) error {
	if l.bare {
		return parseBare(l.out, yield)
	}
	return parseListing(l.out, yield)
}

// parseBare reads what `git ls-files --stage -v -z` prints: a tag, a space, then as
// parseListing has it up to the NUL. It does not tell an intent to add from an
// empty file.
func parseBare(b []byte, yield func(*indexEntry) error) error {
	for len(b) > 0 {
		var e indexEntry
		end := bytes.IndexByte(b, 0)
		if end < 2 || b[1] != ' ' || !parseStage(b[2:end], &e) {
			return errListing
		}
		if b[0] == 'S' || b[0] == 's' {
			e.flags = indexSkip
		}
		e.stat.mode, e.stat.mtime = indexMode(e.mode), -1
		if err := yield(&e); err != nil {
			return err
		}
		b = b[end+1:]
	}
	return nil
}

// parseListing reads what `git ls-files --stage --debug -z` prints: for each
// entry "mode id stage TAB path NUL", then five lines of numbers. The slices that
// yield gets are those of b.
func parseListing(b []byte, yield func(*indexEntry) error) error {
	var e indexEntry
	for len(b) > 0 {
		end := bytes.IndexByte(b, 0)
		if end < 0 || !parseStage(b[:end], &e) {
			return errListing
		}
		var ok bool
		if b, ok = parseDebug(b[end+1:], &e); !ok {
			return errListing
		}
		if err := yield(&e); err != nil {
			return err
		}
	}
	return nil
}

// parseStage reads "mode id stage TAB path".
func parseStage(b []byte, e *indexEntry) bool {
	tab := bytes.IndexByte(b, '\t')
	if tab < 9 || b[6] != ' ' || b[tab-2] != ' ' || b[tab-1] < '0' || b[tab-1] > '3' || tab == len(b)-1 {
		return false
	}
	mode, err := strconv.ParseUint(string(b[:6]), 8, 32)
	id := b[7 : tab-2]
	if err != nil || len(id) > 2*len(e.oid) {
		return false
	}
	e.oid = oid{}
	if _, err := hex.Decode(e.oid[:], id); err != nil {
		return false
	}
	e.mode, e.stage, e.path = uint32(mode), int(b[tab-1]-'0'), b[tab+1:]
	return true
}

// parseDebug reads the numbers of one entry:
//
//	ctime: S:NS / mtime: S:NS / dev: N TAB ino: N / uid: N TAB gid: N / size: N TAB flags: HEX
func parseDebug(b []byte, e *indexEntry) ([]byte, bool) {
	var sec, nsec, number uint64
	ok := true
	read := func(before string, base uint64, to *uint64) {
		rest, found := bytes.CutPrefix(b, []byte(before))
		n := 0
		*to = 0
		for ; n < len(rest) && n < 20; n++ {
			digit, is := digitOf(rest[n], base)
			if !is {
				break
			}
			*to = *to*base + digit
		}
		ok = ok && found && n > 0
		if ok {
			b = rest[n:]
		}
	}
	read("  ctime: ", 10, &sec)
	read(":", 10, &nsec)
	e.stat.ctime = int64(sec)*1e9 + int64(nsec)
	read("\n  mtime: ", 10, &sec)
	read(":", 10, &nsec)
	e.stat.mtime = int64(sec)*1e9 + int64(nsec)
	read("\n  dev: ", 10, &number)
	read("\tino: ", 10, &e.stat.ino)
	read("\n  uid: ", 10, &number)
	read("\tgid: ", 10, &number)
	read("\n  size: ", 10, &number)
	e.stat.size = int64(number)
	read("\tflags: ", 16, &number)
	e.flags, e.stat.mode = uint32(number), indexMode(e.mode)
	if !ok || len(b) == 0 || b[0] != '\n' {
		return nil, false
	}
	return b[1:], true
}

func digitOf(c byte, base uint64) (uint64, bool) {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0'), true
	case base == 16 && c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10, true
	}
	return 0, false
}
