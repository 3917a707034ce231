package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/durable"
	"overturn/review/comments"
)

// commentsOptions are what the verb comments was asked for.
type commentsOptions struct {
	thread, file               string
	prompt, handOver, withdraw bool
}

func newComments(a *app) *cobra.Command {
	var o commentsOptions
	cmd := &cobra.Command{
		Use:   "comments",
		Short: "List what you have to say to the agent, make one prompt of it, or hand it over",
		Long: `List the comments of this work tree, which c in the review writes, and what was
taken back since the latest turn began. A comment keeps to its line by what stands
there. --prompt makes one text of all that the agent was not told yet: what was taken
back and why, what should change, with file:line and quoted code; to be pasted.

--hand-over gives that text to the agent with its next prompt, once: its hook says it
("overturn agents" lists who can be told). Nothing is said to an agent unless it is asked for here or
with H in the review's list of comments (C).`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.comments(cmd.Context(), o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.thread, "thread", "", "the agent's thread `T` (default: the one with the newest turn here)")
	flags.StringVarP(&o.file, "output", "o", "", "write to `FILE` instead of stdout")
	flags.BoolVar(&o.prompt, "prompt", false, "all that the agent was not told yet, as one prompt")
	flags.BoolVar(&o.handOver, "hand-over", false, "let the agent's next prompt bring it, once")
	flags.BoolVar(&o.withdraw, "withdraw", false, "drop what waits to be handed over")
	cmd.AddCommand(newCommentsAdd(a), newCommentsEdit(a), newCommentsDelete(a))
	return cmd
}

func (a *app) comments(ctx context.Context, o commentsOptions) error {
	if o.handOver && o.withdraw || o.prompt && (a.json || o.handOver || o.withdraw) {
		return model.Usagef("--prompt, --json, --hand-over and --withdraw: one of them at a time, but for --json with the last two")
	}
	e, err := a.openSettled(ctx)
	if err != nil {
		return err
	}
	var thread model.ThreadID
	if o.thread != "" {
		if thread, err = e.thread(ctx, o.thread); err != nil {
			return err
		}
	}
	if o.withdraw {
		if err := a.withdraw(ctx, e); err != nil {
			return err
		}
	}
	all, err := e.answering(ctx, thread)
	if err != nil {
		return err
	}
	if o.handOver {
		waiting, err := e.handOver(ctx, all)
		if err != nil {
			return err
		}
		all.waiting = &waiting
	}
	if o.file == "" {
		return a.emitComments(all, o)
	}
	return a.into(o.file, func() error { return a.emitComments(all, o) })
}

func (a *app) withdraw(ctx context.Context, e *engines) error {
	did, err := e.comments().Withdraw(ctx)
	if err == nil && !did {
		a.say("nothing waited to be handed over")
	}
	return err
}

// into lets emit write to a file that the user named; it is opened when all is there.
func (a *app) into(file string, emit func() error) error {
	stdout, text := a.stdout, &strings.Builder{}
	a.stdout = text
	err := emit()
	a.stdout = stdout
	if err != nil {
		return err
	}
	durable.Point("cli.into.write")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		return model.Failf(err, "cannot write %s", safe(file))
	}
	return nil
}

// commentWire is a comment with where its lines stand on disk now: 0 where that
// cannot be said.
type commentWire struct {
	comments.Placed
	from, to int
}

// MarshalJSON writes the comment's own fields and those of its place.
func (c commentWire) MarshalJSON() ([]byte, error) {
	return joinJSON(c.Comment, struct {
		Where string `json:"where"`
		From  int    `json:"now_from"`
		To    int    `json:"now_to"`
	}{safe(c.Where()), c.from, c.to})
}

// waitingWire is what waits for the agent's next prompt.
type waitingWire struct {
	At        time.Time      `json:"at"`
	Agent     string         `json:"agent"`
	Thread    model.ThreadID `json:"thread"`
	Comments  []model.ID     `json:"comments"`
	TakenBack []model.ID     `json:"taken_back"`
	Text      string         `json:"text"`
}

func waitingOf(h comments.HandOver) *waitingWire {
	return &waitingWire{h.At, h.Agent, h.Thread, model.NotNil(h.Comments), model.NotNil(h.TakenBack), h.Text}
}

// waitsWords says what waits, for whom.
func waitsWords(h comments.HandOver) string {
	return fmt.Sprintf("waits for the next prompt of %s in thread %s: %s", safe(h.Agent), safe(string(h.Thread)), heldWords(h))
}

func (a *app) emitComments(all *answer, o commentsOptions) error {
	if o.prompt {
		_, err := io.WriteString(a.stdout, all.prompt())
		return err
	}
	wire := struct {
		Thread    model.ThreadID    `json:"thread"`
		Comments  []commentWire     `json:"comments"`
		TakenBack []model.TakenBack `json:"taken_back"`
		Waiting   *waitingWire      `json:"waiting"`
	}{Thread: all.thread, Comments: []commentWire{}, TakenBack: model.NotNil(all.back)}
	for _, p := range all.placed {
		from, to := p.Lines()
		wire.Comments = append(wire.Comments, commentWire{p, from, to})
	}
	if h := all.waiting; h != nil {
		wire.Waiting = waitingOf(*h)
	}
	return a.emit("overturn.comments/1", wire, func(w *bufio.Writer) { a.commentLines(w, all) })
}

func (a *app) commentLines(w *bufio.Writer, all *answer) {
	if len(all.placed)+len(all.back) == 0 {
		a.say("no comments here yet; c in the review writes one")
	}
	for _, p := range all.placed {
		fmt.Fprintf(w, "%s  %s  %s  %s\n", p.ID, safe(p.Where()), a.age(p.At), toldWords(a, p.Told))
		for _, line := range strings.Split(safeBlock(p.Text), "\n") {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
	for _, b := range all.back {
		fmt.Fprintf(w, "%s  taken back %s: %s\n", b.ID, a.age(b.At), pathsWord(b.Paths))
		if b.Why != "" {
			fmt.Fprintf(w, "    why: %s\n", safe(b.Why))
		}
	}
	if h := all.waiting; h != nil {
		fmt.Fprintln(w, waitsWords(*h))
	}
}

func toldWords(a *app, t *model.Told) string {
	switch {
	case t == nil:
		return "not told"
	case t.Turn > 0:
		return fmt.Sprintf("handed over %s, turn %d", a.age(t.At), t.Turn)
	}
	return "handed over " + a.age(t.At)
}
