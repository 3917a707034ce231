package outgoing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/model/legible"
)

// Preview writes what would leave in the place of tip: of each commit that is not out
// yet, oldest first, its message and each file that it brings, as they would be on the
// wire, behind a margin, foreign text escaped; and the number of files of snapshots, which
// leave as they are. It returns what was taken out, and what holds the record here: of
// a HeldError a line is written too. It stores nothing.
func (r *Rewriter) Preview(ctx context.Context, w io.Writer, tip string, published ...string) ([]Finding, error) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	out, err := r.below(ctx, published)
	if err != nil {
		return nil, err
	}
	c := &chain{r: r, published: out, preview: true}
	if _, err := c.rewrite(ctx, tip); err != nil {
		return nil, err
	}
	p := &preview{r: r, w: w}
	for _, made := range c.made {
		p.found = byFile(made.findings)
		if err := p.commit(ctx, made.out); err != nil {
			return nil, err
		}
	}
	if held := held(c.findings); len(held) > 0 {
		p.line("held: %s", heldError(held).Err.Message)
	}
	return c.findings, p.err
}

// made is a commit that would leave, and what was taken out of it.
type made struct {
	out      string
	findings []Finding
}

// byFile names the rules that found something in each file, in order.
func byFile(findings []Finding) map[string][]string {
	files := map[string][]string{}
	for _, f := range findings {
		files[f.Path] = append(files[f.Path], f.Rule)
	}
	return files
}

// held are the findings in snapshots: nothing was taken out there.
func held(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return !inSnapshots(f.Path) })
}

func inSnapshots(at string) bool {
	return strings.Contains("/"+at, "/"+checkpoint.FolderSnapshots+"/")
}

// preview writes commits as they would leave.
type preview struct {
	r     *Rewriter
	w     io.Writer
	found map[string][]string
	err   error // of writing
}

func (p *preview) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// commit writes one commit: what differs from its first parent.
func (p *preview) commit(ctx context.Context, oid string) error {
	commit, err := p.r.Objects.Commit(ctx, oid)
	if err != nil {
		return err
	}
	before := p.r.Objects.EmptyTree()
	if len(commit.Parents) > 0 {
		if here, err := p.r.Objects.Has(ctx, commit.Parents[0]); err != nil {
			return err
		} else if here {
			parent, err := p.r.Objects.Commit(ctx, commit.Parents[0])
			if err != nil {
				return err
			}
			before = parent.Tree
		}
	}
	p.line("commit %s", oid)
	p.text([]byte(commit.Message))
	return p.tree(ctx, before, commit.Tree)
}

func (p *preview) tree(ctx context.Context, before, tree string) error {
	snapshots := map[string]int{}
	err := p.r.Objects.DiffFunc(ctx, before, tree, func(c objects.TreeChange) error {
		switch {
		case inSnapshots(string(c.Path)):
			at := strings.SplitAfterN("/"+string(c.Path), "/"+checkpoint.FolderSnapshots+"/", 2)
			boundary, _, _ := strings.Cut(at[1], "/")
			if c.NewOID != "" {
				snapshots[strings.TrimPrefix(at[0], "/")+boundary]++
			}
			return ctx.Err()
		case c.NewOID == "":
			p.line("file %s, removed", legible.Line(string(c.Path)))
			return p.err
		}
		return p.file(ctx, string(c.Path), c.NewOID)
	})
	for _, at := range slices.Sorted(maps.Keys(snapshots)) {
		p.line("folder %s, %d files as they are: contents of snapshots are searched, and never changed", legible.Line(at), snapshots[at])
	}
	return err
}

// file writes a file behind a line with its name, its size and what was taken out.
func (p *preview) file(ctx context.Context, at, oid string) error {
	data, err := p.r.Objects.Blob(ctx, oid)
	if err != nil {
		return err
	}
	taken := ""
	if rules := p.found[at]; len(rules) > 0 {
		taken = fmt.Sprintf(", %d taken out: %s", len(rules), strings.Join(counted(rules), ", "))
	}
	p.line("file %s, %d bytes%s", legible.Line(at), len(data), taken)
	if path.Base(at) == checkpoint.FileChanges {
		data = bytes.ReplaceAll(data, []byte{0}, []byte{'\n'})
	}
	p.text(data)
	return p.err
}

// counted names each rule once, in order, and how often.
func counted(rules []string) []string {
	times := map[string]int{}
	for _, rule := range rules {
		times[rule]++
	}
	var list []string
	for _, rule := range rules {
		switch n := times[rule]; n {
		case 0:
		case 1:
			list = append(list, rule)
		default:
			list = append(list, fmt.Sprintf("%s ×%d", rule, n))
		}
		times[rule] = 0
	}
	return list
}

// text writes lines behind a margin.
func (p *preview) text(data []byte) {
	for line := range strings.Lines(string(data)) {
		p.line("  %s", legible.Line(strings.TrimSuffix(line, "\n")))
	}
}
