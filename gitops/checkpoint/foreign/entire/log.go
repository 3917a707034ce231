package entire

import (
	"context"
	"fmt"
	"io"

	"overturn/gitops/objects"
	"overturn/model"
)

// mostLog bounds one part of a log, in bytes: the Entire CLI parts logs at 50 MiB.
const mostLog = 64 << 20

// logIn finds the agent's log in a folder: the raw one, else the compact one.
func logIn(entries []objects.TreeEntry) string {
	for _, name := range []string{"full.jsonl", "transcript.jsonl"} {
		for _, e := range entries {
			if e.Name == name && !e.IsTree() {
				return name
			}
		}
	}
	return ""
}

// WriteLog writes the log of a session, all its parts one after the other; false where
// there is none. It is what the agent wrote as far as the Entire CLI kept it.
func (r *Reader) WriteLog(ctx context.Context, s *Session, w io.Writer) (bool, error) {
	if s.log == "" {
		return false, nil
	}
	entries, err := r.objects.Tree(ctx, s.tree)
	if err != nil {
		return false, model.Failf(err, "the log cannot be read")
	}
	for part := 0; ; part++ {
		name := s.log
		if part > 0 {
			name = fmt.Sprintf("%s.%03d", s.log, part)
		}
		data, why := r.blob(ctx, entries, name, mostLog)
		switch {
		case why != "":
			return true, model.Errorf(model.CodeFailed, "the log cannot be read whole: %s", why)
		case data == nil && part > 0:
			return true, nil
		}
		if _, err := w.Write(data); err != nil {
			return true, err
		}
	}
}
