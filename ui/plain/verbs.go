package plain

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/ui/view"
)

// verb is a command.
type verb struct {
	name, args, help string
	do               func(s *session, ctx context.Context, args string) error
}

// verbs is every command, in the order of the help.
func verbs() []verb {
	scope := func(kind model.ScopeKind) func(*session, context.Context, string) error {
		return func(s *session, ctx context.Context, args string) error {
			return s.compare(ctx, model.Scope{Kind: kind, Base: args})
		}
	}
	return []verb{
		{"working", "", "compare HEAD with what is on disk", scope(model.ScopeWorking)},
		{"branch", "[BASE]", "compare the branch's base with what is on disk", scope(model.ScopeBranch)},
		{"latest", "", "compare the two ends of the latest turn", scope(model.ScopeLatest)},
		{"turn", "SCOPE", "compare the two ends of a turn (3), or the end of one with that of a later one (2..5)", (*session).turn},
		{"turns", "", "list the turns", (*session).turns},
		{"files", "", "list the files that differ", (*session).files},
		{"file", "N or PATH", "open a file and print it", (*session).openFile},
		{"next", "", "print the next hunk, in this file or the next one", (*session).next},
		{"previous", "", "print the hunk before", (*session).previous},
		{"hunk", "N", "print a hunk of this file", (*session).goHunk},
		{"show", "", "print all hunks of this file", (*session).show},
		{"space", "", "show changes of white space, or hide them", (*session).toggleSpace},
		{"search", "TEXT", "print the lines that hold a text, in all files", (*session).search},
		{"read", "[file]", "mark the hunk, or the file, as read and go on", (*session).markRead},
		{"unread", "[file]", "take the mark back", (*session).markUnread},
		{"comment", "TEXT", "say something about the hunk, to be told to the agent", (*session).comment},
		{"stage", "[file | A-B]", "stage the hunk, the file, or lines A to B of the new side", (*session).stage},
		{"unstage", "[all]", "take this file, or everything, out of what is staged", (*session).unstage},
		{"plan", "", "print what would be taken back, and how", (*session).plan},
		{"rollback", "", "take back what is staged (asks)", (*session).rollback},
		{"undo", "", "undo the last rollback (asks)", (*session).undo},
		{"redo", "", "redo it (asks)", (*session).redo},
		{"revert", "N [keep]", "take the whole thread back to the end of turn N, 0: to before the first; keep leaves the agent's conversation as it is (asks)", (*session).revert},
		{"history", "", "list the rollbacks", (*session).history},
		{"refresh", "", "read everything again", (*session).refresh},
		{"help", "", "list the commands", (*session).help},
		{"quit", "", "leave", func(s *session, _ context.Context, _ string) error { s.ended = true; return nil }},
	}
}

// lookUp is the verb of a name, or of its beginning where only one begins so.
func lookUp(name string) (verb, error) {
	var found []verb
	for _, v := range verbs() {
		if v.name == name {
			return v, nil
		}
		if strings.HasPrefix(v.name, name) {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 0:
		return verb{}, model.Usagef("there is no command %q", name).WithHint("help lists them")
	case 1:
		return found[0], nil
	}
	names := make([]string, len(found))
	for i, v := range found {
		names[i] = v.name
	}
	return verb{}, model.Usagef("%q may be %s", name, strings.Join(names, " or ")).WithHint("type more of it")
}

func (s *session) help(context.Context, string) error {
	for _, v := range verbs() {
		s.say("%s: %s", strings.TrimSpace(v.name+" "+v.args), v.help)
	}
	return nil
}

func (s *session) refresh(ctx context.Context, _ string) error {
	if err := s.overview(ctx); err != nil {
		return err
	}
	if s.cmp == nil {
		return s.open(ctx)
	}
	return s.compare(ctx, s.cmp.Scope)
}

func (s *session) turn(ctx context.Context, args string) error {
	scope, err := model.ParseScope(args)
	if err == nil && !scope.OfTurns() {
		err = model.Usagef("%q is no turn", args).WithHint("turns lists them; working and branch are commands of their own")
	}
	if err != nil {
		return err
	}
	return s.compare(ctx, scope)
}

func (s *session) turns(ctx context.Context, _ string) error {
	if err := s.overview(ctx); err != nil {
		return err
	}
	if len(s.over.Turns) == 0 {
		s.say("no turn is recorded here yet")
		return nil
	}
	if s.over.Older > 0 {
		s.say("%s before these", view.Count(s.over.Older, "turn"))
	}
	for _, t := range s.over.Turns {
		words := []string{fmt.Sprintf("turn %d", t.Number), view.BadgeOf(t).Word}
		if end := view.Ending(t.State); end != "" {
			words = append(words, end)
		}
		if t.Files >= 0 {
			words = append(words, view.Count(t.Files, "file"), fmt.Sprintf("%d added, %d removed", t.Additions, t.Deletions))
		}
		if t.Effects > 0 {
			words = append(words, view.Count(t.Effects, "effect"))
		}
		words = append(words, view.Ago(s.Clock(), t.StartedAt), t.Prompt)
		if t.StatusReason != "" {
			words = append(words, t.StatusReason)
		}
		s.say("%s", strings.Join(words, ", "))
	}
	return nil
}

// number reads a number from 1 to n; the command list prints what there is.
func number(args string, n int, what, list string) (int, error) {
	i, err := strconv.Atoi(args)
	if err != nil || i < 1 || i > n {
		return 0, model.Usagef("%q is no %s from 1 to %d", args, what, n).WithHint("%s", list)
	}
	return i, nil
}
