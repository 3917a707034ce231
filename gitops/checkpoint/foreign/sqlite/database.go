package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrFormat is what is not as SQLite writes it, or in a form that this room does not know.
var ErrFormat = errors.New("no SQLite database that can be read")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrFormat}, args...)...)
}

const (
	headerSize                = 100
	magic                     = "SQLite format 3\x00"
	smallestPage, largestPage = 512, 65536
)

// DB is a database as it was when it was opened. It is for one goroutine.
type DB struct {
	file     *os.File
	info     fs.FileInfo
	pageSize int
	usable   int // bytes of a page that hold content
	pages    int64
	log      *log // nil where there is none
}

// Open opens the database at path with the log beside it.
func Open(path string) (*DB, error) {
	f, info, err := openFile(path)
	if err != nil {
		return nil, err
	}
	db := &DB{file: f, info: info}
	if err := db.readHeader(); err != nil {
		f.Close()
		return nil, err
	}
	if db.log, err = openLog(path+"-wal", db.pageSize); err != nil {
		f.Close()
		return nil, err
	}
	// What the log has committed may be newer than the header, and longer.
	db.pages = info.Size() / int64(db.pageSize)
	if db.log != nil && db.log.pages > 0 {
		db.pages = db.log.pages
	}
	return db, nil
}

// openFile opens a file that is one: nothing here waits for a FIFO.
func openFile(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, bad("%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Close lets the files go.
func (db *DB) Close() error {
	if db.log != nil {
		db.log.file.Close()
	}
	return db.file.Close()
}

// Changed tells whether the files were rewritten since they were opened: then what was
// read may be of two states. What was only added to the log does not matter.
func (db *DB) Changed() bool {
	now, err := os.Stat(db.file.Name())
	if err != nil || !os.SameFile(now, db.info) || now.Size() != db.info.Size() || !now.ModTime().Equal(db.info.ModTime()) {
		return true
	}
	return db.log != nil && db.log.restarted()
}

func (db *DB) readHeader() error {
	var h [headerSize]byte
	if _, err := db.file.ReadAt(h[:], 0); err != nil {
		return bad("it is too short")
	}
	if !bytes.HasPrefix(h[:], []byte(magic)) {
		return bad("it does not begin as one")
	}
	db.pageSize = int(binary.BigEndian.Uint16(h[16:]))
	if db.pageSize == 1 {
		db.pageSize = largestPage
	}
	reserved := int(h[20])
	const leastUsable, utf8 = 480, 1
	switch encoding := binary.BigEndian.Uint32(h[56:]); {
	case db.pageSize < smallestPage || db.pageSize&(db.pageSize-1) != 0:
		return bad("pages of %d bytes", db.pageSize)
	case db.pageSize-reserved < leastUsable:
		return bad("%d bytes of a page are reserved", reserved)
	case encoding > utf8:
		return bad("its text is not UTF-8")
	}
	db.usable = db.pageSize - reserved
	return nil
}

// page reads a page, by number from 1.
func (db *DB) page(n uint32) ([]byte, error) {
	if n == 0 || int64(n) > db.pages {
		return nil, bad("there is no page %d", n)
	}
	data := make([]byte, db.pageSize)
	if db.log != nil {
		if at, ok := db.log.frames[n]; ok {
			_, err := db.log.file.ReadAt(data, at)
			return data, whole(err)
		}
	}
	_, err := db.file.ReadAt(data, int64(n-1)*int64(db.pageSize))
	return data, whole(err)
}

func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return bad("it is cut short")
	}
	return err
}
