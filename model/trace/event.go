package trace

import (
	"time"

	"overturn/model"
	"overturn/model/wire"
)

// Name is what happened.
type Name string

// The events of CONTRACT section 3.
const (
	TurnStarted             Name = "turn.started"
	TurnEnded               Name = "turn.ended"
	FilePatch               Name = "file.patch"
	EffectRecorded          Name = "effect.recorded"
	CheckpointCreate        Name = "checkpoint.create"
	CheckpointCaptureFailed Name = "checkpoint.capture.failed"
	CheckpointDiff          Name = "checkpoint.diff"
	RollbackStaged          Name = "rollback.staged"
	RollbackConfirmed       Name = "rollback.confirmed"
	RollbackCancelled       Name = "rollback.cancelled"
	RollbackStale           Name = "rollback.stale"
	RollbackRefused         Name = "rollback.refused"
	RollbackStarted         Name = "rollback.started"
	CheckpointRollback      Name = "checkpoint.rollback"
	RollbackVerified        Name = "rollback.verified"
	RollbackUndone          Name = "rollback.undone"
	RollbackRecovered       Name = "rollback.recovered"
	RevertRequested         Name = "checkpoint.revert.requested"
	RevertFailed            Name = "checkpoint.revert.failed"
	ThreadReverted          Name = "thread.reverted"
	SyncPushed              Name = "sync.pushed"
	SyncFetched             Name = "sync.fetched"
	AgentTold               Name = "agent.told"
)

// Names lists every event in CONTRACT's order.
func Names() []Name {
	return []Name{TurnStarted, TurnEnded, FilePatch, EffectRecorded, CheckpointCreate, CheckpointCaptureFailed,
		CheckpointDiff, RollbackStaged, RollbackConfirmed, RollbackCancelled, RollbackStale, RollbackRefused,
		RollbackStarted, CheckpointRollback, RollbackVerified, RollbackUndone, RollbackRecovered, RevertRequested,
		RevertFailed, ThreadReverted, SyncPushed, SyncFetched, AgentTold}
}

// Event is one line of the trace. At is filled in by the recorder when it is
// zero. Before and After are SHA-256 sums (of a path's bytes) or ids of trees and
// commits, as the event says; GitStatus is porcelain text.
type Event struct {
	At        time.Time      `json:"at"`
	Event     Name           `json:"event"`
	Thread    model.ThreadID `json:"thread,omitempty"`
	Turn      int            `json:"turn"`
	Paths     model.Paths    `json:"paths,omitempty"`
	Before    string         `json:"before,omitempty"`
	After     string         `json:"after,omitempty"`
	Additions int            `json:"additions"`
	Deletions int            `json:"deletions"`
	GitStatus string         `json:"git_status,omitempty"`
	Outcome   string         `json:"outcome,omitempty"`
	ID        model.ID       `json:"id,omitempty"`     // checkpoint or rollback
	Reason    string         `json:"reason,omitempty"` // why it failed, was refused or cut short
	Detail    map[string]any `json:"detail,omitempty"` // whatever else the event has
}

// line is the event in JSON, to the same bytes as encoding/json gives.
func (e *Event) line() ([]byte, error) {
	var w wire.Writer
	w.Open("")
	w.Time("at", e.At)
	w.Text("event", string(e.Event))
	w.TextIf("thread", string(e.Thread))
	w.Int("turn", e.Turn)
	if len(e.Paths) > 0 {
		e.Paths.Write(&w, "paths")
	}
	w.TextIf("before", e.Before)
	w.TextIf("after", e.After)
	w.Int("additions", e.Additions)
	w.Int("deletions", e.Deletions)
	w.TextIf("git_status", e.GitStatus)
	w.TextIf("outcome", e.Outcome)
	w.TextIf("id", string(e.ID))
	w.TextIf("reason", e.Reason)
	if len(e.Detail) > 0 {
		if err := w.Any("detail", e.Detail); err != nil {
			return nil, err
		}
	}
	w.Close()
	return w.Bytes(), nil
}

// Recorder takes events, in their order. Recording never fails its caller.
type Recorder interface{ Record(...Event) }

// Discard is a Recorder that keeps nothing.
type Discard struct{}

// Record does nothing.
func (Discard) Record(...Event) {}
