package objects

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"overturn/gitops"
	"overturn/model"
)

// catFile is one `git cat-file --batch`, started at the first question and kept.
type catFile struct {
	repo *gitops.Repo

	mu    sync.Mutex
	child *gitops.Child
	out   *bufio.Reader
}

// read asks git for one object. A question that is cut short by ctx, or answered
// in a way that cannot be read, ends the child; the next starts another.
func (c *catFile) read(ctx context.Context, oid string) (typ string, data []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.child == nil {
		// The child outlives this call, so it is bound to Close and not to ctx.
		child, err := c.repo.Command(context.WithoutCancel(ctx), gitops.CommandOptions{}, "cat-file", "--batch")
		if err != nil {
			return "", nil, err
		}
		c.child, c.out = child, bufio.NewReader(child.Stdout)
	}
	stop := context.AfterFunc(ctx, c.child.Kill)
	typ, data, missing, err := c.ask(oid)
	if !stop() || err != nil {
		c.child.Kill()
		waitErr := c.end()
		switch {
		case ctx.Err() != nil:
			return "", nil, context.Cause(ctx)
		case waitErr != nil:
			err = waitErr
		}
		return "", nil, model.Failf(err, "git cannot read object %s", oid).WithHint("run git fsck")
	}
	if missing {
		return "", nil, notFound(oid)
	}
	return typ, data, nil
}

func (c *catFile) ask(oid string) (typ string, data []byte, missing bool, err error) {
	if _, err := io.WriteString(c.child.Stdin, oid+"\n"); err != nil {
		return "", nil, false, err
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return "", nil, false, err
	}
	words := strings.Fields(line)
	if len(words) == 2 && words[1] == "missing" {
		return "", nil, true, nil
	}
	if len(words) != 3 || words[0] != oid {
		return "", nil, false, fmt.Errorf("cat-file answered %q", line)
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || size < 0 {
		return "", nil, false, fmt.Errorf("cat-file answered %q", line)
	}
	data, err = readSized(io.LimitReader(c.out, size), size)
	if err == nil {
		_, err = c.out.Discard(1) // the newline behind the content
	}
	return words[1], data, false, err
}

func (c *catFile) end() error {
	child := c.child
	c.child, c.out = nil, nil
	if child == nil {
		return nil
	}
	return child.Wait()
}

// close lets the child read its end of input.
func (c *catFile) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end()
}
