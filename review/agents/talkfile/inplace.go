package talkfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/review/agents"
)

// InPlace takes a conversation back by replacing the one file that it is kept in,
// while the agent's program is closed. It does what agents.Conversation asks for.
type InPlace struct {
	Agent   string // as people call it
	Resume  string // the command that goes on with a conversation, without its id
	Find    func(t agents.Talk) (path string, err error)
	Prompts func(data []byte) ([]agents.Prompt, error) // those that the model would be sent
	// Without is the file as it is to be for the conversation to end before p.
	Without func(data []byte, p agents.Prompt) ([]byte, error)
	// Ended tells whether the file itself says that its program ended; nil: it never does.
	Ended func(data []byte) bool
}

// found is a conversation as it stands.
type found struct {
	file    *File
	prompts []agents.Prompt
	at      agents.Aligned
}

// Check looks whether the turns can be taken out.
func (c InPlace) Check(t agents.Talk) (agents.Standing, error) {
	path, err := c.Find(t)
	if err != nil {
		return agents.Standing{}, err
	}
	f, err := Read(path)
	if err != nil {
		return agents.Standing{}, model.Failf(err, "cannot read the conversation %s", path)
	}
	w, err := c.look(f, t)
	if err != nil {
		return agents.Standing{}, err
	}
	s := agents.Standing{Turns: w.at.Found, Done: w.at.First < 0}
	if s.Done {
		return s, nil
	}
	if err := c.closed(f, t); err != nil {
		return agents.Standing{}, err
	}
	s.More = w.at.More
	_, err = c.Without(f.Data, w.prompts[w.at.First])
	var notes []string
	if w.at.First == 0 {
		notes = append(notes, "nothing is left of the conversation: a new one is to be begun")
	} else if w.at.More > 0 {
		notes = append(notes, agents.Count(w.at.More, "later prompt")+" that overturn did not record: gone from it too")
	}
	if t.Live == agents.LiveUnknown && c.Ended == nil {
		notes = append(notes, "whether "+c.Agent+" is open on it cannot be known: close it first")
	}
	s.Note = strings.Join(notes, "; ")
	return s, err
}

// closed refuses while the program may have the conversation open: it would go on with
// what it remembers.
func (c InPlace) closed(f *File, t agents.Talk) error {
	hint := "quit it, then run the command again"
	switch {
	case t.Live == agents.LiveOpen:
		return model.Refusedf("%s is open", c.Agent).WithHint("%s", hint)
	case t.Live == agents.LiveUnknown && c.Ended != nil && !c.Ended(f.Data):
		return model.Refusedf("%s may be open: its conversation does not say that it ended", c.Agent).WithHint("%s", hint)
	}
	return nil
}

func (c InPlace) look(f *File, t agents.Talk) (found, error) {
	prompts, err := c.Prompts(f.Data)
	if err != nil {
		return found{}, &model.Error{Code: model.CodeFailed, Message: "the conversation " + f.Path + " is not as expected", Err: err}
	}
	at, err := agents.Align(prompts, t.Keep, t.Drop)
	return found{file: f, prompts: prompts, at: at}, err
}

