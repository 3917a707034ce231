package objects

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand"
	"testing"
)

// inflatable are contents of which deflate makes streams of every kind.
func inflatable(r *rand.Rand) []byte {
	size := r.Intn(1 << r.Intn(19))
	data := make([]byte, 0, size)
	words := []string{"func ", "return ", "value", "\n", "\t", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\x00"}
	for len(data) < size {
		switch r.Intn(6) {
		case 0:
			data = append(data, byte(r.Intn(256)))
		case 1:
			data = append(data, bytes.Repeat([]byte{byte(r.Intn(4))}, r.Intn(600))...)
		case 2:
			if n := len(data); n > 0 {
				from := r.Intn(n)
				data = append(data, data[from:min(n, from+r.Intn(400))]...)
			}
		case 3:
			for range r.Intn(200) {
				data = append(data, byte(r.NormFloat64()*20))
			}
		default:
			data = append(data, words[r.Intn(len(words))]...)
		}
	}
	return data
}

func packed(t testing.TB, data []byte, level int, r *rand.Rand) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	for rest := data; err == nil && len(rest) > 0; {
		n := min(len(rest), 1+r.Intn(1<<16))
		if _, err = w.Write(rest[:n]); err == nil && r.Intn(3) == 0 {
			err = w.Flush()
		}
		rest = rest[n:]
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestInflateInto: what any level of deflate packed comes back, whatever follows it; into
// a space of another length, or from a stream that breaks off before its last block ends,
// nothing does.
func TestInflateInto(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	levels := []int{flate.NoCompression, flate.BestSpeed, flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly}
	for round := range 300 {
		data := inflatable(r)
		stream := packed(t, data, levels[round%len(levels)], r)
		out := make([]byte, len(data))
		after := append(bytes.Clone(stream), inflatable(r)...)
		if !inflateInto(out, after) || !bytes.Equal(out, data) {
			t.Fatalf("round %d: %d bytes, level %d: it came back otherwise", round, len(data), levels[round%len(levels)])
		}
		if inflateInto(make([]byte, len(data)+1), stream) || len(data) > 0 && inflateInto(make([]byte, len(data)-1), stream) {
			t.Fatalf("round %d: it fits another length", round)
		}
		if cut := r.Intn(len(stream) - 4); inflateInto(out, stream[:cut]) && cut < len(stream)-5 {
			t.Fatalf("round %d: %d of %d bytes of the stream were enough", round, cut, len(stream))
		}
	}
}

// FuzzInflateInto: what is taken for whole is what the standard library reads, and no
// stream makes it reach out of its space.
func FuzzInflateInto(f *testing.F) {
	r := rand.New(rand.NewSource(2))
	for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
		f.Add(packed(f, inflatable(r), level, r), uint16(0))
	}
	f.Add([]byte("\x78\x9c\x4b\x4c\x04\x00"), uint16(3)) // fixed codes
	f.Fuzz(func(t *testing.T, stream []byte, size uint16) {
		check(t, stream, int(size))
	})
}

func check(t *testing.T, stream []byte, size int) {
	t.Helper()
	var want []byte
	var short error = io.ErrUnexpectedEOF
	if len(stream) > 2 {
		want, short = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(stream[2:])), 1<<20))
	}
	for _, n := range []int{size, len(want)} {
		out := make([]byte, n)
		if inflateInto(out, stream) && (short != nil || !bytes.Equal(out, want)) {
			t.Fatalf("%x into %d bytes: %x, want %x, %v", stream, n, out, want, short)
		}
	}
}

// TestInflateIntoDamaged: a stream with bytes changed is refused, or read as the standard
// library reads it.
func TestInflateIntoDamaged(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 1500 {
		data := inflatable(r)
		data = data[:min(len(data), 4000)]
		stream := packed(t, data, r.Intn(12)-2, r)
		for range 1 + r.Intn(3) {
			stream[2+r.Intn(len(stream)-2)] ^= 1 << r.Intn(8)
		}
		check(t, stream, len(data))
	}
}

func BenchmarkInflate(b *testing.B) {
	r := rand.New(rand.NewSource(5))
	for _, size := range []int{inflateFrom, 100 << 10, 9 << 20} {
		var data bytes.Buffer
		words := []string{"ctx", "err", "nil", "return", "func", "value", "index", "buffer", "handler", "request"}
		for data.Len() < size {
			fmt.Fprintf(&data, "%s%d ", words[r.Intn(len(words))], r.Intn(1000))
		}
		text := data.Bytes()[:size]
		stream := packed(b, text, flate.DefaultCompression, rand.New(rand.NewSource(0)))
		b.Run(fmt.Sprintf("%d/whole", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				if inflateWhole(stream, int64(size)) == nil {
					b.Fatal("not whole")
				}
			}
		})
		s := &Store{}
		b.Run(fmt.Sprintf("%d/stream", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				z, err := s.inflate(bytes.NewReader(stream))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := readSized(z, int64(size)); err != nil {
					b.Fatal(err)
				}
				z.Close()
			}
		})
	}
}
