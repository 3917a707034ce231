package terminal

import (
	"bytes"
	"io"
	"strconv"
	"sync"

	"overturn/ui/frame"
)

// painter writes the newest frame from a goroutine of its own.
type painter struct {
	out  io.Writer
	sync bool   // bracket frames as synchronised output
	give func() // gives the terminal back, before a panic is told

	mu     sync.Mutex
	wake   *sync.Cond
	next   *frame.Frame // not painted yet
	shown  *frame.Frame // on the screen; nil: unknown, paint all
	first  string       // what is sent before the next frame
	paused bool
	ended  bool
	busy   bool
	done   chan struct{}
	buf    []byte
}

func newPainter(out io.Writer, brackets bool, give func()) *painter {
	p := &painter{out: out, sync: brackets, give: give, done: make(chan struct{})}
	p.wake = sync.NewCond(&p.mu)
	go p.loop()
	return p
}

// show hands over a frame; one that was not painted yet is forgotten.
func (p *painter) show(f *frame.Frame) {
	p.mu.Lock()
	p.next = f
	p.mu.Unlock()
	p.wake.Broadcast()
}

// pause waits until no write is under way and holds later frames back.
func (p *painter) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = true
	for p.busy {
		p.wake.Wait()
	}
}

// tell sends text before the next frame; nothing is cut in two by it.
func (p *painter) tell(text string) {
	p.mu.Lock()
	p.first += text
	p.mu.Unlock()
	p.wake.Broadcast()
}

// resume paints the newest frame whole.
func (p *painter) resume() {
	p.mu.Lock()
	p.paused = false
	if p.next == nil {
		p.next = p.shown
	}
	p.shown = nil
	p.mu.Unlock()
	p.wake.Broadcast()
}

// end stops the goroutine; done is closed when it has.
func (p *painter) end() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.wake.Broadcast()
}

func (p *painter) loop() {
	defer close(p.done)
	defer func() {
		if r := recover(); r != nil {
			p.give()
			panic(r)
		}
	}()
	p.mu.Lock() // not unlocked by a defer: a panic comes while it is open
	for {
		for !p.ended && (p.paused || p.next == nil && p.first == "") {
			p.wake.Wait()
		}
		if p.ended {
			p.mu.Unlock()
			return
		}
		next, shown := p.next, p.shown
		p.buf = append(p.buf[:0], p.first...)
		p.next, p.first, p.busy = nil, "", true
		p.mu.Unlock()
		if next == nil {
			next = shown
		}
		if next != nil {
			p.buf = Encode(p.buf, shown, next, p.sync)
		}
		if len(p.buf) > 0 {
			_, _ = p.out.Write(p.buf) // a terminal that is gone ends the loop by its input
		}
		p.mu.Lock()
		p.shown, p.busy = next, false
		p.wake.Broadcast()
	}
}

// Encode appends the bytes that turn the picture shown (nil: anything) into
// next; none when they are the same.
func Encode(buf []byte, shown, next *frame.Frame, sync bool) []byte {
	if shown != nil && (shown.W != next.W || shown.H != next.H) {
		shown = nil
	}
	begin := len(buf)
	if sync {
		buf = append(buf, "\x1b[?2026h"...)
	}
	if shown == nil || shown.CursorX >= 0 {
		buf = append(buf, "\x1b[?25l"...)
	}
	head := len(buf)
	if shown == nil {
		buf = append(buf, "\x1b[m\x1b[2J"...)
	}
	for y := range next.H {
		var before []frame.Part
		if shown != nil {
			before = shown.Parts(y)
		}
		buf = row(buf, y, before, next.Parts(y), shown == nil)
	}
	moved := shown == nil || shown.CursorX != next.CursorX || next.CursorX >= 0 && shown.CursorY != next.CursorY
	if len(buf) == head && !moved {
		return buf[:begin]
	}
	buf = append(buf, "\x1b[m"...)
	if next.CursorX >= 0 {
		buf = move(buf, next.CursorY, next.CursorX)
		buf = append(buf, "\x1b[?25h"...)
	}
	if sync {
		buf = append(buf, "\x1b[?2026l"...)
	}
	return buf
}

// row writes the parts of row y that differ; all of them where a part covers
// others or may have run over its border.
func row(buf []byte, y int, before, after []frame.Part, all bool) []byte {
	whole := all || len(before) != len(after)
	for i := 0; i < len(after) && !whole; i++ {
		a, b := after[i], before[i]
		whole = a.Col != b.Col || a.End != b.End || !bytes.Equal(a.Text, b.Text) && (a.Wild || b.Wild || a.Over || b.Over)
	}
	if !whole {
		for _, p := range after {
			whole = whole || p.Over && changed(before, after)
		}
	}
	for i, p := range after {
		if whole || !bytes.Equal(before[i].Text, p.Text) {
			buf = move(buf, y, p.Col)
			buf = append(buf, p.Text...)
		}
	}
	return buf
}

func changed(a, b []frame.Part) bool {
	for i := range a {
		if a[i].Over != b[i].Over || !bytes.Equal(a[i].Text, b[i].Text) {
			return true
		}
	}
	return false
}

func move(buf []byte, y, x int) []byte {
	buf = append(buf, "\x1b["...)
	buf = strconv.AppendInt(buf, int64(y+1), 10)
	buf = append(buf, ';')
	buf = strconv.AppendInt(buf, int64(x+1), 10)
	return append(buf, 'H')
}
