package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/agents"
	"overturn/review/agents/effects"
	"overturn/review/backfill"
	"overturn/review/ledger"
)

func traceOf(repo *gitops.Repo, clock model.Clock) *trace.File {
	return trace.NewFile(filepath.Join(repo.StateDir(), traceName), clock)
}

// recorder is the ledger as a hook needs it. Settings that are broken do not keep
// a snapshot from being taken: the record waits, and the error is told.
func (h *hookRun) recorder() (*ledger.Ledger, error) {
	a, repo := h.app, h.repo
	set, broken := settings.Load(repo.Root, a.userDir(), a.env.Getenv)
	h.settings = set
	objs := objects.Open(repo)
	a.opened = append(a.opened, objs)
	store := refs.New(repo)
	deps := ledger.Deps{
		Repo: repo, Objects: objs, Refs: store, Clock: a.env.Clock, IDs: a.ids, Trace: traceOf(repo, a.env.Clock),
		Snapshots: snapshot.New(repo, objs, store, snapshot.Options{MaxFileSize: set.MaxFileSize, Clock: a.env.Clock}),
		Refused:   tooWide(repo, a.env, set), ShareSnapshots: set.ShareSnapshots,
		RolledBack: func(since time.Time) (bool, error) { return rolledBackSince(repo, since) },
	}
	var l *ledger.Ledger
	deps.Owners = review.TurnOwners(objs, func(ctx context.Context, o ledger.Overlap) (review.Beside, error) {
		return review.BesideIn(ctx, l, o)
	})
	if broken == nil {
		var records *checkpoint.Topology
		if records, broken = openRecords(set.Checkpoints, a.recordContext(repo, objs, store, deps.Trace)); broken == nil {
			deps.Records, h.records = records, records
		}
	}
	l = ledger.New(deps)
	return l, broken
}

// record tells the ledger of the event.
func (h *hookRun) record(ctx context.Context) error {
	if err := h.repo.EnsureStateDir(); err != nil {
		return err
	}
	l, broken := h.recorder()
	h.ledger.Store(l)
	return errors.Join(broken, h.tell(ctx, l))
}

func (h *hookRun) tell(ctx context.Context, l *ledger.Ledger) error {
	e := h.event
	var err error
	switch e.Kind {
	case agents.SessionStart:
		return l.SessionStart(ctx, ledger.SessionEvent{Thread: e.Session, Agent: e.Agent, ByHook: true, At: e.At, PID: ledger.FindAgent(os.Getppid())})
	case agents.TurnStart:
		turn, err := l.Start(ctx, ledger.StartEvent{Thread: e.Session, Agent: e.Agent, TurnID: e.TurnID, Prompt: e.Prompt,
			ReportsTools: e.ReportsTools, ByHook: true, At: e.At, PID: ledger.FindAgent(os.Getppid()), Transcript: e.Transcript})
		return errors.Join(err, h.handOver(ctx, turn))
	case agents.TurnEnd:
		if e.Background {
			if _, err := l.Effect(ctx, e.Session, stillRuns(h.app.env.Clock().UTC())); err != nil && !errors.Is(err, ledger.ErrDeferred) {
				return err
			}
		}
		_, err = l.End(ctx, ledger.EndEvent{Thread: e.Session, Agent: e.Agent, TurnID: e.TurnID, State: e.State,
			MessageID: e.MessageID, Message: e.Message, ByHook: true, At: e.At})
	case agents.SessionEnd:
		// a turn that is still open may have failed, been cut or lost its end: nobody says
		err = l.SessionEnd(ctx, ledger.SessionEvent{Thread: e.Session, Agent: e.Agent, State: model.TurnUnknown, ByHook: true, At: e.At})
		h.takeTranscripts(ctx, l)
	case agents.PreTool, agents.PostTool:
		return h.tool(ctx, l)
	}
	return err
}

// sessionTurns is how many turns of a session that ends are looked at for what their
// records lack.
const sessionTurns = 100

// takeTranscripts adds what the agent wrote of its turns, some of it after their hooks,
// to their records. What fails is traced: `checkpoint backfill` tries again.
func (h *hookRun) takeTranscripts(ctx context.Context, l *ledger.Ledger) {
	if h.records == nil || h.event.Transcript == "" {
		return
	}
	turns, err := l.Briefs(ctx, h.event.Session, sessionTurns)
	if err == nil {
		err = backfill.Deps{Ledger: l, Records: h.records, Clock: h.app.env.Clock}.Transcripts(ctx, turns)
	}
	if err != nil && model.CodeOf(err) != model.CodeUsage { // a session without turns has nothing to tell
		traceOf(h.repo, h.app.env.Clock).Record(trace.Event{Event: trace.CheckpointCreate, Thread: h.event.Session, Outcome: "not filled", Reason: err.Error()})
	}
}

// tool records a tool call and, when it is over, what it did outside the files.
func (h *hookRun) tool(ctx context.Context, l *ledger.Ledger) error {
	e := h.event
	inside, outside := agents.Place(h.repo.Root, e.Cwd, e.Writes)
	phase := ledger.PhasePre
	if e.Kind == agents.PostTool {
		phase = ledger.PhasePost
	}
	err := l.Tool(ctx, ledger.ToolEvent{Thread: e.Session, TurnID: e.TurnID, Phase: phase, Tool: e.Tool, CallID: e.CallID,
		Paths: inside, Command: effects.Line(e.Command), Failed: e.Failed, Effect: h.unclassified(), At: e.At})
	if errors.Is(err, ledger.ErrDeferred) {
		err = nil
	}
	if phase == ledger.PhasePre {
		return err
	}
	for _, effect := range h.effects(outside) {
		if _, failed := l.EffectOf(ctx, e.Session, e.CallID, effect); failed != nil && !errors.Is(failed, ledger.ErrDeferred) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

func (h *hookRun) effects(outside []string) []model.Effect {
	e := h.event
	at := e.At
	if at.IsZero() {
		at = h.app.env.Clock().UTC()
	}
	var list []model.Effect
	if !e.Failed {
		for _, path := range outside {
			list = append(list, effects.Outside(path, at))
		}
	}
	if effect, ok := effects.OfTool(e.Tool, e.Failed, at); ok {
		list = append(list, effect)
	}
	if e.Command != "" {
		list = append(list, effects.Of(h.command(at))...)
	}
	return list
}

func (h *hookRun) command(at time.Time) effects.Command {
	e := h.event
	return effects.Command{Text: e.Command, Root: h.repo.Root, Cwd: e.Cwd,
		Home: h.app.env.Getenv("HOME"), Detached: e.Detached, Failed: e.Failed, At: at}
}

// unclassified is what a command that ran is listed as where nothing is known of it,
// or nil.
func (h *hookRun) unclassified() *model.Effect {
	e := h.event
	if e.Kind != agents.PostTool || e.Command == "" {
		return nil
	}
	at := e.At
	if at.IsZero() {
		at = h.app.env.Clock().UTC()
	}
	words := effects.Unclassified(h.command(at))
	if words == "" {
		return nil
	}
	effect := effects.OfUnclassified(words, e.Failed)
	effect.At = at
	return &effect
}

// stillRuns is the effect of a turn that left tasks of its own behind.
func stillRuns(at time.Time) model.Effect {
	return model.Effect{Domain: model.DomainProcesses, Summary: "background tasks still ran when the turn ended", Reversible: model.ReversibleUnknown,
		Compensation: "stop them; what they write later is not part of the turn", At: at}
}
