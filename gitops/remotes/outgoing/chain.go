package outgoing

import (
	"context"
	"slices"

	"overturn/gitops/objects"
)

// chain rewrites one commit and what it rests on.
type chain struct {
	r         *Rewriter
	published map[string]bool // on the remote already
	findings  []Finding
	preview   bool   // held records are rewritten too, and every commit anew
	made      []made // in a preview: the commits that would leave, oldest first
	done      map[string]string
	rests     map[string]bool // those whose result rests on what is published; what the cache has of them does not
}

// rewrite is the result of tip. Its ancestors come first; the stack is a list, as a
// branch of records may have a long history.
func (c *chain) rewrite(ctx context.Context, tip string) (string, error) {
	c.done = map[string]string{}
	if err := c.findRests(ctx, tip); err != nil {
		return "", err
	}
	for stack := []string{tip}; len(stack) > 0; {
		oid := stack[len(stack)-1]
		if c.done[oid] != "" {
			stack = stack[:len(stack)-1]
			continue
		}
		out, err := c.known(ctx, oid)
		if err != nil {
			return "", err
		}
		if out != "" {
			c.done[oid] = out
			continue
		}
		commit, err := c.r.Objects.Commit(ctx, oid)
		if err != nil {
			return "", err
		}
		waits := false
		for _, parent := range commit.Parents {
			if c.done[parent] == "" {
				stack, waits = append(stack, parent), true
			}
		}
		if waits {
			continue
		}
		if c.done[oid], err = c.commit(ctx, oid, commit); err != nil {
			return "", err
		}
	}
	return c.done[tip], nil
}

// findRests finds the commits that are out, and those that rest on them.
func (c *chain) findRests(ctx context.Context, tip string) error {
	c.rests = map[string]bool{}
	if len(c.published) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for stack := []string{tip}; len(stack) > 0; {
		oid := stack[len(stack)-1]
		if _, done := c.rests[oid]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		if c.r.outAs(oid, c.published) != "" {
			c.rests[oid] = true
			continue
		}
		parents, err := c.r.parents(ctx, oid)
		if err != nil {
			return err
		}
		if !seen[oid] {
			seen[oid] = true
			stack = append(stack, parents...)
			continue
		}
		c.rests[oid] = slices.ContainsFunc(parents, func(p string) bool { return c.rests[p] })
	}
	return nil
}

// known is what needs no work: the cached result, or the commit itself where it is not
// here, which only those are that came from a remote.
func (c *chain) known(ctx context.Context, oid string) (string, error) {
	if out := c.r.outAs(oid, c.published); out != "" {
		return out, nil
	}
	if !c.preview && !c.rests[oid] {
		if out, err := c.r.cached(ctx, oid); out != "" || err != nil {
			return out, err
		}
	}
	here, err := c.r.Objects.Has(ctx, oid)
	if err != nil || here {
		return "", err
	}
	return oid, nil
}

// commit rewrites one commit whose parents are done.
func (c *chain) commit(ctx context.Context, oid string, commit objects.Commit) (string, error) {
	work := &work{chain: c}
	var bases []pair
	fresh := commit
	fresh.Parents = nil
	same := true
	for _, parent := range commit.Parents {
		out := c.done[parent]
		fresh.Parents = append(fresh.Parents, out)
		same = same && out == parent
		base, err := work.base(ctx, parent, out)
		if err != nil {
			return "", err
		}
		bases = append(bases, base)
	}
	var err error
	if fresh.Tree, err = work.tree(ctx, commit.Tree, bases, ""); err != nil {
		return "", err
	}
	message, found := c.r.Redactor.Text([]byte(commit.Message))
	fresh.Message = string(message)
	work.found("", found)
	out := oid
	if !same || fresh.Tree != commit.Tree || len(found) > 0 {
		if out, err = c.r.writer.WriteCommit(fresh); err != nil {
			return "", err
		}
	}
	c.findings = append(c.findings, work.findings...)
	if c.preview {
		c.made = append(c.made, made{out, work.findings})
		return out, nil
	}
	c.r.remember(oid, out, c.rests[oid])
	return out, nil
}
