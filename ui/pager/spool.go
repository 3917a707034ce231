package pager

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"overturn/model"
	"overturn/themes"
)

// kind is what a line is.
type kind uint8

const (
	plain kind = iota
	fileHead
	hunkHead
	meta // between the head of a file and its hunks; "\ No newline"
	added
	removed
	equal
	commit
)

func (k kind) role() themes.Role {
	switch k {
	case fileHead, commit:
		return themes.Strong
	case hunkHead:
		return themes.Hunk
	case meta:
		return themes.Muted
	case added:
		return themes.Add
	case removed:
		return themes.Del
	}
	return themes.Text
}

// Spool takes in a text and gives it back by lines. It is safe for one that feeds and
// one that reads.
type Spool struct {
	file *os.File

	mu    sync.RWMutex
	ends  []int64 // where each line ends, its line feed included
	kinds []kind
	whole bool  // the text has come to its end
	err   error // it could not be read, or kept
}

// NewSpool makes an empty one, in a file without a name.
func NewSpool() (*Spool, error) {
	f, err := os.CreateTemp("", "overturn-pager-*")
	if err == nil {
		err = os.Remove(f.Name()) // open, it stays until it is closed
	}
	if err != nil {
		return nil, model.Failf(err, "no file to keep the text in").WithHint("see that the folder for temporary files can be written")
	}
	return &Spool{file: f}, nil
}

// Close forgets the text.
func (s *Spool) Close() error { return s.file.Close() }

// batch is how many bytes are written, and made known, at once.
const batch = 256 << 10

// Feed reads r to its end. Now and then, and at the end, more is called: there are
// new lines.
func (s *Spool) Feed(r io.Reader, more func()) {
	in := bufio.NewReaderSize(r, batch)
	out := feeder{s: s}
	var failed error
	for failed == nil {
		chunk, err := in.ReadSlice('\n')
		out.take(chunk)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			failed = errors.Join(out.end(), err)
			break
		}
		// Whole lines that wait in the buffer come at once; what does not may take its time.
		if waiting, _ := in.Peek(in.Buffered()); len(out.text) < batch && bytes.IndexByte(waiting, '\n') >= 0 {
			continue
		}
		if len(out.ends) > 0 {
			failed = out.flush() // what comes after a gap would stand in the wrong place
			more()
		}
	}
	s.mu.Lock()
	s.whole = true
	if !errors.Is(failed, io.EOF) {
		s.err = failed
	}
	s.mu.Unlock()
	more()
}

// feeder cuts the text into lines.
type feeder struct {
	s     *Spool
	line  []byte // of the line that is not at its end, at most lineKept
	over  int    // bytes of it that are not kept
	text  []byte // of whole lines, not written yet
	ends  []int64
	kinds []kind
	at    int64 // end of the text so far
	class class
}

func (f *feeder) take(chunk []byte) {
	text, ended := bytes.CutSuffix(chunk, []byte{'\n'})
	keep := min(len(text), lineKept-len(f.line))
	f.line, f.over = append(f.line, text[:keep]...), f.over+len(text)-keep
	if ended {
		f.put(true)
	}
}

func (f *feeder) put(ended bool) {
	start := len(f.text)
	f.text = stripColours(f.text, f.line)
	if f.over > 0 {
		f.text = fmt.Appendf(f.text, " … %d more bytes", f.over)
	}
	if ended {
		f.text = append(f.text, '\n')
	}
	f.line, f.over = f.line[:0], 0
	f.at += int64(len(f.text) - start)
	f.ends, f.kinds = append(f.ends, f.at), append(f.kinds, f.class.of(f.text[start:]))
}

func (f *feeder) end() error {
	if len(f.line) > 0 {
		f.put(false)
	}
	return f.flush()
}

