package objects

import "encoding/binary"

// fixed makes the tables of a block that brings none (RFC 1951, 3.2.6).
func (f *inflation) fixed() bool {
	var lengths [288]uint8
	for s := range lengths {
		switch {
		case s < 144, s >= 280:
			lengths[s] = 8
		case s < 256:
			lengths[s] = 9
		default:
			lengths[s] = 7
		}
	}
	var distances [32]uint8
	for s := range distances {
		distances[s] = 5
	}
	return f.lit.build(literalBits, lengths[:], literalOrLength) && f.dist.build(distanceBits, distances[:], distance)
}

// dynamic reads the tables that a block brings (RFC 1951, 3.2.7).
func (f *inflation) dynamic() bool {
	nLit, ok1 := f.take(5)
	nDist, ok2 := f.take(5)
	nCode, ok3 := f.take(4)
	if !ok1 || !ok2 || !ok3 || nLit > 29 || nDist > 29 {
		return false
	}
	var order = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	var of [19]uint8
	for i := range nCode + 4 {
		n, ok := f.take(3)
		if !ok {
			return false
		}
		of[order[i]] = uint8(n)
	}
	const codeBits = 7
	if !f.dist.build(codeBits, of[:], func(s int) uint32 { return isLiteral | uint32(s)<<16 }) {
		return false
	}
	var lengths [286 + 30]uint8
	all := int(nLit+257) + int(nDist+1)
	for i := 0; i < all; {
		f.fill()
		e := f.dist.entries[f.held&(1<<codeBits-1)]
		if _, ok := f.take(uint(e & 0xff)); !ok || e == 0 {
			return false
		}
		s, again, more := e>>16&0xff, uint(1), uint(0)
		var value uint8
		switch s {
		default:
			value = uint8(s)
		case 16:
			if i == 0 {
				return false
			}
			value, again, more = lengths[i-1], 3, 2
		case 17:
			again, more = 3, 3
		case 18:
			again, more = 11, 7
		}
		n, ok := f.take(more)
		if again += n; !ok || i+int(again) > all {
			return false
		}
		for range again {
			lengths[i] = value
			i++
		}
	}
	lit := int(nLit + 257)
	return lengths[256] != 0 && f.lit.build(literalBits, lengths[:lit], literalOrLength) && f.dist.build(distanceBits, lengths[lit:all], distance)
}

// block inflates what the tables are for: with room to spare as fast as it goes, the
// rest step by step.
func (f *inflation) block() bool {
	for {
		end, ok := f.quick()
		if !ok || end {
			return ok
		}
		if end, ok = f.step(); !ok || end {
			return ok
		}
	}
}

// Room that quick keeps: a match may be copied eight bytes at a time, and each look
// ahead reads eight.
const (
	quickIn  = 16
	quickOut = 2*longestMatch + 16
)

// quick goes on to the end of the block, or to where there is no room to spare.
func (f *inflation) quick() (end, ok bool) {
	in, out, at, to, held, n := f.in, f.out, f.at, f.to, f.held, f.n
	lit, dist := f.lit.entries, f.dist.entries
	ok = true
	for at+quickIn <= len(in) && to+quickOut <= len(out) {
		held |= binary.LittleEndian.Uint64(in[at:]) << (n & 63)
		at += int(63-n) >> 3
		n |= 56
		e := lit[held&(1<<literalBits-1)]
		if e&isLiteral != 0 { // three codes of the first table are 33 bits
			out[to] = byte(e >> 16)
			held, n = held>>(e&63), n-uint(e&63)
			e = lit[held&(1<<literalBits-1)]
			if e&isLiteral != 0 {
				out[to+1] = byte(e >> 16)
				held, n = held>>(e&63), n-uint(e&63)
				e = lit[held&(1<<literalBits-1)]
				if e&isLiteral != 0 {
					out[to+2] = byte(e >> 16)
					held, n = held>>(e&63), n-uint(e&63)
					to += 3
					continue
				}
				to++
			}
			to++
			held |= binary.LittleEndian.Uint64(in[at:]) << (n & 63)
			at += int(63-n) >> 3
			n |= 56
		}
		if e&isLonger != 0 {
			held, n = held>>(e&63), n-uint(e&63)
			e = lit[uint64(e>>13&0xffff)+held&(1<<(e>>8&31)-1)]
			if e&isLiteral != 0 {
				out[to] = byte(e >> 16)
				held, n = held>>(e&63), n-uint(e&63)
				to++
				continue
			}
		}
		if e&0xff == 0 {
			ok = false
			break
		}
		held, n = held>>(e&63), n-uint(e&63)
		if e&isEnd != 0 {
			end = true
			break
		}
		more := e >> 8 & 31
		size := int(e>>13&0xffff) + int(held&(1<<more-1))
		held, n = held>>more, n-uint(more)
		e = dist[held&(1<<distanceBits-1)]
		if e&isLonger != 0 {
			held, n = held>>(e&63), n-uint(e&63)
			e = dist[uint64(e>>13&0xffff)+held&(1<<(e>>8&31)-1)]
		}
		if e&0xff == 0 {
			ok = false
			break
		}
		held, n = held>>(e&63), n-uint(e&63)
		more = e >> 8 & 31
		back := int(e>>13&0xffff) + int(held&(1<<more-1))
		held, n = held>>more, n-uint(more)
		if back > to {
			ok = false
			break
		}
		if back >= 8 {
			from := to - back
			for i := 0; i < size; i += 8 {
				binary.LittleEndian.PutUint64(out[to+i:], binary.LittleEndian.Uint64(out[from+i:]))
			}
		} else {
			for i := to; i < to+size; i++ {
				out[i] = out[i-back]
			}
		}
		to += size
	}
	f.at, f.to, f.held, f.n = at, to, held, n
	return end, ok
}

// step inflates one literal or match, or the end of the block.
func (f *inflation) step() (end, ok bool) {
	e, ok := f.code(&f.lit)
	switch {
	case !ok:
		return false, false
	case e&isEnd != 0:
		return true, true
	case e&isLiteral != 0:
		if f.to == len(f.out) {
			return false, false
		}
		f.out[f.to] = byte(e >> 16)
		f.to++
		return false, true
	}
	more, ok := f.take(uint(e >> 8 & 31))
	if !ok {
		return false, false
	}
	size := int(e>>13&0xffff) + int(more)
	if e, ok = f.code(&f.dist); !ok {
		return false, false
	}
	if more, ok = f.take(uint(e >> 8 & 31)); !ok {
		return false, false
	}
	back := int(e>>13&0xffff) + int(more)
	if back > f.to || size > len(f.out)-f.to {
		return false, false
	}
	for range size {
		f.out[f.to] = f.out[f.to-back]
		f.to++
	}
	return false, true
}

// code takes one code of a table.
func (f *inflation) code(c *codes) (uint32, bool) {
	f.fill()
	e := c.entries[f.held&(1<<c.first-1)]
	if e&isLonger != 0 {
		if _, ok := f.take(uint(e & 0xff)); !ok {
			return 0, false
		}
		e = c.entries[uint64(e>>13&0xffff)+f.held&(1<<(e>>8&31)-1)]
	}
	if e&0xff == 0 {
		return 0, false
	}
	_, ok := f.take(uint(e & 0xff))
	return e, ok
}
