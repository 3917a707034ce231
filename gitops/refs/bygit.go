package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// applyByGit makes the updates in one transaction of git's own.
func (s *Store) applyByGit(ctx context.Context, updates []Update) error {
	zero := strings.Repeat("0", 2*s.repo.HashSize())
	var in bytes.Buffer
	in.WriteString("start\x00")
	for _, u := range updates {
		switch {
		case u.New == "":
			fmt.Fprintf(&in, "delete %s\x00%s\x00", u.Name, u.Old)
		case u.Old == "":
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Name, u.New, zero)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Name, u.New, u.Old)
		}
	}
	in.WriteString("prepare\x00commit\x00")
	_, err := s.repo.GitInput(ctx, in.Bytes(), "update-ref", "--stdin", "-z")
	if err == nil {
		return nil
	}
	return s.whyNot(ctx, updates, err)
}

// whyNot looks at the refs instead of git's words: one that does not hold what was
// expected is the reason.
func (s *Store) whyNot(ctx context.Context, updates []Update, cause error) error {
	for _, u := range updates {
		found, err := s.Read(ctx, u.Name)
		if err == nil && found != u.Old {
			return &MovedError{Name: u.Name, Want: u.Old, Found: found}
		}
	}
	var failed *gitops.GitError
	if errors.As(cause, &failed) && strings.Contains(failed.Stderr, ".lock': File exists") {
		return &model.Error{Code: model.CodeLocked, Message: "the refs are locked by another process", Err: cause,
			Hint: "try again; if no git or overturn is running, remove the lock file that is named"}
	}
	return model.Failf(cause, "cannot move refs")
}
