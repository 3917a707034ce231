package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"overturn/model"
)

// wire is a path in JSON: readable text, and the exact bytes beside it where
// they are not UTF-8.
type wire struct {
	Path string `json:"path"`
	Raw  []byte `json:"path_b64,omitempty"`
}

func toWire(p model.Path) wire {
	if utf8.ValidString(string(p)) {
		return wire{Path: string(p)}
	}
	return wire{Path: fmt.Sprintf("%q", string(p)), Raw: []byte(p)}
}

// path refuses what could not be a target: a journal is data, not an order.
func (w wire) path() (model.Path, error) {
	if w.Raw != nil {
		return model.ParsePath(string(w.Raw))
	}
	return model.ParsePath(w.Path)
}

type indexWire struct {
	wire
	From IndexEntry `json:"from"`
	To   IndexEntry `json:"to"`
}

// MarshalJSON writes {"path","from","to"}.
func (c IndexChange) MarshalJSON() ([]byte, error) {
	return json.Marshal(indexWire{toWire(c.Path), c.From, c.To})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (c *IndexChange) UnmarshalJSON(data []byte) error {
	var w indexWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	*c = IndexChange{path, w.From, w.To}
	return err
}

type folderWire struct {
	wire
	Perm uint32 `json:"perm"`
}

// MarshalJSON writes {"path","perm"}.
func (f Folder) MarshalJSON() ([]byte, error) {
	return json.Marshal(folderWire{toWire(f.Path), f.Perm})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (f *Folder) UnmarshalJSON(data []byte) error {
	var w folderWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	*f = Folder{path, w.Perm}
	return err
}

// encode is the line of r with its newline.
func encode(r Record) ([]byte, error) {
	r.Version = Version
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}

var errNotPrepared = errors.New("its first line is not \"prepared\"")

// Decode adds the lines of a file up. Bytes after the last newline are a torn
// line and left out; no whole line at all is an entry that never began, nil. Of a
// settled entry every line counts, but for torn ones behind which it was settled anew.
func Decode(data []byte) (*Entry, error) {
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	var entry *Entry
	lost := 0 // the last torn line, 0 where recovery went on behind it
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		if len(line) == 0 { // where a torn line was closed
			continue
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			if entry != nil && n > 1 && torn(line) {
				lost = n
				continue
			}
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if r.Version != Version {
			return nil, fmt.Errorf("line %d is of format %d; this program knows %d", n, r.Version, Version)
		}
		if entry == nil {
			if r.Type != TypePrepared || r.Prepared == nil {
				return nil, errNotPrepared
			}
			if err := check(r.Prepared); err != nil {
				return nil, err
			}
			entry = &Entry{Prepared: *r.Prepared, Swapped: map[int]bool{}}
			continue
		}
		if err := entry.add(r); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if r.Type == TypeRecover {
			lost = 0
		}
	}
	switch {
	case entry == nil || !entry.Ended:
	case lost > 0:
		return nil, fmt.Errorf("line %d never came to the disk whole", lost)
	case entry.Result == nil:
		return nil, errors.New("it ended and does not say how")
	}
	return entry, nil
}

// torn tells the start of a line that a crash cut and a later start closed with
// a newline: it opens like a line and is not whole JSON. After a power cut zeros may
// stand where bytes never came to the disk.
func torn(line []byte) bool {
	line = bytes.TrimRight(line, "\x00")
	return bytes.HasPrefix([]byte(`{"v":`), line[:min(len(line), 5)]) && !json.Valid(line)
}

func check(p *Prepared) error {
	if _, err := model.ParseID(string(p.ID)); err != nil {
		return err
	}
	for _, t := range p.Targets {
		if _, err := model.ParsePath(string(t.Target.Path)); err != nil {
			return err
		}
	}
	return p.Revert.check()
}

func (e *Entry) add(r Record) error {
	switch r.Type {
	case TypeBeside:
		e.Beside = true
	case TypeTidied:
		e.Tidied, e.Beside = true, false
	case TypeSwapped, TypeBack:
		if r.N < 0 || r.N >= len(e.Targets) {
			return fmt.Errorf("there is no target %d", r.N)
		}
		if r.Type == TypeSwapped {
			e.Swapped[r.N] = true
		} else {
			delete(e.Swapped, r.N)
		}
	case TypeRemoved:
		e.Removed = append(e.Removed, r.Folders...)
	case TypeIndex:
		e.Indexed = true
	case TypeApplied:
		e.Applied = true
	case TypeTalking:
		e.Talking = true
	case TypeTalked:
		e.Talked = r.Talked
	case TypeRecover:
		e.Way = r.Way
	case TypeDone:
		if r.Result == nil {
			return errors.New("it says done and not how")
		}
		e.Result = r.Result
	case TypeEnd:
		e.Ended = true
	}
	return nil
}
