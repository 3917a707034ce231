package ui

import (
	"context"

	"overturn/model"
	"overturn/ui/view"
)

// Answerer is the part of the engine that keeps what the user has to say to the agent.
type Answerer interface {
	// Answer gathers it for the agent of a thread, "" for the one with the newest turn.
	Answer(ctx context.Context, thread model.ThreadID) (*view.Answer, error)
	// SaveComment keeps a comment: a new one without an id, else the one that has it.
	SaveComment(ctx context.Context, c model.Comment) error
	DeleteComments(ctx context.Context, ids []model.ID) error
	// HandOver lets the next prompt of the thread bring what was not told yet.
	HandOver(ctx context.Context, thread model.ThreadID) (*view.Waiting, error)
	// Withdraw drops what waits to be handed over.
	Withdraw(ctx context.Context) error
	// Copy puts a text on the clipboard, as far as that is not the terminal's to do.
	Copy(ctx context.Context, text string) (view.Copied, error)
}
