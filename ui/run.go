package ui

import (
	"context"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/style"
	"overturn/ui/terminal"
)

// Options says how the review is opened.
type Options struct {
	Engine  Engine
	Clock   model.Clock
	In, Out *os.File
	Getenv  func(string) string
	Theme   string       // the name of a theme, "light", "dark", or "" for what fits
	Scope   *model.Scope // nil: the latest turn when there is one, else the working tree
}

// Run opens the review on a terminal and returns when the user leaves it. Errors
// are those of terminal.Open and terminal.Run. OVERTURN_NO_MOUSE leaves the mouse
// to the terminal, OVERTURN_NO_SYNC turns synchronised output off.
func Run(ctx context.Context, o Options) error {
	t, err := terminal.Open(terminal.Options{In: o.In, Out: o.Out,
		NoMouse: o.Getenv("OVERTURN_NO_MOUSE") != "", NoSync: o.Getenv("OVERTURN_NO_SYNC") != ""})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // jobs end with the review
	profile := style.Profile(o.Getenv)
	var send func(tea.Msg)
	m := New(ctx, Config{Engine: o.Engine, Clock: o.Clock, Screen: t, Profile: profile,
		Theme: style.Choose(o.Theme, profile, o.Getenv), Scope: o.Scope, Lend: t.Lend},
		func(msg tea.Msg) { send(msg) })
	return terminal.Run(ctx, t, m, func(s func(tea.Msg)) { send = s })
}
