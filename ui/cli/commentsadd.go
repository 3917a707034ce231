package cli

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/anchor"
	"overturn/review/patch"
)

func newCommentsAdd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "add PATH[:A[-B]] TEXT",
		Short: "Write a comment on lines A to B of a file as it is on disk, or on the file",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return model.Usagef("comments add takes PATH[:A[-B]] and TEXT")
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			c, err := a.commentOn(cmd.Context(), e, args[0])
			if err != nil {
				return err
			}
			c.Text = args[1]
			return a.saveComment(cmd.Context(), e, c)
		},
	}
}

func newCommentsEdit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "edit ID TEXT",
		Short: "Change the text of a comment; it then counts as not told",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return model.Usagef("comments edit takes ID and TEXT")
			}
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			all, err := e.comments().List()
			if err != nil {
				return err
			}
			id, err := uniqueID(args[0], "comment", all, commentID)
			if err != nil {
				return err
			}
			for _, c := range all {
				if c.ID == id {
					c.Text = args[1]
					return a.saveComment(cmd.Context(), e, c)
				}
			}
			return nil
		},
	}
}

func newCommentsDelete(a *app) *cobra.Command {
	var told, every bool
	cmd := &cobra.Command{
		Use:   "delete ID…",
		Short: "Delete comments for good",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 == (!told && !every) {
				return model.Usagef("comments delete takes ids, or --told, or --all")
			}
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			all, err := e.comments().List()
			if err != nil {
				return err
			}
			var ids []model.ID
			for _, c := range all {
				if every || told && c.Told != nil {
					ids = append(ids, c.ID)
				}
			}
			for _, arg := range args {
				id, err := uniqueID(arg, "comment", all, commentID)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			if err := e.comments().Delete(cmd.Context(), ids...); err != nil {
				return err
			}
			return a.comments(cmd.Context(), commentsOptions{})
		},
	}
	cmd.Flags().BoolVar(&told, "told", false, "all that the agent was told of")
	cmd.Flags().BoolVar(&every, "all", false, "all of this work tree")
	return cmd
}

func commentID(c model.Comment) model.ID { return c.ID }

// saveComment keeps c and prints the comments as they are then.
func (a *app) saveComment(ctx context.Context, e *engines, c model.Comment) error {
	if _, err := e.comments().Save(ctx, c); err != nil {
		return err
	}
	return a.comments(ctx, commentsOptions{})
}

// commentOn is a comment without a text on what spelt names on disk.
func (a *app) commentOn(ctx context.Context, e *engines, spelt string) (model.Comment, error) {
	c := model.Comment{Scope: model.Scope{Kind: model.ScopeWorking}.String(), Anchor: model.Anchor{Kind: model.AnchorFile}}
	name, from, to, err := a.splitLines(spelt)
	if err != nil {
		return c, err
	}
	paths, err := a.rootPaths(e.repo, []string{name})
	if err != nil {
		return c, err
	}
	c.Path = paths[0]
	if c.Path == "" {
		return c, model.Usagef("a comment is about a file, not about the whole work tree")
	}
	if thread, err := e.newestThread(ctx); err == nil {
		c.Thread = thread
	}
	tree, err := worktree.Open(e.repo.Root)
	if err != nil {
		return c, err
	}
	defer tree.Close()
	data, state, err := tree.Read(c.Path, placeLimit)
	switch {
	case err != nil:
		return c, err
	case state.Kind != model.KindFile:
		return c, model.Usagef("%s is no file here", patch.Quote(c.Path))
	case from == 0:
		return c, nil
	case patch.IsBinary(data):
		return c, model.Usagef("%s is no text: it has no lines", patch.Quote(c.Path)).WithHint("comment on the file as a whole")
	}
	text := patch.NewText(data)
	if to > text.Lines() {
		return c, model.Usagef("%s has %s, there is no line %d", patch.Quote(c.Path), count(text.Lines(), "line"), to)
	}
	c.Anchor = anchor.Of(text, from-1, to, model.AnchorLines, false)
	return c, nil
}

// splitLines parts PATH[:A[-B]]. A file that has that very name is meant itself.
func (a *app) splitLines(spelt string) (name string, from, to int, err error) {
	at := strings.LastIndexByte(spelt, ':')
	if at <= 0 || strings.HasPrefix(spelt, ":/") && at == 0 {
		return spelt, 0, 0, nil
	}
	if _, err := os.Lstat(filepath.Join(a.dir, spelt)); err == nil {
		return spelt, 0, 0, nil
	}
	first, last, ranged := strings.Cut(spelt[at+1:], "-")
	if !ranged {
		last = first
	}
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if errFrom != nil || errTo != nil || from < 1 || to < from {
		return "", 0, 0, model.Usagef("%q: lines are A or A-B, from 1", spelt[at+1:])
	}
	return spelt[:at], from, to, nil
}
