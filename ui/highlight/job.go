package highlight

import (
	"context"
	"fmt"

	"overturn/model"
	"overturn/ui/view"
)

// Highlighter finds colours and remembers those of the newest documents.
type Highlighter struct {
	shelf *shelf
	cache *cache
}

// New makes a highlighter. It costs nothing until a job of it is carried out.
func New() *Highlighter { return &Highlighter{newShelf(), newCache()} }

// Job is the colouring of one document. Its steps are carried out one after
// another, from any goroutine.
type Job struct {
	h        *Highlighter
	key      string
	name     model.Path
	old, new side
	begun    bool
}

// Begin makes the job for a document, or hands out the colours that are known
// already. Both are nothing where no colour is to be had.
func (h *Highlighter) Begin(doc *view.Document) (*Job, view.Colours) {
	if doc.Binary || doc.Old == nil && doc.New == nil {
		return nil, view.Colours{}
	}
	j := &Job{h: h, name: doc.File.Path}
	// Equal lines are drawn from the new side; of the old side nothing is seen
	// below its last removed line.
	for _, hunk := range doc.Hunks {
		for _, e := range hunk.Edits {
			if e.OldTo > e.OldFrom {
				j.old.need = e.OldTo
			}
		}
	}
	j.old.lines, j.new.lines = doc.Old, doc.New
	if doc.New != nil {
		j.new.need = doc.New.Lines()
	}
	if j.old.need+j.new.need == 0 {
		return nil, view.Colours{}
	}
	if doc.File.Key != "" { // the same contents, compared in another way, may need more of the old side
		j.key = fmt.Sprintf("%s\x00%s\x00%d", doc.File.Path, doc.File.Key, j.old.need)
	}
	if c, ok := h.cache.get(j.key); ok {
		return nil, c
	}
	return j, view.Colours{}
}

// Step goes on until all is coloured or ctx ends, whichever is first, and tells
// what can be drawn by now and whether anything is left to do. An error is one of
// the lexer: there is nothing more to come.
func (j *Job) Step(ctx context.Context) (c view.Colours, more bool, err error) {
	if j.h.shelf.take(ctx) != nil {
		return j.known(), true, nil
	}
	defer j.h.shelf.give()
	defer func() {
		if r := recover(); r != nil {
			c, more, err = j.known(), false, fmt.Errorf("the lexer for %q failed: %v", j.name, r)
		}
	}()
	if err := j.start(); err != nil {
		return j.known(), false, err
	}
	for !j.old.done || !j.new.done {
		s := &j.new
		if j.old.share() < j.new.share() {
			s = &j.old
		}
		if s.advance(ctx) != nil {
			return j.known(), true, nil
		}
	}
	c = j.known()
	j.h.cache.put(j.key, c)
	return c, false, nil
}

func (j *Job) known() view.Colours { return view.Colours{Old: j.old.known(), New: j.new.known()} }

// start finds the language and reads the texts, once.
func (j *Job) start() error {
	if j.begun {
		return nil
	}
	j.begun = true
	var first []byte
	for _, s := range []*side{&j.old, &j.new} {
		if s.done = s.need == 0; !s.done {
			first = s.lines.Line(0)
		}
	}
	l, ok := named(string(j.name), first)
	if !ok {
		j.old.done, j.new.done = true, true
		return nil
	}
	for _, s := range []*side{&j.old, &j.new} {
		if s.done {
			continue
		}
		if err := s.start(j.h.shelf, l); err != nil {
			return err
		}
	}
	return nil
}
