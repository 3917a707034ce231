package rollback

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/model"
	"overturn/model/durable"
	"overturn/review/patch"
)

// waitingFile holds the take-back that waits, waitingSchema names its format.
const (
	waitingFile   = "waiting.json"
	waitingSchema = "overturn.waiting/1"
)

// Waiting is a plan that was confirmed while turns were open, to be carried out when
// they have ended. There is one at most. It is void as soon as anything is staged or
// unstaged: what was confirmed is that very staged set.
type Waiting struct {
	Schema      string       `json:"schema"`
	Fingerprint string       `json:"fingerprint"`
	Partial     bool         `json:"partial"`
	Why         string       `json:"why,omitempty"` // as ExecuteOptions has it
	Paths       model.Paths  `json:"paths"`
	Turns       []WaitedTurn `json:"turns"`
	AskedAt     time.Time    `json:"asked_at"`
	StagedSum   string       `json:"staged_sum"` // SHA-256 of the staged set's file
	StagedAt    int64        `json:"staged_at"`  // when that file was written, in nanoseconds
}

// WaitedTurn is a turn that was open when the plan was confirmed.
type WaitedTurn struct {
	Thread model.ThreadID `json:"thread"`
	Agent  string         `json:"agent"`
	Turn   int            `json:"turn"`
}

func (e *Engine) waitingPath() string { return filepath.Join(e.Repo.StateDir(), waitingFile) }

// Wait keeps a confirmed plan until turns have ended, in the place of one that waited
// before. A plan that is another by now is CodeStale, a conflict CodeRefused unless
// o.Partial; then nothing is kept.
func (e *Engine) Wait(ctx context.Context, o ExecuteOptions, turns []WaitedTurn) (*Waiting, error) {
	if err := patch.ParseFingerprint(o.Expect); err != nil {
		return nil, err
	}
	why, err := parseWhy(o.Why)
	if err != nil {
		return nil, err
	}
	unlock, err := e.lockStaged(ctx, "wait")
	if err != nil {
		return nil, err
	}
	defer unlock()
	plan, prepared, err := e.Plan(ctx)
	if err != nil {
		return nil, err
	}
	if plan.Fingerprint != o.Expect {
		_, err := e.stale(plan)
		return nil, err
	}
	if conflicts := prepared.Conflicts(); len(conflicts) > 0 && !o.Partial {
		_, err := e.refused(plan, conflicts)
		return nil, err
	}
	w := &Waiting{Schema: waitingSchema, Fingerprint: o.Expect, Partial: o.Partial, Why: why, Paths: targetPaths(plan.Targets), Turns: turns, AskedAt: e.Clock().UTC()}
	if w.StagedSum, w.StagedAt, err = e.stagedState(); err != nil {
		return nil, model.Failf(err, "the staged set cannot be read")
	}
	data, err := json.Marshal(w)
	if err == nil {
		err = durable.ReplaceFile(e.waitingPath(), append(data, '\n'), 0o600)
	}
	if err != nil {
		return nil, model.Failf(err, "what is to wait for the end of the turn cannot be kept")
	}
	return w, nil
}

// stagedState names the staged set as it was last written.
func (e *Engine) stagedState() (sum string, at int64, err error) {
	info, err := os.Stat(e.stagedPath())
	if err != nil {
		return "", 0, err
	}
	data, err := durable.ReadFile(e.stagedPath())
	return sumOf(data), info.ModTime().UnixNano(), err
}

// Waiting is the plan that waits, nil where none does or what was staged has changed.
func (e *Engine) Waiting() (*Waiting, error) {
	data, err := durable.ReadFile(e.waitingPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var w Waiting
	if err == nil {
		err = json.Unmarshal(data, &w)
	}
	if err == nil && w.Schema != waitingSchema {
		err = errors.New("it is of another format")
	}
	if err != nil {
		return nil, model.Failf(err, "%s cannot be used", e.waitingPath()).WithHint("remove it: what is staged stays staged")
	}
	sum, at, err := e.stagedState()
	if err != nil || sum != w.StagedSum || at != w.StagedAt {
		return nil, nil
	}
	return &w, nil
}

// Forget lets go of what waits; what is staged stays staged.
func (e *Engine) Forget() error {
	durable.Point("rollback.forget.remove")
	err := os.Remove(e.waitingPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = durable.SyncDir(e.Repo.StateDir())
	}
	if err != nil {
		return model.Failf(err, "what waits cannot be let go")
	}
	return nil
}

// ExecuteWaiting carries out what waits, with Execute's checks against the
// fingerprint that was confirmed. It is let go first, so that of several that find it
// one alone carries it out, and a crash never repeats it; nil is that there is none.
// Whether its turns have ended is the caller's to know.
func (e *Engine) ExecuteWaiting(ctx context.Context, progress func(done, of int)) (*model.Result, error) {
	w, err := e.takeWaiting(ctx)
	if err != nil || w == nil {
		return nil, err
	}
	return e.Execute(ctx, ExecuteOptions{Expect: w.Fingerprint, Partial: w.Partial, Why: w.Why, Progress: progress})
}

func (e *Engine) takeWaiting(ctx context.Context) (*Waiting, error) {
	unlock, err := e.lockStaged(ctx, "take what waits")
	if err != nil {
		return nil, err
	}
	defer unlock()
	w, err := e.Waiting()
	if err != nil || w == nil {
		return nil, err
	}
	return w, e.Forget()
}
