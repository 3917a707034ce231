package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
)

// statusWire is overturn.status/1.
type statusWire struct {
	Repository  string             `json:"repository"`
	RepoB64     string             `json:"repository_b64,omitempty"` // where the path is not UTF-8
	WorkTree    string             `json:"work_tree"`
	Thread      model.ThreadID     `json:"thread"`
	Threads     int                `json:"threads"`
	Turns       int                `json:"turns"`
	Last        *lastWire          `json:"last"`
	Staged      []model.StagedPath `json:"staged"`
	Interrupted *interruptedWire   `json:"interrupted"`
	Queued      int                `json:"queued"`
	Comments    saidWire           `json:"comments"`
	Waiting     *takeBackWire      `json:"waiting"`     // a take-back that waits for the end of turns, or null
	Unprotected string             `json:"unprotected"` // why no turn can be recorded, or ""
	Storage     storageWire        `json:"storage"`
	MaxFileSize int64              `json:"max_file_size"` // of what captures take, in bytes
}

// takeBackWire is a take-back that was confirmed in the review while turns were open.
type takeBackWire struct {
	Fingerprint string                `json:"fingerprint"`
	Paths       model.Paths           `json:"paths"`
	Partial     bool                  `json:"partial"`
	Turns       []rollback.WaitedTurn `json:"turns"`
	AskedAt     time.Time             `json:"asked_at"`
	Open        bool                  `json:"open"` // one of the turns has not ended
}

// storageWire is what snapshots and records take in the repository; retired are bytes
// that wait for git's gc.
type storageWire struct {
	Packs   int   `json:"packs"`
	Bytes   int64 `json:"bytes"`
	Retired int64 `json:"retired"`
}

// largeStorage is from which size on status tells of it to people, in bytes.
const largeStorage = 1 << 30

type lastWire struct {
	Turn         int                  `json:"turn"`
	Status       model.SnapshotStatus `json:"status"`
	StatusReason string               `json:"status_reason"`
	State        model.TurnState      `json:"state"`
}

type interruptedWire struct {
	ID        model.ID  `json:"id"`
	StartedAt time.Time `json:"started_at"`
	Done      int       `json:"done"`
	Of        int       `json:"of"`
}

func newStatus(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the repository, its threads, the last checkpoint and what is staged",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context()) },
	}
}

// status prints overturn.status/1. A repository without turns is a status too.
func (a *app) status(ctx context.Context) error {
	e, err := a.openSettled(ctx)
	if err != nil {
		return err
	}
	s, turns, err := e.status(ctx)
	bare := e.unprotected()
	if err != nil {
		return errors.Join(bare, err)
	}
	if bare != nil {
		s.Unprotected = bare.Error()
	}
	// A staged set or a history that is damaged keeps nobody from seeing the rest.
	damaged := e.stagedAndInterrupted(ctx, s)
	var unread error
	s.Comments, unread = e.said()
	damaged = errors.Join(damaged, unread)
	var unqueued error
	s.Queued, unqueued = e.queuedCount(ctx)
	damaged = errors.Join(damaged, unqueued)
	err = a.emit("overturn.status/1", s, func(w *bufio.Writer) {
		fmt.Fprintf(w, "repository %s (work tree %s)\n", safe(s.Repository), s.WorkTree)
		if s.Unprotected != "" {
			fmt.Fprintln(w, safe(s.Unprotected))
		}
		if words := e.sizeLimit(); words != "" {
			fmt.Fprintln(w, words)
		}
		if trouble := e.ledger.CaptureTrouble(); trouble != nil {
			fmt.Fprintf(w, "hooks do not capture at present: %s\n", safe(trouble.Error()))
		}
		if s.Last == nil {
			fmt.Fprintln(w, a.firstSteps(ctx, e))
		} else {
			fmt.Fprintf(w, "thread %s, %s\n", safe(string(s.Thread)), count(s.Turns, "turn"))
			for i := range turns {
				a.turnLine(w, &turns[i])
			}
		}
		if s.Storage.Bytes >= largeStorage {
			fmt.Fprintf(w, "snapshots take %s in %s: overturn checkpoint prune lets old ones go\n", bytesText(s.Storage.Bytes), count(s.Storage.Packs, "pack"))
		}
		for _, p := range s.Staged {
			fmt.Fprintf(w, "staged %s%s from %s\n", patch.Quote(p.Path), chosen(p.Hunks, p.Lines), scopeWord(p.Scope)+foreign(p.Thread, s.Thread))
		}
		if s.Waiting != nil {
			fmt.Fprintln(w, s.Waiting.words(a))
		}
		s.Comments.lines(w)
		if s.Queued > 0 {
			fmt.Fprintf(w, "%s to be pushed: overturn sync push\n", waits(s.Queued))
		}
		if s.Interrupted != nil {
			fmt.Fprintf(w, "rollback %s was cut short at %d of %d paths: run overturn recover\n", s.Interrupted.ID, s.Interrupted.Done, s.Interrupted.Of)
		}
	})
	return errors.Join(err, damaged)
}

