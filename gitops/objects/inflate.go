package objects

import (
	"encoding/binary"
	"math/bits"
)

// What a table says of the bits that are next: how many of them the code takes in the low
// byte, and one of these.
const (
	isLiteral = 1 << 31 // the byte in bits 16 to 23
	isEnd     = 1 << 30 // of the block
	isLonger  = 1 << 29 // a table behind the first one: its place in bits 13 to 28, its bits in 8 to 12
	// else a base in bits 13 to 28 and in bits 8 to 12 how many bits are added to it; 0 is no code
)

const (
	literalBits  = 11
	distanceBits = 9
	longestCode  = 15
	longestMatch = 258
)

// codes is a table of Huffman codes: of 1<<first entries, and those for longer codes.
type codes struct {
	entries []uint32
	first   uint
}

// build makes the table of the codes with these lengths (RFC 1951, 3.2.2); what tells
// what each symbol stands for. It is false for lengths that are no whole set of codes.
func (c *codes) build(first uint, lengths []uint8, what func(symbol int) uint32) bool {
	var count, next [longestCode + 2]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	free := 1
	for n := 1; n <= longestCode; n++ {
		next[n+1] = (next[n] + count[n]) << 1
		free = free<<1 - count[n]
		if free < 0 {
			return false
		}
	}
	none, one := free == 1<<longestCode, count[1] == 1 && free == 1<<(longestCode-1)
	if free > 0 && !none && !one {
		return false
	}
	c.first = first
	c.entries = append(c.entries[:0], make([]uint32, 1<<first)...)
	mask := uint(1)<<first - 1
	var longest [1 << literalBits]uint8 // code among those that begin alike
	var reversed [288]uint16
	for s, n := range lengths {
		if n == 0 {
			continue
		}
		reversed[s] = bits.Reverse16(uint16(next[n])) >> (16 - n)
		next[n]++
		if uint(n) > first {
			at := uint(reversed[s]) & mask
			longest[at] = max(longest[at], n)
		}
	}
	for s, n := range lengths {
		if n == 0 {
			continue
		}
		code, length, word := uint(reversed[s]), uint(n), what(s)
		if word == 0 {
			continue
		}
		if length <= first {
			for i := code; i <= mask; i += 1 << length {
				c.entries[i] = word | uint32(length)
			}
			continue
		}
		at := code & mask
		more := uint(longest[at]) - first
		if c.entries[at] == 0 {
			c.entries[at] = isLonger | uint32(len(c.entries))<<13 | uint32(more)<<8 | uint32(first)
			c.entries = append(c.entries, make([]uint32, 1<<more)...)
		}
		begin := uint(c.entries[at] >> 13 & 0xffff)
		for i := code >> first; i < 1<<more; i += 1 << (length - first) {
			c.entries[begin+i] = word | uint32(length-first)
		}
	}
	return true
}

// What symbols above the literals, and those of distances, stand for (RFC 1951, 3.2.5).
func literalOrLength(s int) uint32 {
	switch {
	case s < 256:
		return isLiteral | uint32(s)<<16
	case s == 256:
		return isEnd
	case s < 265:
		return uint32(s-257+3) << 13
	case s < 285:
		more := uint32(s-261) / 4
		return (uint32(4+(s-261)%4)<<more+3)<<13 | more<<8
	case s == 285:
		return longestMatch << 13
	}
	return 0
}

func distance(s int) uint32 {
	switch {
	case s < 4:
		return uint32(s+1) << 13
	case s < 30:
		more := uint32(s-2) / 2
		return (uint32(2+s%2)<<more+1)<<13 | more<<8
	}
	return 0
}

// inflation is a stream that is inflated from memory into memory.
type inflation struct {
	in, out   []byte
	at, to    int    // in in and out
	held      uint64 // bits that come next, the low ones first
	n         uint   // how many of them count
	lit, dist codes
}

// deflateMost is how much longer than itself, at most, a stream may get.
const deflateMost = 1032

// inflateFrom is the size in bytes from which making the tables pays: they are larger
// than those of the reader for streams, and take longer to make.
const inflateFrom = 32 << 10

// inflateWhole is the size bytes that a stream in memory holds, nil where it is not whole
// or not worth it. Nothing is allocated on the word of a header alone.
//
// It is our own because the first patch of a large file waits for it: compress/zlib and
// klauspost/compress take nearly twice the time (BenchmarkInflate). The id of the object
// is held against the answer by whoever calls, and where it is nil the library decides.
func inflateWhole(stream []byte, size int64) []byte {
	if size < inflateFrom || size > sizedStep || size > deflateMost*int64(len(stream)) {
		return nil
	}
	out := make([]byte, size)
	if !inflateInto(out, stream) {
		return nil
	}
	return out
}

// inflateInto inflates a zlib stream (RFC 1950) into out, which is as long as what the
// stream holds; what follows it is let be. The checksum is not looked at: whoever calls
// it holds the bytes against the id of the object. It is false where the stream is not
// whole, or of another length; another reader then says why.
func inflateInto(out, in []byte) bool {
	if len(in) < 2 || in[0]&15 != 8 || in[1]&0x20 != 0 || (uint(in[0])<<8|uint(in[1]))%31 != 0 {
		return false
	}
	f := inflation{in: in, at: 2, out: out}
	for {
		last, ok := f.take(1)
		kind, ok2 := f.take(2)
		if !ok || !ok2 {
			return false
		}
		switch kind {
		case 0:
			ok = f.stored()
		case 1:
			ok = f.fixed() && f.block()
		case 2:
			ok = f.dynamic() && f.block()
		default:
			ok = false
		}
		if !ok {
			return false
		}
		if last == 1 {
			return f.to == len(f.out)
		}
	}
}

// fill holds at least 56 bits, or all that there are.
func (f *inflation) fill() {
	if f.at+8 <= len(f.in) {
		f.held |= binary.LittleEndian.Uint64(f.in[f.at:]) << f.n
		f.at += int(63-f.n) >> 3
		f.n |= 56
		return
	}
	for f.n <= 56 && f.at < len(f.in) {
		f.held |= uint64(f.in[f.at]) << f.n
		f.at++
		f.n += 8
	}
}

// take takes up to 16 bits.
func (f *inflation) take(n uint) (uint, bool) {
	if f.n < n {
		if f.fill(); f.n < n {
			return 0, false
		}
	}
	v := uint(f.held) & (1<<n - 1)
	f.held >>= n
	f.n -= n
	return v, true
}

// stored is a block of bytes as they are.
func (f *inflation) stored() bool {
	f.at -= int(f.n >> 3)
	f.held, f.n = 0, 0
	if f.at+4 > len(f.in) {
		return false
	}
	size := int(binary.LittleEndian.Uint16(f.in[f.at:]))
	if size != int(^binary.LittleEndian.Uint16(f.in[f.at+2:])) {
		return false
	}
	f.at += 4
	if size > len(f.in)-f.at || size > len(f.out)-f.to {
		return false
	}
	copy(f.out[f.to:], f.in[f.at:f.at+size])
	f.at, f.to = f.at+size, f.to+size
	return true
}
