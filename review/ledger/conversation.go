package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
)

// goesOnName is the folder of conversations that go on with a thread of another name:
// an agent that cannot shorten a conversation goes on with a copy, under an id of its
// own. One file a conversation, named as threads are, that holds the thread's id.
const goesOnName = ".goes-on"

func (l *Ledger) goesOnPath(conversation model.ThreadID) string {
	return filepath.Join(ledgerDir(l.d.Repo.StateDir()), goesOnName, conversation.RefPart())
}

// goesOn lets a conversation go on with a thread of this work tree: its next turn is the
// thread's.
func (l *Ledger) goesOn(ctx context.Context, conversation, thread model.ThreadID) error {
	for _, id := range []model.ThreadID{conversation, thread} {
		if _, err := model.ParseThreadID(string(id)); err != nil {
			return err
		}
	}
	path := l.goesOnPath(conversation)
	durable.Point("ledger.goeson.mkdir")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return localFailure(err, path)
	}
	if err := durable.ReplaceFile(path, []byte(string(thread)), 0o600); err != nil {
		return localFailure(err, path)
	}
	return errors.Join(durable.SyncDir(ledgerDir(l.d.Repo.StateDir())), ctx.Err())
}

// goesOnNoMore takes goesOn back.
func (l *Ledger) goesOnNoMore(conversation model.ThreadID) error {
	path := l.goesOnPath(conversation)
	durable.Point("ledger.goeson.remove")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return localFailure(err, path)
	}
	return nil
}

// goneOnAs is the thread that a conversation goes on with, "" where it is one of its own.
// What is not to be read as a thread of this work tree is none.
func (l *Ledger) goneOnAs(conversation model.ThreadID) model.ThreadID {
	data, err := durable.ReadFile(l.goesOnPath(conversation))
	if err != nil {
		return ""
	}
	id, err := model.ParseThreadID(string(data))
	if err != nil || !dirOf(l.d.Repo.StateDir(), id).exists() {
		return ""
	}
	return id
}

// otherwise is the agent's own id of a conversation where the thread's does not tell it.
func (p *pass) otherwise(conversation, thread model.ThreadID) string {
	if conversation == "" || conversation == thread || inWorkTree(conversation, p.l.d.Repo.WorkTree) == thread {
		return ""
	}
	return string(conversation)
}
