package snapshot

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strconv"
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