// Rollback takes the turns out; a copy of the file before is in t.Keepsakes.
func (c InPlace) Rollback(t agents.Talk) (agents.TalkDone, error) {
	path, err := c.Find(t)
	if err != nil {
		return agents.TalkDone{}, err
	}
	now, err := Read(path)
	if err != nil {
		return agents.TalkDone{}, model.Failf(err, "cannot read the conversation %s", path)
	}
	w, err := c.look(now, t)
	if err != nil {
		return agents.TalkDone{}, err
	}
	done := agents.TalkDone{Session: t.Session, Turns: len(t.Drop),
		Note: fmt.Sprintf("%s left the conversation: `%s %s` goes on without them", agents.Count(len(t.Drop), "turn"), c.Resume, model.ShellWord(t.Session))}
	if w.at.First < 0 {
		done.Files, err = c.earlier(now, t)
		return done, err
	}
	if err := c.closed(now, t); err != nil {
		return agents.TalkDone{}, err
	}
	f, copy, err := Take(now.Path, t.Keepsakes)
	if err != nil {
		return agents.TalkDone{}, model.Failf(err, "cannot keep a copy of %s", now.Path)
	}
	if !bytes.Equal(f.Data, now.Data) {
		return agents.TalkDone{}, Changed(f.Path)
	}
	data, err := c.Without(f.Data, w.prompts[w.at.First])
	if err != nil {
		return agents.TalkDone{}, err
	}
	if err := f.Replace(data); err != nil {
		return agents.TalkDone{}, err
	}
	if w.at.First == 0 {
		program, _, _ := strings.Cut(c.Resume, " ")
		done.Note = fmt.Sprintf("nothing is left of the conversation: begin a new one with `%s`", program)
	}
	done.Files = []agents.TalkFile{{Path: f.Path, Copy: copy, Before: Sum(f.Data), After: Sum(data)}}
	return done, c.verify(f.Path, t)
}

// verify reads back that the turns are gone.
func (c InPlace) verify(path string, t agents.Talk) error {
	f, err := Read(path)
	if err != nil {
		return model.Failf(err, "cannot read back %s", path)
	}
	if w, err := c.look(f, t); err != nil || w.at.First >= 0 {
		return &model.Error{Code: model.CodeFailed, Message: "the turns are still in " + path, Err: err}
	}
	return nil
}

// earlier finds what a run before this one replaced: the copy that, without the turns,
// is what the file holds or begins with.
func (c InPlace) earlier(now *File, t agents.Talk) ([]agents.TalkFile, error) {
	entries, err := os.ReadDir(t.Keepsakes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, model.Failf(err, "cannot look for copies in %s", t.Keepsakes)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "-"+filepath.Base(now.Path)) {
			continue
		}
		path := filepath.Join(t.Keepsakes, e.Name())
		was, err := Read(path)
		if err != nil {
			return nil, model.Failf(err, "cannot read %s", path)
		}
		w, err := c.look(was, t)
		if err != nil || w.at.First < 0 {
			continue
		}
		if data, err := c.Without(was.Data, w.prompts[w.at.First]); err == nil && bytes.HasPrefix(now.Data, data) {
			return []agents.TalkFile{{Path: now.Path, Copy: path, Before: Sum(was.Data), After: Sum(data)}}, nil
		}
	}
	return nil, nil
}

// Restore puts the file back, unless the conversation went on.
func (c InPlace) Restore(t agents.Talk, d agents.TalkDone) (string, error) {
	for _, kept := range d.Files {
		now, err := Read(kept.Path)
		if err != nil {
			return "", model.Failf(err, "cannot read the conversation %s", kept.Path)
		}
		switch Sum(now.Data) {
		case kept.Before:
			continue
		case kept.After:
		default:
			return fmt.Sprintf("The conversation of %s went on, so the turns that left it cannot come back; they can be read in %s", c.Agent, kept.Copy), nil
		}
		if err := c.closed(now, t); err != nil {
			return "", err
		}
		if err := putCopy(now, kept, t.Keepsakes); err != nil {
			return "", err
		}
	}
	if len(d.Files) == 0 {
		return "The turns were not in the conversation of " + c.Agent + " before, and are not now", nil
	}
	return fmt.Sprintf("All turns are back in the conversation: `%s %s`", c.Resume, model.ShellWord(d.Session)), nil
}

func putCopy(now *File, kept agents.TalkFile, keepsakes string) error {
	was, err := Read(kept.Copy)
	if err != nil {
		return model.Failf(err, "cannot read %s", kept.Copy)
	}
	if Sum(was.Data) != kept.Before {
		return model.Errorf(model.CodeFailed, "%s is not the copy that was kept", kept.Copy)
	}
	f, _, err := Take(now.Path, keepsakes)
	if err != nil {
		return err
	}
	if !bytes.Equal(f.Data, now.Data) {
		return Changed(now.Path)
	}
	return f.Replace(was.Data)
}
