package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// lines is testdata/rollback.txt, a rollback as it should be.
func lines(t *testing.T) []string {
	data, err := os.ReadFile("testdata/rollback.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func checked(t *testing.T, calls []string) *report {
	t.Helper()
	r, err := check("/repo", strings.NewReader(strings.Join(calls, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOrderAsItShouldBe(t *testing.T) {
	r := checked(t, lines(t))
	if len(r.faults) > 0 {
		t.Errorf("faults: %q", r.faults)
	}
	if r.objects != 2 || len(r.refs) != 1 || strings.Join(r.marks, " ") != "prepared beside swapped swapped applied done" {
		t.Errorf("seen: %+v", r)
	}
}

// TestEverySyncIsNeeded takes each sync out, and moves each to the end: a rule must
// be broken every time.
func TestEverySyncIsNeeded(t *testing.T) {
	all := lines(t)
	syncs := 0
	for i, line := range all {
		if !strings.Contains(line, "fsync(") {
			continue
		}
		syncs++
		without := append(append([]string(nil), all[:i]...), all[i+1:]...)
		if strings.HasSuffix(line, "<unfinished ...>") {
			thread, _, _ := strings.Cut(line, " ")
			for j := i; j < len(without); j++ {
				if strings.HasPrefix(without[j], thread+" <... fsync resumed>") {
					without = append(without[:j], without[j+1:]...)
					break
				}
			}
		}
		if r := checked(t, without); len(r.faults) == 0 {
			t.Errorf("nobody misses line %d: %s", i+1, line)
		}
	}
	if syncs < 9 {
		t.Errorf("only %d syncs", syncs)
	}
}

// TestSyncThatBeganTooEarly: what is written while a sync is under way is not
// covered by it.
func TestSyncThatBeganTooEarly(t *testing.T) {
	const open = `1 openat(AT_FDCWD</repo>, "/repo/.git/objects/aa/x", O_WRONLY|O_CREAT|O_EXCL, 0444) = 3</repo/.git/objects/aa/x>`
	const lock = `1 openat(AT_FDCWD</repo>, "/repo/.git/refs/overturn/r.lock", O_WRONLY|O_CREAT|O_EXCL, 0666) = 4</repo/.git/refs/overturn/r.lock>`
	const write, folder = `1 write(3</repo/.git/objects/aa/x>, "x", 1) = 1`, `1 fsync(5</repo/.git/objects/aa>) = 0`
	const move = `1 rename("/repo/.git/refs/overturn/r.lock", "/repo/.git/refs/overturn/r") = 0`
	const tail = "1 fsync(4</repo/.git/refs/overturn/r>) = 0\n1 fsync(6</repo/.git/refs/overturn>) = 0"
	const sync = `1 fsync(3</repo/.git/objects/aa/x>) = 0`
	begin, end := `2 fsync(3</repo/.git/objects/aa/x> <unfinished ...>`, `2 <... fsync resumed>)             = 0`
	lockSync := `1 fsync(4</repo/.git/refs/overturn/r.lock>) = 0`
	for name, c := range map[string]struct {
		calls  []string
		faults int
	}{
		"in order":          {[]string{open, write, sync, folder, lock, lockSync, move, tail}, 0},
		"after the ref":     {[]string{open, write, folder, lock, lockSync, move, sync, tail}, 1},
		"began before":      {[]string{open, begin, write, end, folder, lock, lockSync, move, tail}, 1},
		"ended after":       {[]string{open, write, begin, folder, lock, lockSync, move, end, tail}, 1},
		"failed":            {[]string{open, write, strings.Replace(sync, "= 0", "= -1 EIO (Input/output error)", 1), folder, lock, lockSync, move, tail}, 1},
		"no folder":         {[]string{open, write, sync, lock, lockSync, move, tail}, 1},
		"folder too early":  {[]string{folder, open, write, sync, lock, lockSync, move, tail}, 1},
		"new folder":        {[]string{`1 mkdir("/repo/.git/objects/aa", 0777) = 0`, open, write, sync, folder, lock, lockSync, move, tail}, 1},
		"ref not synced":    {[]string{open, write, sync, folder, lock, `1 write(4</repo/.git/refs/overturn/r.lock>, "x", 1) = 1`, move, tail}, 1},
		"name of the ref":   {[]string{open, write, sync, folder, lock, lockSync, move}, 1},
		"all of the system": {[]string{open, write, lock, `1 syncfs(3</repo>) = 0`, move, tail}, 0},
	} {
		if r := checked(t, c.calls); len(r.faults) != c.faults {
			t.Errorf("%s: %q, want %d", name, r.faults, c.faults)
		}
	}
}

func TestWhatIsNoTrace(t *testing.T) {
	for _, text := range []string{"1 nothing", "1 write(3", "1 <... write resumed>) = 1", `1 write(3</x>, "unended) = 1`} {
		if r, err := check("/repo", strings.NewReader(text)); err == nil {
			t.Errorf("%q was taken: %+v", text, r)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{`1 rename("a", "b") = 0`, `1 write(3</a>, "\"x", 2) = 2`, "1 fsync(3</a> <unfinished ...>\n1 <... fsync resumed>) = 0", `9 openat(4</r>, "x", O_CREAT|O_RDWR, 0600) = 5</r/x>(deleted)`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := check("/repo", strings.NewReader(text)); err != nil && fmt.Sprint(err) == "" {
			t.Error("an error without words")
		}
	})
}