// flush makes the whole lines known.
func (f *feeder) flush() error {
	if _, err := f.s.file.WriteAt(f.text, f.at-int64(len(f.text))); err != nil {
		return err
	}
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.s.ends, f.s.kinds = append(f.s.ends, f.ends...), append(f.s.kinds, f.kinds...)
	f.text, f.ends, f.kinds = f.text[:0], f.ends[:0], f.kinds[:0]
	return nil
}

// stripColours appends a line without the sequences that set colours (CSI … m) and
// erase to the end of the line (CSI … K), which git writes beside them.
func stripColours(out, line []byte) []byte {
	for {
		i := bytes.IndexByte(line, 0x1b)
		if i < 0 {
			return append(out, line...)
		}
		out = append(out, line[:i]...)
		line = line[i:]
		n := 2
		if len(line) > 1 && line[1] == '[' {
			for n < len(line) && (line[n] >= '0' && line[n] <= '9' || line[n] == ';' || line[n] == ':') {
				n++
			}
		}
		if len(line) > n && line[1] == '[' && (line[n] == 'm' || line[n] == 'K') {
			line = line[n+1:]
			continue
		}
		out, line = append(out, line[0]), line[1:]
	}
}

// class tells lines of a patch apart as they come, by the counts of their hunk.
type class struct {
	old, now int // lines that the hunk still holds
	head     bool
}

func (c *class) of(line []byte) kind {
	switch {
	case c.old > 0 || c.now > 0:
		return c.body(line)
	case bytes.HasPrefix(line, []byte("@@ -")):
		c.head = false
		c.old, c.now = counts(line)
		return hunkHead
	case bytes.HasPrefix(line, []byte("diff ")):
		c.head = true
		return fileHead
	case bytes.HasPrefix(line, []byte("commit ")) && !c.head:
		return commit
	case len(line) > 0 && line[0] == '\\':
		return meta
	case c.head:
		return meta
	}
	return plain
}

func (c *class) body(line []byte) kind {
	sign := byte(' ') // an equal line that is empty may have lost it
	if len(line) > 0 {
		sign = line[0]
	}
	switch sign {
	case '-':
		c.old--
		return removed
	case '+':
		c.now--
		return added
	case '\\':
		return meta
	}
	c.old, c.now = c.old-1, c.now-1
	return equal
}

// counts reads the numbers of lines from a hunk's header.
func counts(line []byte) (old, now int) {
	fields := bytes.Fields(line)
	if len(fields) < 3 {
		return 0, 0
	}
	count := func(f []byte) int {
		_, n, ok := bytes.Cut(f, []byte(","))
		if !ok {
			return 1
		}
		v, err := strconv.Atoi(string(n))
		if err != nil || v < 0 {
			return 0
		}
		return v
	}
	return count(fields[1]), count(fields[2])
}

// Lines is how many lines have come, and whether these are all.
func (s *Spool) Lines() (n int, whole bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.ends), s.whole, s.err
}

// lineKept is how many bytes of a line are kept: one line may be longer than memory.
// lineLimit is how many are read for the screen and for a search, what tells of the
// rest among them.
const (
	lineKept  = 1 << 20
	lineLimit = lineKept + 64
)

// Line reads line i, without its line feed, at most lineLimit bytes of it.
func (s *Spool) Line(i int) ([]byte, kind) {
	s.mu.RLock()
	from, to, k := int64(0), s.ends[i], s.kinds[i]
	if i > 0 {
		from = s.ends[i-1]
	}
	s.mu.RUnlock()
	line := make([]byte, min(to-from, lineLimit))
	n, _ := s.file.ReadAt(line, from) // what cannot be read any more is not shown
	return bytes.TrimSuffix(line[:n], []byte("\n")), k
}

// next is the first line of a kind from line i on, in steps of d; -1 for none.
func (s *Spool) next(i, d int, of ...kind) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for ; i >= 0 && i < len(s.kinds); i += d {
		for _, k := range of {
			if s.kinds[i] == k {
				return i
			}
		}
	}
	return -1
}
