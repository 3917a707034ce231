package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
	"overturn/review/agents"
	"overturn/review/ledger"
)

// Time that a hook may take in all. The end of a session and an interrupt are
// given 1 to 3 s by the agents, and their programs go on to exit; the others
// wait for us.
const (
	hookTime     = 10 * time.Second
	hookTimeLast = 700 * time.Millisecond
	hookGrace    = 2 * time.Second        // for what notices its deadline late
	hookLeave    = 500 * time.Millisecond // for leaving the event behind after that
	hookRead     = 3 * time.Second
)

// hookName is the verb that agents call.
const hookName = "hook"

func newHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "hook AGENT [EVENT]",
		Short: "What an agent's hooks call: record the event on stdin",
		Long: `Read one event of a coding agent as JSON on stdin and record it. EVENT names it
where the payload does not. A hook never breaks the agent: it exits 0 and prints
nothing on stdout; its own failures go to the trace.

With --if-enabled it records only in repositories that "overturn enable" was run
in: hooks in a user's own settings file are called so.

AGENT generic takes overturn's own event, for agents and scripts without an
adapter: {"event": "turn-start", "thread": "…", "turn_id": "…", "prompt": "…"};
events: session-start, turn-start, pre-tool, post-tool, turn-end, session-end.`,
		DisableFlagParsing: true, // a flag that is not known must not exit 2, which blocks the agent
		RunE: func(cmd *cobra.Command, args []string) error {
			call, help := parseHookArgs(args)
			if help {
				return cmd.Help()
			}
			a.hook(call)
			return nil
		},
	}
}

// hookCall is the command line of a hook.
type hookCall struct {
	agent, event string
	dir          string // of -C
	ifEnabled    bool
}

func parseHookArgs(args []string) (call hookCall, help bool) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--help" || arg == "-h":
			help = true
		case arg == agents.IfEnabled:
			call.ifEnabled = true
		case arg == "-C" || arg == "--directory":
			if i++; i < len(args) {
				call.dir = args[i]
			}
		case strings.HasPrefix(arg, "-"):
		case call.agent == "":
			call.agent = arg
		case call.event == "":
			call.event = arg
		}
	}
	return call, help
}

// hook records one event. Whatever happens in here stays in here.
func (a *app) hook(call hookCall) {
	if call.dir != "" {
		a.dir = call.dir
	}
	// A hook lives for milliseconds and needs little memory: the collector would
	// start for nothing. An interrupt is meant for the agent.
	debug.SetGCPercent(400)
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	h := &hookRun{app: a, call: call, began: a.env.Clock()}
	defer func() {
		if p := recover(); p != nil {
			h.failed(model.Errorf(model.CodeFailed, "the hook broke down: %v", p))
		}
	}()
	if err := h.run(); err != nil {
		h.failed(err)
	}
}

// hookRun is one firing of a hook.
type hookRun struct {
	app   *app
	call  hookCall
	began time.Time
	event agents.Event
	repo  *gitops.Repo

	settings settings.Settings    // as far as they are whole
	records  *checkpoint.Topology // nil: it could not be opened, or nothing was recorded yet

	ledger atomic.Pointer[ledger.Ledger] // once there is one, for the watchdog
}

func (h *hookRun) run() error {
	adapter, err := agentSet().Get(h.call.agent)
	if err != nil {
		return h.unknown(err)
	}
	raw, cut := readPayload(h.app.stdin, hookRead)
	payload := agents.Payload{Raw: raw, Truncated: cut, Name: h.call.event, Getenv: h.app.env.Getenv}
	event, broken := adapter.Parse(payload)
	h.event = event
	if event.Foreign != "" {
		return h.foreign(event.Foreign, payload)
	}
	if event.Kind == agents.Ignored && broken == nil {
		return nil
	}
	return h.recorded(event, broken)
}

// recorded finds the repository of the event and records it there.
func (h *hookRun) recorded(event agents.Event, broken error) error {
	limit := hookTime
	if event.Kind == agents.SessionEnd || event.State == model.TurnInterrupted {
		limit = hookTimeLast
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit-h.app.env.Clock().Sub(h.began))
	defer cancel()
	defer h.giveUp(limit + hookGrace).Stop()
	if err := h.find(ctx); err != nil || h.repo == nil {
		return errors.Join(broken, err)
	}
	if twice, err := h.twice(); err != nil || twice {
		return errors.Join(broken, err)
	}
	if event.Kind == agents.Ignored || event.Session == "" {
		return broken
	}
	// a payload that is broken behind the names of its session and event still
	// marks a boundary: it is recorded, and the break goes to the trace
	err := h.record(ctx)
	if errors.Is(err, ledger.ErrDeferred) {
		err = nil
	}
	return errors.Join(broken, err)
}

// giveUp ends the process where the system does not come back from a call, e.g. on
// a dead network file system, or something takes longer than there is time: no
// deadline reaches in there, and the agent must not wait. The event is left for
// the next one to work off, where that much can still be written; what is cut off
// is what a crash would leave.
func (h *hookRun) giveUp(after time.Duration) *time.Timer {
	return time.AfterFunc(after, func() {
		left := make(chan error, 1)
		go func() { left <- h.abandon() }()
		select {
		case err := <-left:
			if err != nil {
				h.app.say("hook %s: the event is lost: %s", h.call.agent, err.Error())
			}
		case <-time.After(hookLeave):
		}
		h.app.say("hook %s: the system does not answer; given up", h.call.agent)
		os.Exit(0)
	})
}

// abandon leaves what is being recorded in the inbox, if it came that far.
func (h *hookRun) abandon() error {
	if l := h.ledger.Load(); l != nil {
		return l.Abandon()
	}
	return nil
}

// unknown finds where to tell of an agent that nobody knows.
func (h *hookRun) unknown(err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), hookTimeLast)
	defer cancel()
	return errors.Join(err, h.find(ctx))
}

// failed tells of a failure where it can be found: in the trace of the work tree,
// and on stderr, which agents show to nobody when a hook exits 0.
func (h *hookRun) failed(err error) {
	what := strings.Join(strings.Fields("hook "+safe(h.call.agent)+" "+safe(h.event.Name)), " ")
	fmt.Fprintf(h.app.stderr, "overturn: %s: %s\n", what, safe(err.Error()))
	if h.repo == nil {
		return
	}
	if _, statErr := os.Stat(h.repo.StateDir()); statErr != nil && h.repo.EnsureStateDir() != nil {
		return
	}
	traceOf(h.repo, h.app.env.Clock).Record(trace.Event{
		Event: trace.CheckpointCaptureFailed, Thread: h.event.Session, Outcome: "failed", Reason: err.Error(),
		Detail: map[string]any{"agent": h.call.agent, "hook": h.event.Name, "turn_id": h.event.TurnID},
	})
}
