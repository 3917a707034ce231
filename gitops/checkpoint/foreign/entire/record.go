package entire

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"overturn/gitops/objects"
	"overturn/model"
)

// Checkpoint is one record.
type Checkpoint struct {
	ID       string
	Ref      string // where it lies: REF, or REF:FOLDER on a branch
	Files    []model.Path
	Sessions []Session
	Odd      []string // what is not as it should be
}

// Session is the part of one agent's session in a checkpoint.
type Session struct {
	Folder int
	ID     string    // "" where the record does not say
	Agent  string    // as the Entire CLI spells it; may be ""
	At     time.Time // zero where it is not known
	Prompt string    // of all turns in it
	Files  []model.Path

	tree string // of its folder
	log  string // name of the agent's log in it, "" where there is none
}

// The bounds of what is read of a record. Metadata of 106 MB has been seen.
const (
	mostMetadata = 16 << 20 // bytes
	mostPrompt   = 4 << 20
	keptPrompt   = 256 << 10
	mostSessions = 1000
	mostFiles    = 10_000
)

// meta is what is read of a metadata.json, of the root or of a session.
type meta struct {
	CheckpointID text            `json:"checkpoint_id"`
	SessionID    text            `json:"session_id"`
	CreatedAt    text            `json:"created_at"`
	Agent        text            `json:"agent"`
	FilesTouched json.RawMessage `json:"files_touched"`
}

// text is a string, or nothing where something else stands.
type text string

// UnmarshalJSON takes what is no string for empty.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
	}
	return nil
}

// files are the paths of a list; what is no path of a file here is passed over.
func (m *meta) files() []model.Path {
	var names []text
	if json.Unmarshal(m.FilesTouched, &names) != nil {
		return nil
	}
	var list []model.Path
	for _, name := range names {
		if p, err := model.ParsePath(string(name)); err == nil && len(list) < mostFiles {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// read reads the record at a place. An error says that nothing of it can be read.
func (r *Reader) read(ctx context.Context, p place) (*Checkpoint, error) {
	key := p.id + " " + p.ref + " " + p.tree
	r.mu.Lock()
	c := r.kept[key]
	r.mu.Unlock()
	if c != nil {
		return c, nil
	}
	entries, err := r.objects.Tree(ctx, p.tree)
	if err != nil {
		return nil, model.Failf(err, "the record cannot be read")
	}
	c = &Checkpoint{ID: p.id, Ref: p.ref}
	root, why := r.meta(ctx, entries)
	c.note("", why)
	if root.CheckpointID != "" && string(root.CheckpointID) != p.id {
		c.note("", "it names itself "+strconv.Quote(string(root.CheckpointID)))
	}
	c.Files = root.files()
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name)
		if err != nil || n < 0 || strconv.Itoa(n) != e.Name || !e.IsTree() {
			continue
		}
		if len(c.Sessions) == mostSessions {
			c.note("", fmt.Sprintf("only %d of its sessions were read", mostSessions))
			break
		}
		c.Sessions = append(c.Sessions, r.session(ctx, c, n, e.OID))
	}
	slices.SortFunc(c.Sessions, func(a, b Session) int { return a.Folder - b.Folder })
	if len(c.Sessions) == 0 {
		c.note("", "it has no session")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept[key] = c
	return c, nil
}

func (c *Checkpoint) note(where, why string) {
	if why != "" {
		c.Odd = append(c.Odd, where+why)
	}
}

// session reads one numbered folder.
func (r *Reader) session(ctx context.Context, c *Checkpoint, n int, tree string) Session {
	s, where := Session{Folder: n}, fmt.Sprintf("session %d: ", n)
	entries, err := r.objects.Tree(ctx, tree)
	if err != nil {
		c.note(where, "it cannot be read")
		return s
	}
	m, why := r.meta(ctx, entries)
	c.note(where, why)
	s.ID, s.Agent, s.Files = string(m.SessionID), string(m.Agent), m.files()
	if at, err := time.Parse(time.RFC3339, string(m.CreatedAt)); err == nil && at.Year() >= 1970 && at.Year() <= 9999 {
		s.At = at.UTC()
	}
	prompt, why := r.blob(ctx, entries, "prompt.txt", mostPrompt)
	c.note(where, why)
	s.Prompt = shorten(string(prompt), keptPrompt)
	s.tree, s.log = tree, logIn(entries)
	return s
}

// meta reads metadata.json, or says why there is none.
func (r *Reader) meta(ctx context.Context, entries []objects.TreeEntry) (m meta, why string) {
	data, why := r.blob(ctx, entries, "metadata.json", mostMetadata)
	switch {
	case why != "":
		return meta{}, why
	case data == nil:
		return meta{}, "it has no metadata.json"
	case json.Unmarshal(data, &m) != nil:
		return meta{}, "its metadata.json is not JSON"
	}
	return m, ""
}

// blob is a file of a folder; nil where it is not there, or with why where it is not
// read.
func (r *Reader) blob(ctx context.Context, entries []objects.TreeEntry, name string, most int64) (data []byte, why string) {
	for _, e := range entries {
		if e.Name != name {
			continue
		}
		size, err := r.objects.Size(ctx, e.OID)
		if err == nil && size > most {
			return nil, fmt.Sprintf("its %s has %d bytes and is not read", name, size)
		}
		if err == nil {
			data, err = r.objects.Blob(ctx, e.OID)
		}
		if err != nil {
			return nil, "its " + name + " cannot be read"
		}
		return data, ""
	}
	return nil, ""
}

// shorten cuts a text that is too long, between characters, and makes it valid UTF-8.
func shorten(s string, most int) string {
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = s[:most] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
