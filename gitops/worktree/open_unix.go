//go:build linux || darwin

package worktree

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// opened is a regular file that is open for reading. It is read by the system's calls
// alone: a rollback opens each of its files several times, and an os.File makes four
// more calls for each, and garbage.
type opened struct {
	fd   int
	path model.Path
	st   unix.Stat_t
}

// blockSize is how much of a file is hashed at a time, in bytes.
const blockSize = 64 << 10

// newBlocks is where hash takes the room to read from, so that it is made once for
// each of the files that are read at the same time.
func newBlocks() *sync.Pool {
	return &sync.Pool{New: func() any { return new([blockSize]byte) }}
}

// hash is the state of the file; size and hash speak of the same bytes.
func (f opened) hash(blocks *sync.Pool) (model.FileState, error) {
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	sum := sha256.New()
	for size := int64(0); ; {
		n, err := f.next(block[:])
		if err != nil {
			return model.FileState{}, err
		}
		if n == 0 {
			return f.state(size, sum), nil
		}
		sum.Write(block[:n])
		size += int64(n)
	}
}

// read is hash with the bytes, of which there may be limit, when that is not 0.
func (f opened) read(limit int64) ([]byte, model.FileState, error) {
	tooLarge := model.FileState{Kind: model.KindFile, Mode: modeText(uint32(f.st.Mode)), Size: f.st.Size}
	if limit > 0 && f.st.Size > limit {
		return nil, tooLarge, ErrTooLarge
	}
	data := make([]byte, 0, f.st.Size+1) // one more, to see the end
	for {
		data = slices.Grow(data, 1)
		n, err := f.next(data[len(data):cap(data)])
		if err != nil {
			return nil, model.FileState{}, err
		}
		data = data[:len(data)+n]
		if limit > 0 && int64(len(data)) > limit {
			return nil, tooLarge, ErrTooLarge
		}
		if n == 0 {
			break
		}
	}
	sum := sha256.New()
	sum.Write(data)
	return data, f.state(int64(len(data)), sum), nil
}

// next reads on, and 0 bytes at the end.
func (f opened) next(into []byte) (int, error) {
	n, err := retry(func() (int, error) { return unix.Read(f.fd, into) })
	if err != nil {
		return 0, model.Failf(err, "cannot read %q", string(f.path))
	}
	return n, nil
}

func (f opened) state(size int64, sum hash.Hash) model.FileState {
	return model.FileState{
		Kind: model.KindFile, Mode: modeText(uint32(f.st.Mode)), Size: size,
		SHA256: hex.EncodeToString(sum.Sum(nil)),
	}
}
