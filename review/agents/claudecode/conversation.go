package claudecode

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/talkfile"
)

// Capability says how a conversation of Claude Code is taken back; see agents.Conversation.
func (*Agent) Capability() agents.Capability {
	return agents.Capability{Supported: true, NewID: true, How: "a shortened copy of the transcript, which claude --resume takes; the old one stays"}
}

// cut is a conversation and what is to be left of it.
type cut struct {
	file  *talkfile.File
	talk  *transcript
	at    int // line that the first turn to be dropped begins with; -1: none of them is there
	end   int // lines that are left; 0: none
	turns int // of those to be dropped that are there
	more  int // prompts after them that were not recorded, and go along
	id    string
	path  string // of the copy
	data  []byte
}

// Check looks whether the copy can be made; see agents.Conversation.
func (a *Agent) Check(_ context.Context, _ agents.Runner, t agents.Talk) (agents.Standing, error) {
	c, err := a.prepare(t)
	if err != nil {
		return agents.Standing{}, err
	}
	s := agents.Standing{Turns: c.turns, More: c.more, Version: c.version(), Done: c.at < 0 || c.made()}
	var notes []string
	if c.at >= 0 && c.more > 0 {
		notes = append(notes, agents.Count(c.more, "later prompt")+" that overturn did not record: gone from it too")
	}
	if c.at >= 0 && c.end == 0 {
		notes = append(notes, "nothing is left of the conversation: a new one is to be begun")
	}
	if c.at >= 0 && t.Live == agents.LiveOpen {
		notes = append(notes, "Claude Code is open and goes on with the old conversation: quit it before you resume the new one")
	}
	s.Note = strings.Join(notes, "; ")
	return s, nil
}

// Rollback makes the copy; see agents.Conversation.
func (a *Agent) Rollback(_ context.Context, _ agents.Runner, t agents.Talk) (agents.TalkDone, error) {
	c, err := a.prepare(t)
	if err != nil {
		return agents.TalkDone{}, err
	}
	done := agents.TalkDone{Session: t.Session, Turns: c.turns}
	switch {
	case c.at < 0:
		done.Note = "none of these turns is in the conversation of Claude Code; it stays as it is"
		return done, nil
	case c.end == 0:
		done.Note = "nothing is left of the conversation: begin a new one with `claude`. The old one stays as it was: " + t.Session
		return done, nil
	}
	done.NewID = c.id
	done.Files = []agents.TalkFile{{Path: c.path, After: talkfile.Sum(c.data)}}
	done.Note = fmt.Sprintf("%s left the conversation, which goes on as a new one: `claude --resume %s`%s. The old one stays as it was: %s",
		agents.Count(c.turns, "turn"), c.id, c.where(t.Root), t.Session)
	if c.made() {
		return done, nil
	}
	if err := talkfile.Make(c.path, c.data, c.file.Mode); err != nil {
		return agents.TalkDone{}, err
	}
	return done, c.verify(t)
}

// Restore removes the copy, unless the conversation went on with it; see agents.Conversation.
func (a *Agent) Restore(_ context.Context, _ agents.Runner, t agents.Talk, d agents.TalkDone) (string, error) {
	whole := "The conversation with all its turns was never changed: `claude --resume " + model.ShellWord(d.Session) + "`"
	for _, f := range d.Files {
		gone, err := talkfile.Unmake(f.Path, f.After)
		if err != nil {
			return "", err
		}
		if !gone {
			return whole + ". The shortened copy went on by itself and stays: " + d.NewID, nil
		}
	}
	return whole, nil
}

