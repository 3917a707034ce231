package ui

import (
	"context"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/model/settings"
	"overturn/themes"
	"overturn/ui/highlight"
	"overturn/ui/keymap"
	"overturn/ui/style"
	"overturn/ui/terminal"
)

// Options says how the review is opened.
type Options struct {
	Engine  Engine
	Clock   model.Clock
	In, Out *os.File
	Getenv  func(string) string
	NoMouse bool // leave the mouse to the terminal
	Sync    settings.Sync
	Keys    []keymap.Bound // the user's, over those of the catalogue
	Notes   []string       // what of the settings does not hold
	Theme   string         // the name of a theme, "light", "dark", or "" for what fits
	Scope   *model.Scope   // nil: the latest turn when there is one, else the working tree
}

// Run opens the review on a terminal and returns when the user leaves it. Errors
// are those of terminal.Open and terminal.Run. What is being written then is waited for:
// it is put back.
func Run(ctx context.Context, o Options) error {
	profile := style.Profile(o.Getenv)
	left := o.Engine.Kept(ctx)
	theme := o.Theme
	if _, known := themes.Named(left.Theme); known && theme == "" {
		theme = left.Theme
	}
	follow := theme == "" && style.Follows(profile, o.Getenv)
	t, err := terminal.Open(terminal.Options{In: o.In, Out: o.Out,
		NoMouse: o.NoMouse, Scheme: follow, NoSync: o.Sync == settings.SyncOff || o.Sync != settings.SyncOn && !terminal.Synchronises(o.Getenv)})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // jobs end with the review
	var send func(tea.Msg)
	m := New(ctx, Config{Engine: o.Engine, Clock: o.Clock, Screen: t, Profile: profile,
		Theme: style.Choose(theme, profile, o.Getenv), Scope: o.Scope, Lend: t.Lend, Colours: highlight.New(), Follow: follow,
		Stop: terminal.Stopper(), Mouse: t.Mouse, NoMouse: o.NoMouse, Keys: o.Keys, Notes: o.Notes, Kept: left},
		func(msg tea.Msg) { send(msg) })
	err = terminal.Run(ctx, t, m, func(s func(tea.Msg)) { send = s })
	cancel()
	m.Wait()
	if err == nil || model.CodeOf(err) == model.CodeCancelled {
		// Nobody can be told any more that it failed, and it costs him a few keys alone.
		_ = o.Engine.Keep(context.WithoutCancel(ctx), m.Kept())
	}
	return err
}
