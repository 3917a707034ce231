//go:build linux || darwin

package snapshot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
)

// TestFileWrittenWhileItIsRead: another process writes a file in place when some of
// it was read. What is recorded stood on the disk as a whole.
func TestFileWrittenWhileItIsRead(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, f *os.File) string{
		"longer": func(t *testing.T, f *os.File) string {
			want := strings.Repeat("new", 100)
			write(t, f, want)
			return want
		},
		"shorter": func(t *testing.T, f *os.File) string {
			must(t, f.Truncate(0))
			write(t, f, "new")
			return "new"
		},
		"appended": func(t *testing.T, f *os.File) string {
			_, err := f.WriteAt([]byte("more\n"), 4)
			must(t, err)
			return "old\nmore\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, gittest.New(t), snapshot.Options{})
			b.Write("f", "old\n")
			f, err := os.OpenFile(b.Path("f"), os.O_RDWR, 0)
			must(t, err)
			defer f.Close()
			leave := filepath.Join(t.TempDir(), "leave")
			t.Setenv("OVERTURN_FAIL_POINT", "snapshot.readall.read=wait:"+leave)
			want := ""
			var other sync.WaitGroup
			other.Go(func() {
				for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
					if _, err := os.Lstat(leave + ".here"); err == nil {
						want = change(t, f)
						break
					}
				}
				must(t, os.WriteFile(leave, nil, 0o600))
			})
			snap := b.capture()
			other.Wait()
			if got := b.Git("cat-file", "blob", snap.Tree+":f"); want == "" || got != strings.TrimSuffix(want, "\n") {
				t.Errorf("recorded is %q, on disk was %q", got, want)
			}
		})
	}
}

// TestFileThatIsWrittenAllTheTime: one version after the other is written over the
// one before. A snapshot has one of them whole, or lists the file as left out.
func TestFileThatIsWrittenAllTheTime(t *testing.T) {
	b := newBench(t, gittest.New(t), snapshot.Options{})
	const size = 1 << 20
	must(t, os.WriteFile(b.Path("f"), bytes.Repeat([]byte{'a'}, size), 0o644))
	f, err := os.OpenFile(b.Path("f"), os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	stop := make(chan bool)
	var other sync.WaitGroup
	other.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
				_, err := f.WriteAt(bytes.Repeat([]byte{byte('a' + n%26)}, size), 0)
				must(t, err)
			}
		}
	})
	whole, out := 0, 0
	for range 12 {
		snap := b.capture()
		if len(snap.LeftOut) > 0 {
			if snap.LeftOut[0].Path != "f" || !strings.Contains(snap.LeftOut[0].Reason, "whenever it was read") {
				t.Errorf("left out: %v", snap.LeftOut)
			}
			out++
			continue
		}
		data := b.Git("cat-file", "blob", snap.Tree+":f")
		if len(data) != size || strings.Trim(data, data[:1]) != "" {
			t.Errorf("recorded are %d bytes of several versions", len(data))
		}
		whole++
	}
	close(stop)
	other.Wait()
	t.Logf("%d whole, %d left out", whole, out)
	time.Sleep(20 * time.Millisecond) // the clock of stamps moves on
	if snap := b.capture(); len(snap.LeftOut) > 0 {
		t.Errorf("a file that is at rest is left out: %v", snap.LeftOut)
	}
}

func write(t *testing.T, f *os.File, text string) {
	t.Helper()
	_, err := f.WriteAt([]byte(text), 0)
	must(t, err)
}
