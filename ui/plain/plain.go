package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"overturn/model"
	"overturn/model/legible"
	"overturn/ui"
	"overturn/ui/view"
)

// Options says how the review is opened.
type Options struct {
	Engine ui.Engine
	Clock  model.Clock
	In     io.Reader
	Out    io.Writer
	Prompt bool         // somebody types: a prompt is printed
	Forget func()       // lets go of what was typed and not read yet; nil where nobody types
	Scope  *model.Scope // nil: the latest turn when there is one, else the working tree
}

// lineLimit is the longest command in bytes: a comment may be long.
const lineLimit = 64 << 10

// turnsRead is how many of the newest turns are listed.
const turnsRead = 100

// session is one review.
type session struct {
	Options
	lines *bufio.Scanner

	over  *view.Overview
	cmp   *view.Comparison
	file  int // in cmp, -1 for none
	doc   *view.Document
	hunk  int // in doc, -1 for none
	exact bool
	ended bool
}

// Run reads commands until quit or the end of the input. It returns the error that the
// first failed command ended with, and that of a broken input or output.
func Run(ctx context.Context, o Options) error {
	s := &session{Options: o, lines: bufio.NewScanner(o.In), file: -1, hunk: -1}
	s.lines.Buffer(make([]byte, 0, 4096), lineLimit)
	err := s.open(ctx)
	if err != nil {
		s.tell(err)
	}
	for !s.ended {
		line, ok := s.read("overturn> ")
		if !ok {
			break
		}
		failed := s.command(ctx, line)
		if failed == nil {
			continue
		}
		s.tell(failed)
		if err == nil {
			err = failed
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if errors.Is(s.lines.Err(), bufio.ErrTooLong) {
		return model.Usagef("a command is longer than %d bytes", lineLimit)
	}
	if s.lines.Err() != nil {
		return model.Failf(s.lines.Err(), "the commands cannot be read")
	}
	return told(err)
}

// told is an error whose words were printed already: what it ends with is its code.
func told(err error) error {
	if err == nil {
		return nil
	}
	return model.Failf(err, "a command of this review failed").WithHint("what it was is told above")
}

// read takes a line of the input; false at its end.
func (s *session) read(prompt string) (string, bool) {
	if s.Prompt {
		fmt.Fprint(s.Out, prompt)
	}
	if !s.lines.Scan() {
		return "", false
	}
	return strings.TrimSpace(s.lines.Text()), true
}

// say prints a fact, which may hold foreign text, on a line.
func (s *session) say(format string, args ...any) {
	fmt.Fprintln(s.Out, legible.Line(fmt.Sprintf(format, args...)))
}

// tell prints an error and its next step.
func (s *session) tell(err error) {
	s.say("error: %v", err)
	if hint := model.HintOf(err); hint != "" {
		s.say("next: %s", hint)
	}
}

func (s *session) command(ctx context.Context, line string) error {
	name, rest, _ := strings.Cut(line, " ")
	if name == "" {
		return nil
	}
	if base, ok := strings.CutPrefix(name, "branch="); ok { // a scope as every hint and verb writes it
		name, rest = "branch", base
	}
	v, err := lookUp(name)
	if err != nil {
		return err
	}
	return v.do(s, ctx, strings.TrimSpace(rest))
}

// open reads the state of the repository and opens what the review is about.
func (s *session) open(ctx context.Context) error {
	if err := s.overview(ctx); err != nil {
		return err
	}
	s.say("overturn, line by line: help lists the commands")
	if i := s.over.Interrupted; i != nil {
		s.say("warning: a rollback was interrupted after %d of %d paths; overturn recover %s finishes or unwinds it", i.Done, i.Of, i.ID)
	}
	if s.over.Damage != "" {
		s.say("warning: %s", s.over.Damage)
	}
	scope := model.Scope{Kind: model.ScopeWorking}
	switch {
	case s.Scope != nil:
		scope = *s.Scope
	case len(s.over.Turns) > 0:
		scope = model.Scope{Kind: model.ScopeLatest}
	}
	return s.compare(ctx, scope)
}

func (s *session) overview(ctx context.Context) (err error) {
	var thread model.ThreadID
	if s.Scope != nil {
		thread = s.Scope.Thread
	}
	s.over, err = s.Engine.Overview(ctx, thread, turnsRead)
	return err
}

// compare opens a comparison and tells of it.
func (s *session) compare(ctx context.Context, scope model.Scope) error {
	if scope.Thread == "" && scope.OfTurns() && s.over != nil {
		scope.Thread = s.over.Thread
	}
	cmp, err := s.Engine.Compare(ctx, scope)
	if err != nil {
		return err
	}
	s.cmp, s.file, s.doc, s.hunk = cmp, -1, nil, -1
	all := make([]int, len(cmp.Files))
	for i := range all {
		all[i] = i
	}
	sums, err := s.Engine.Summaries(ctx, cmp, all, s.options())
	if err != nil {
		return err
	}
	for _, sum := range sums {
		f := &cmp.Files[sum.Index]
		f.Additions, f.Deletions, f.Binary, f.Owner = sum.Additions, sum.Deletions, sum.Binary, sum.Owner
		f.Hunks, f.Read = sum.Hunks, sum.Read
	}
	return s.files(ctx, "")
}

func (s *session) options() ui.DocumentOptions { return ui.DocumentOptions{IgnoreSpace: !s.exact} }

// errNothing says that there is nothing to act on.
func errNothing(what, next string) error { return model.Usagef("no %s", what).WithHint("%s", next) }
