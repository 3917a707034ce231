package cli

import (
	"context"
	"errors"
	"io"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

// showLog writes what the agent itself wrote of a turn: as the other program kept it that
// recorded the turn, else the part that the turn's record holds.
func (e *engines) showLog(ctx context.Context, t *model.Turn) error {
	w := e.app.patches()
	found, err := e.book.WriteLog(ctx, t.Thread, t.Number, w)
	if found || err != nil {
		return err
	}
	if t.Checkpoint != "" {
		rec, err := e.records.Read(ctx, t.Checkpoint)
		if err != nil && !errors.Is(err, checkpoint.ErrNotFound) {
			return err
		}
		if err == nil && len(rec.Transcript) > 0 {
			_, err = w.Write(rec.Transcript)
			return endLine(w, rec.Transcript, err)
		}
	}
	return model.Errorf(model.CodeFailed, "no log of turn %d is kept: its agent told of none", t.Number).
		WithHint("`overturn show %d --thread %s` shows what is", t.Number, t.Thread.Word())
}

// endLine ends a text whose last line has no end: what is escaped goes line by line.
func endLine(w io.Writer, text []byte, err error) error {
	if err == nil && text[len(text)-1] != '\n' {
		_, err = io.WriteString(w, "\n")
	}
	return err
}
