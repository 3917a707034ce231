package gitops

import (
	"bytes"
	"io"
	"sync"

	"overturn/model"
)

// Packed is a packed-refs file as it was when it was opened. A long one is read where
// it is looked at: with 10,000 turns it has megabytes, of which a verb looks at a few
// lines. It may be used by several goroutines.
type Packed struct {
	size int

	mu     sync.Mutex
	data   []byte         // all of it, where it is not read in blocks
	file   io.ReaderAt    // what blocks are read from, nil once data is all
	blocks map[int][]byte // that were looked at, by their number
}

const (
	packedWhole = 64 << 10 // a file of up to this many bytes is read at once
	packedBlock = 8 << 10
	packedStep  = 512 // most lines are shorter
)

// PackedOf is a file with these bytes.
func PackedOf(data []byte) *Packed { return &Packed{size: len(data), data: data} }

// openPacked opens a packed-refs file that had so many bytes a moment ago.
func openPacked(name string, size int64) (*Packed, error) {
	if size > packedWhole {
		if file, size, err := openToLookAt(name); err != nil || file != nil {
			return &Packed{size: int(size), file: file, blocks: map[int][]byte{}}, err
		}
	}
	data, err := ReadFile(name)
	return PackedOf(data), err
}

// Bytes is all of the file. It must not be written to.
func (p *Packed) Bytes() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		data := make([]byte, p.size)
		if err := p.read(data, 0); err != nil {
			return nil, err
		}
		p.data, p.file, p.blocks = data, nil, nil
	}
	return p.data, nil
}

func (p *Packed) read(into []byte, from int) error {
	if n, err := p.file.ReadAt(into, int64(from)); n < len(into) {
		return model.Failf(err, "cannot read packed-refs")
	}
	return nil
}

// span is the bytes from lo up to hi.
func (p *Packed) span(lo, hi int) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return p.data[lo:hi], nil
	}
	var joined []byte
	for at := lo; at < hi; {
		n := at / packedBlock
		block, known := p.blocks[n]
		if !known {
			block = make([]byte, min(packedBlock, p.size-n*packedBlock))
			if err := p.read(block, n*packedBlock); err != nil {
				return nil, err
			}
			p.blocks[n] = block
		}
		part := block[at-n*packedBlock : min(len(block), hi-n*packedBlock)]
		if len(part) == hi-lo {
			return part, nil
		}
		joined = append(joined, part...)
		at += len(part)
	}
	return joined, nil
}

// lineStart is where the line begins that the byte before at ends or lies in, lo at
// least.
func (p *Packed) lineStart(lo, at int) (int, error) {
	for at > lo {
		from := max(lo, at-packedStep)
		part, err := p.span(from, at)
		if err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + i + 1, nil
		}
		at = from
	}
	return lo, nil
}

// line is the line that begins at from and where the one after it does; it is whole
// where it ends before hi.
func (p *Packed) line(from, hi int) (line []byte, next int, whole bool, err error) {
	for step := packedStep; ; step *= 2 {
		to := min(hi, from+step)
		part, err := p.span(from, to)
		if err != nil {
			return nil, 0, false, err
		}
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			return part[:i], from + i + 1, true, nil
		}
		if to == hi {
			return part, hi, false, nil
		}
	}
}