// firstSteps says that nothing is recorded yet, and what records the first turn, or that
// all of it was taken back.
func (a *app) firstSteps(ctx context.Context, e *engines) string {
	if e.ledger.AllOut(ctx) {
		return "all turns that were recorded here were taken back: overturn turns --reverted lists them, overturn undo takes the last revert back"
	}
	var on, untrusted []string
	hooks, _ := a.hookRows(ctx, e)
	for _, h := range hooks {
		switch {
		case h.Untrusted:
			untrusted = append(untrusted, h.Agent)
		case h.Installed:
			on = append(on, h.Agent)
		}
	}
	var said []string
	if len(on) > 0 {
		said = append(said, "the hooks of "+strings.Join(on, ", ")+" are in place, the next prompt is recorded")
	}
	if len(untrusted) > 0 {
		said = append(said, "the hooks of "+strings.Join(untrusted, ", ")+" wait for your trust: overturn agents says how")
	}
	if len(said) > 0 {
		return "no turns are recorded here yet: " + strings.Join(said, "; ")
	}
	return "no turns are recorded here yet: run overturn enable, then let your agent take a turn"
}

// foreign names the thread of what is staged where it is not the one shown.
func foreign(thread, shown model.ThreadID) string {
	if thread == "" || thread == shown {
		return ""
	}
	return " of thread " + safe(string(thread))
}

// recentTurns is how many turns status lists.
const recentTurns = 5

// status gathers what the verb of that name tells.
func (e *engines) status(ctx context.Context) (*statusWire, []model.Turn, error) {
	s := &statusWire{Repository: e.repo.Root, RepoB64: model.Path(e.repo.Root).B64(), WorkTree: e.repo.WorkTree, Staged: []model.StagedPath{}, MaxFileSize: e.settings.MaxFileSize}
	threads, err := e.ledger.Threads(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.Threads = len(threads)
	if usage, err := e.objects.Usage(); err == nil {
		s.Storage = storageWire{usage.Packs, usage.Bytes, usage.Retired}
	}
	if s.Thread, err = e.newestThread(ctx); err != nil {
		return nil, nil, err
	}
	var turns []model.Turn
	if s.Thread != "" {
		if turns, err = e.ledger.Turns(ctx, s.Thread, recentTurns); err != nil {
			return nil, nil, err
		}
	}
	for _, t := range threads {
		if t.ID == s.Thread {
			s.Turns = t.Turns
		}
	}
	if len(turns) > 0 {
		e.ledger.Check(ctx, turns)
		newest := turns[len(turns)-1]
		s.Last = &lastWire{newest.Number, newest.Status, newest.StatusReason, newest.State}
	}
	return s, turns, nil
}

func (e *engines) stagedAndInterrupted(ctx context.Context, s *statusWire) error {
	engine, err := e.writing()
	if err != nil {
		return err
	}
	staged, serr := engine.Staged(ctx)
	s.Staged = model.NotNil(staged)
	cut, err := engine.Interrupted(ctx)
	if err == nil && cut != nil {
		s.Interrupted = &interruptedWire{cut.ID, cut.StartedAt, cut.Done, cut.Of}
	}
	waiting, werr := e.waiting(ctx)
	s.Waiting = waiting
	return errors.Join(serr, err, werr)
}

// waiting is the take-back that waits, nil where none does.
func (e *engines) waiting(ctx context.Context) (*takeBackWire, error) {
	engine, err := e.writing()
	if err != nil {
		return nil, err
	}
	w, err := engine.Waiting()
	if err != nil || w == nil {
		return nil, err
	}
	open, err := e.ledger.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &takeBackWire{w.Fingerprint, w.Paths, w.Partial, model.NotNil(w.Turns), w.AskedAt, stillOpen(w, open)}, nil
}

// words says what waits, and what becomes of it.
func (w *takeBackWire) words(a *app) string {
	s := fmt.Sprintf("the rollback of %s, confirmed %s, waits for the end of %s", count(len(w.Paths), "path"), a.age(w.AskedAt), safe(waitedFor(w.Turns)))
	if w.Open {
		return s + ": a review that is open carries it out then"
	}
	return s + ", which is over: no review was open; it stays staged"
}
