package objects

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
)

// packIndex is an .idx file of version 2 in memory or mapped. Format:
// gitformat-pack(5): magic, version, 256 counts, ids, CRC-32s, offsets, long offsets.
type packIndex struct {
	data     []byte
	hashSize int
	count    int
}

const (
	idxMagic      = "\xfftOc\x00\x00\x00\x02"
	idxFanoutSize = 256 * 4
)

var errIndex = errors.New("the pack's index is damaged or of another version")

// newIndex checks the frame of an index, so that lookups stay inside it.
func newIndex(data []byte, hashSize int) (*packIndex, error) {
	x := &packIndex{data: data, hashSize: hashSize}
	if len(data) < len(idxMagic)+idxFanoutSize+2*hashSize || string(data[:len(idxMagic)]) != idxMagic {
		return nil, errIndex
	}
	for i, last := 0, uint32(0); i < 256; i++ {
		n := x.fanout(i)
		if n < last {
			return nil, fmt.Errorf("%w: its counts fall", errIndex)
		}
		last = n
	}
	x.count = int(x.fanout(255))
	if x.offsets()+4*x.count+2*hashSize > len(data) {
		return nil, fmt.Errorf("%w: it is cut short", errIndex)
	}
	return x, nil
}

func (x *packIndex) fanout(i int) uint32 {
	return binary.BigEndian.Uint32(x.data[len(idxMagic)+4*i:])
}

func (x *packIndex) ids() int     { return len(idxMagic) + idxFanoutSize }
func (x *packIndex) offsets() int { return x.ids() + x.count*(x.hashSize+4) }

func (x *packIndex) crc(i int) uint32 {
	return binary.BigEndian.Uint32(x.data[x.ids()+x.count*x.hashSize+4*i:])
}

// find returns the object's offset in the pack.
func (x *packIndex) find(raw []byte) (int64, bool, error) {
	lo, hi := 0, int(x.fanout(int(raw[0])))
	if raw[0] > 0 {
		lo = int(x.fanout(int(raw[0]) - 1))
	}
	first := binary.BigEndian.Uint64(raw)
	for lo < hi {
		mid := (lo + hi) / 2
		at := x.ids() + mid*x.hashSize
		// Ids as good as never begin with the same eight bytes.
		c := cmp.Compare(binary.BigEndian.Uint64(x.data[at:]), first)
		if c == 0 {
			c = bytes.Compare(x.data[at:at+x.hashSize], raw)
		}
		switch {
		case c == 0:
			offset, err := x.offset(mid)
			return offset, err == nil, err
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false, nil
}

func (x *packIndex) offset(i int) (int64, error) {
	short := binary.BigEndian.Uint32(x.data[x.offsets()+4*i:])
	if short&(1<<31) == 0 {
		return int64(short), nil
	}
	at := x.offsets() + 4*x.count + 8*int(short&^(1<<31))
	if at+8+2*x.hashSize > len(x.data) {
		return 0, fmt.Errorf("%w: an offset lies outside", errIndex)
	}
	long := binary.BigEndian.Uint64(x.data[at:])
	if long > 1<<62 {
		return 0, fmt.Errorf("%w: an offset is too large", errIndex)
	}
	return int64(long), nil
}
