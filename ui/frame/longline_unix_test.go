//go:build unix

package frame_test

import (
	"os"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"overturn/ui/frame"
)

// A window of a long line costs the window: the text right of it is not read. The
// rest of this line lies in memory that nobody may read.
func TestLongLineIsNotRead(t *testing.T) {
	page := os.Getpagesize()
	line, err := unix.Mmap(-1, 0, 64*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(line)
	for i := range page {
		line[i] = "word and word "[i%14]
	}
	if err := unix.Mprotect(line[page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("text right of the window was read: %v", fault)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	f := frame.New(160, 1)
	r := f.All().Row(0)
	r.Content(frame.Content{Text: line, Width: 160, Tab: 8})
}
