package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// watched are the system calls that write, name, or sync.
const watched = "open,openat,creat,write,pwrite64,writev,pwritev,ftruncate,fallocate,copy_file_range,sendfile," +
	"rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,mkdir,mkdirat,fsync,fdatasync,syncfs,sync"

// call is a system call as strace -f -y prints it. It comes twice where another
// thread ran in between: when it began (done is false), and when it had ended.
type call struct {
	line   int
	thread string
	name   string
	args   []string
	result string
	begun  bool // this is its beginning
	done   bool // this is its end
}

// ok tells whether an ended call did what it says.
func (c *call) ok() bool { return c.done && !strings.HasPrefix(c.result, "-1") }

// readCalls calls yield for every beginning and end, in order.
func readCalls(r io.Reader, yield func(*call) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	open := map[string]string{} // thread to what it began
	for n := 1; lines.Scan(); n++ {
		thread, rest, _ := strings.Cut(lines.Text(), " ")
		rest = strings.TrimLeft(rest, " ")
		c := &call{line: n, thread: thread}
		switch {
		case strings.HasPrefix(rest, "+++") || strings.HasPrefix(rest, "---"):
			continue
		case strings.HasSuffix(rest, "<unfinished ...>"):
			open[thread] = strings.TrimSuffix(rest, "<unfinished ...>")
			c.begun, rest = true, open[thread]+")"
		case strings.HasPrefix(rest, "<... "):
			_, tail, ok := strings.Cut(rest, " resumed>")
			if !ok || open[thread] == "" {
				return fmt.Errorf("line %d: a call ends that never began", n)
			}
			c.done, rest = true, open[thread]+tail
			delete(open, thread)
		default:
			c.begun, c.done = true, true
		}
		if err := c.parse(rest); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := yield(c); err != nil {
			return err
		}
	}
	return lines.Err()
}

// parse reads `name(args) = result`.
func (c *call) parse(text string) error {
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return fmt.Errorf("not a call: %.80q", text)
	}
	c.name = name
	depth, quoted, start := 0, false, 0
	for i := 0; i < len(rest); i++ {
		switch b := rest[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '(' || b == '[' || b == '{' || b == '<':
			depth++
		case b == ']' || b == '}' || b == '>' || b == ')' && depth > 0:
			depth--
		case b == ',' && depth == 0, b == ')':
			c.args = append(c.args, strings.TrimSpace(rest[start:i]))
			start = i + 1
			if b == ')' {
				_, c.result, _ = strings.Cut(rest[i:], "= ")
				return nil
			}
		}
	}
	return fmt.Errorf("the call does not end: %.80q", text)
}

// arg is argument n, "" when there is none.
func (c *call) arg(n int) string {
	if n < len(c.args) {
		return c.args[n]
	}
	return ""
}

// file is the path of an open file as -y prints it: 7</a/b>, 7</a/b>(deleted).
func file(fd string) (path string, deleted bool) {
	_, path, _ = strings.Cut(fd, "<")
	path, tail, _ := strings.Cut(path, ">")
	return path, strings.HasPrefix(tail, "(deleted)")
}

// at is the path that a name stands for, seen from an open folder.
func at(folder, name string) string {
	name = strings.Trim(strings.TrimSuffix(name, "..."), `"`)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	base, _ := file(folder)
	return filepath.Join(base, name)
}
