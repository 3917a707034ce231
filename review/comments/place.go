package comments

import (
	"fmt"

	"overturn/model"
	"overturn/model/anchor"
)

// Placed is a comment with where its lines stand on disk now.
type Placed struct {
	model.Comment
	Absent bool // nothing is there
	Place  anchor.Place
}

// Place finds the lines of a comment in its file as it is; nil content is no file.
func Place(c model.Comment, content anchor.Lines) Placed {
	if content == nil {
		return Placed{Comment: c, Absent: true}
	}
	return Placed{Comment: c, Place: anchor.Find(content, c.Anchor)}
}

// Lines are the first and last line where the comment's lines stand now, from 1, or 0
// where that cannot be said.
func (p Placed) Lines() (from, to int) {
	a := p.Anchor
	if p.Absent || a.Kind == model.AnchorFile || p.Place.State == anchor.Gone {
		return 0, 0
	}
	from = p.Place.Line + 1
	if p.Place.State == anchor.Changed {
		return from, from
	}
	return from, p.Place.Line + max(a.To-a.From+1, 1)
}

// Where says it in words: the path with the lines as they are now, and what has
// become of them.
func (p Placed) Where() string {
	a, path := p.Anchor, string(p.Path)
	from, to := p.Lines()
	was := span("line", a.From, a.To)
	switch {
	case p.Absent && a.Kind == model.AnchorFile:
		return path + " (the file is gone)"
	case p.Absent:
		return path + " (the file is gone; was " + was + ")"
	case a.Kind == model.AnchorFile:
		return path
	case p.Place.State == anchor.There:
		return path + ":" + numbers(from, to)
	case a.Old:
		return path + " (removed; was " + was + ")"
	case p.Place.State == anchor.Changed:
		return path + ":" + numbers(from, to) + " (changed since)"
	}
	return path + " (gone; was " + was + ")"
}

func numbers(from, to int) string {
	if to <= from {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

func span(word string, from, to int) string {
	if to > from {
		word += "s"
	}
	return word + " " + numbers(from, to)
}