// prepare finds the conversation and works out what is left of it.
func (a *Agent) prepare(t agents.Talk) (*cut, error) {
	path, err := find(t)
	if err != nil {
		return nil, err
	}
	c := &cut{at: -1, id: newID(t)}
	if c.file, err = talkfile.Read(path); err != nil {
		return nil, model.Failf(err, "cannot read the conversation %s", path)
	}
	if c.talk, err = read(c.file.Data); err != nil {
		return nil, model.Failf(err, "the conversation %s cannot be taken back", path)
	}
	if !c.talk.hasPrompts() {
		return nil, model.Errorf(model.CodeFailed, "the transcript %s does not name the prompts of its lines: its format is not one that is known", path)
	}
	for _, turn := range t.Drop {
		if i := c.talk.begins(turn); i >= 0 {
			c.turns++
			if c.at < 0 || i < c.at {
				c.at = i
			}
		}
	}
	if c.at < 0 {
		return c, nil
	}
	c.end, c.more = c.talk.end(c.at), max(0, c.talk.prompts(c.at)-c.turns)
	for _, turn := range t.Keep {
		if i := c.talk.begins(turn); i >= c.at {
			return nil, model.Refusedf("turn %d stands after turn %d in the conversation of Claude Code", turn.Number, t.Drop[0].Number)
		}
	}
	c.path = filepath.Join(filepath.Dir(c.file.Path), c.id+".jsonl")
	c.data, err = c.talk.copy(c.end, c.id)
	return c, err
}

// made tells whether the copy is there already, also where it went on since.
func (c *cut) made() bool {
	if c.path == "" || c.end == 0 {
		return false
	}
	there, err := talkfile.Read(c.path)
	return err == nil && bytes.HasPrefix(there.Data, c.data)
}

// verify reads the copy back: every line parses, and none of the turns is in it.
func (c *cut) verify(t agents.Talk) error {
	back, err := talkfile.Read(c.path)
	if err != nil {
		return model.Failf(err, "cannot read back %s", c.path)
	}
	talk, err := read(back.Data)
	if err != nil {
		return model.Failf(err, "the copy %s is not whole", c.path)
	}
	for _, turn := range t.Drop {
		if talk.begins(turn) >= 0 {
			return model.Errorf(model.CodeFailed, "turn %d is still in the copy %s", turn.Number, c.path)
		}
	}
	return nil
}

func (c *cut) version() string {
	for _, e := range c.talk.entries {
		if e.Version != "" {
			return e.Version
		}
	}
	return ""
}

// where says in which folder to resume, where that is not the root: Claude Code finds
// a conversation from the folder that it was begun in alone.
func (c *cut) where(root string) string {
	for _, e := range c.talk.entries {
		if e.Cwd != "" && e.Cwd != root {
			return " in " + e.Cwd
		} else if e.Cwd != "" {
			return ""
		}
	}
	return ""
}

// find is the transcript of a session: where the hooks said, or in the folder of the
// projects, one of which has it under the session's name.
func find(t agents.Talk) (string, error) {
	if t.Session == "" || strings.ContainsAny(t.Session, `/\`) || strings.HasPrefix(t.Session, ".") {
		return "", model.Errorf(model.CodeFailed, "%q is not a conversation of Claude Code", t.Session)
	}
	name := t.Session + ".jsonl"
	if filepath.Base(t.Transcript) == name {
		if _, err := os.Stat(t.Transcript); err == nil {
			return t.Transcript, nil
		}
	}
	dir := t.Getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		dir = filepath.Join(t.Getenv("HOME"), ".claude")
	}
	dir = filepath.Join(dir, "projects")
	projects, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", model.Failf(err, "cannot look for the conversation in %s", dir)
	}
	for _, p := range projects {
		path := filepath.Join(dir, p.Name(), name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", model.Errorf(model.CodeFailed, "there is no conversation %s in %s", t.Session, dir).
		WithHint("Claude Code deletes old ones; where it keeps them elsewhere, set CLAUDE_CONFIG_DIR as it has it")
}

// newID names the copy, the same at every repetition: a UUID (RFC 9562, version 8) of
// the revert and the session.
func newID(t agents.Talk) string {
	sum := sha256.Sum256([]byte(string(t.ID) + "\x00" + t.Session))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	x := hex.EncodeToString(sum[:16])
	return strings.Join([]string{x[:8], x[8:12], x[12:16], x[16:20], x[20:]}, "-")
}
