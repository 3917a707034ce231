package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

const (
	logHeaderSize   = 32
	frameHeaderSize = 24
	logMagic        = 0x377f0682 // its last bit: sums are of big-endian words
	logFormat       = 3007000
	mostLog         = 1 << 30 // bytes; a log of that size is not looked through
)

// log is the write-ahead log: where the newest committed version of a page is.
type log struct {
	file   *os.File
	header [logHeaderSize]byte
	frames map[uint32]int64
	pages  int64 // of the database after the last commit, 0 where none is in the log
}

// openLog reads the frames of a log up to its last commit; nil where there is no log, or
// an empty one.
func openLog(path string, pageSize int) (*log, error) {
	f, info, err := openFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &log{file: f, frames: map[uint32]int64{}}
	if info.Size() < logHeaderSize {
		f.Close()
		return nil, nil
	}
	if err := l.read(info.Size(), pageSize); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

func (l *log) read(size int64, pageSize int) error {
	if size > mostLog {
		return bad("its log has %d bytes", size)
	}
	if _, err := l.file.ReadAt(l.header[:], 0); err != nil {
		return whole(err)
	}
	h := l.header[:]
	word := func(at int) uint32 { return binary.BigEndian.Uint32(h[at:]) }
	if word(0)&^1 != logMagic || word(4) != logFormat || int(word(8)) != pageSize {
		return bad("its log is none of this database")
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if word(0)&1 == 1 {
		order = binary.BigEndian
	}
	sum := checksum(order, [2]uint32{}, h[:24])
	if sum != [2]uint32{word(24), word(28)} {
		return nil // its writer was cut short: nothing in it was committed
	}
	return l.readFrames(order, sum, pageSize)
}

// readFrames takes frames until one is of an older log or cut short.
func (l *log) readFrames(order binary.ByteOrder, sum [2]uint32, pageSize int) error {
	frame := make([]byte, frameHeaderSize+pageSize)
	open := map[uint32]int64{} // not committed yet
	for at := int64(logHeaderSize); ; at += int64(len(frame)) {
		if _, err := l.file.ReadAt(frame, at); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if !bytes.Equal(frame[8:16], l.header[16:24]) {
			return nil
		}
		sum = checksum(order, checksum(order, sum, frame[:8]), frame[frameHeaderSize:])
		if sum != [2]uint32{binary.BigEndian.Uint32(frame[16:]), binary.BigEndian.Uint32(frame[20:])} {
			return nil
		}
		open[binary.BigEndian.Uint32(frame)] = at + frameHeaderSize
		if pages := binary.BigEndian.Uint32(frame[4:]); pages > 0 {
			for n, where := range open {
				l.frames[n] = where
			}
			l.pages = int64(pages)
			clear(open)
		}
	}
}

// checksum goes on with the sum of pairs of words.
func checksum(order binary.ByteOrder, sum [2]uint32, data []byte) [2]uint32 {
	for ; len(data) >= 8; data = data[8:] {
		sum[0] += order.Uint32(data) + sum[1]
		sum[1] += order.Uint32(data[4:]) + sum[0]
	}
	return sum
}

// restarted tells whether the log was begun anew: its old frames are being overwritten.
func (l *log) restarted() bool {
	var now [logHeaderSize]byte
	_, err := l.file.ReadAt(now[:], 0)
	return err != nil || now != l.header
}
