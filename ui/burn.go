package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/view"
)

// Marker remembers what was read.
type Marker interface {
	// Mark says of hunks of a file of cmp, by the numbers that they are shown with, that
	// they were read, or are to be read again; of all of the file where none is named.
	// It returns the file's hunks and how many of them are read then.
	Mark(ctx context.Context, cmp *view.Comparison, index int, o DocumentOptions, hunks []int, read bool) (of, done int, err error)
}

// burn is what was read, as far as it is not in the comparison: what is being written,
// and how the view is narrowed to the rest.
type burn struct {
	only  bool      // what was read is hidden
	queue []marking // not on disk yet, the oldest first; jobMark writes the first
	last  hunkKey   // what Space marked last: once more is not meant to take it back
	going bool      // the next document opens on its first unread hunk
}

type hunkKey struct {
	path   model.Path
	number int // 0: all of the file
}

// marking is a wish to mark.
type marking struct {
	cmp   *view.Comparison // the engine's, whose index it is
	index int
	path  model.Path
	key   string // of the contents whose hunks are meant
	exact bool
	hunks []int // none: all
	read  bool
}

type marked struct {
	marking
	of, done int
}

// markRead marks what the cursor is on as read and goes on to what is not; on what was
// read before it takes the mark back.
func (m *Model) markRead() tea.Cmd {
	switch {
	case m.where != inReview || m.cmp == nil:
		return nil
	case !m.inDiff:
		return m.markFiles()
	case m.shown.waiting || m.diff.Document() == nil || m.shown.index < 0:
		m.say("no hunk here: open a file first")
		return nil
	}
	doc, key := m.diff.Document(), hunkKey{path: m.shown.path}
	read := doc.Read
	h, ok := m.diff.Hunk()
	if ok && !m.diff.Folded() {
		key.number, read = h.Number, h.Read
	}
	if read && m.burn.last != key {
		m.say("to be read again")
		return m.mark(m.shown.index, key.number, false)
	}
	var cmd tea.Cmd
	if !read {
		cmd = m.mark(m.shown.index, key.number, true)
	}
	m.burn.last = key
	return tea.Batch(cmd, m.goOn())
}

// markFiles marks the file or the folder under the cursor of the list.
func (m *Model) markFiles() tea.Cmd {
	indexes := m.files.Indexes()
	if len(indexes) == 0 {
		return nil
	}
	all := true
	for _, i := range indexes {
		all = all && m.cmp.Files[i].Done()
	}
	key := hunkKey{path: m.cmp.Files[indexes[0]].Path, number: -len(indexes)}
	if all && m.burn.last != key {
		m.say("to be read again: " + view.Count(len(indexes), "file"))
	}
	read := !all || m.burn.last == key
	var cmds []tea.Cmd
	for _, i := range indexes {
		if m.cmp.Files[i].Done() != read {
			cmds = append(cmds, m.mark(i, 0, read))
		}
	}
	if !read {
		return tea.Batch(cmds...)
	}
	m.burn.last = key
	return tea.Batch(append(cmds, m.nextUnread())...)
}

// applyMarks lays what is not written yet over the document on the screen, and takes
// in what became known.
func (m *Model) applyMarks() {
	if doc := m.diff.Document(); doc != nil {
		for _, w := range m.burn.queue {
			w.lay(doc)
		}
	}
	m.files.Count()
	m.hideHunks()
}

func (w *marking) lay(doc *view.Document) {
	if doc.File.Path != w.path || doc.File.Key != w.key { // of other contents the hunks are others
		return
	}
	if len(w.hunks) == 0 {
		doc.Read = w.read
		for i := range doc.Hunks {
			doc.Hunks[i].Read = w.read
		}
		return
	}
	for i := range doc.Hunks {
		if doc.Hunks[i].Number == w.hunks[0] {
			doc.Hunks[i].Read = w.read
		}
	}
}

// countAgain forgets how many hunks there are to read: that depends on what is shown.
func (m *Model) countAgain() {
	if m.cmp == nil {
		return
	}
	for i := range m.cmp.Files {
		m.cmp.Files[i].Hunks, m.cmp.Files[i].Read = -1, 0
	}
	m.shown.asked = nil
}

// goOn goes to the next hunk that was not read, in this file or another.
func (m *Model) goOn() tea.Cmd {
	m.away()
	if m.diff.NextUnread(false) {
		return nil
	}
	return m.nextUnread()
}

// nextUnread goes to the next file that holds something unread: to the first of all
// where none comes after.
func (m *Model) nextUnread() tea.Cmd {
	first, next := m.files.Unread()
	if next < 0 {
		next = first
	}
	if next < 0 {
		if left, of, sure := m.unread(); sure && left == 0 {
			m.good(fmt.Sprintf("everything is read: %s", view.Count(of, "hunk")))
		}
		return tea.Batch(m.open(0), m.summaries())
	}
	m.away()
	m.files.Select(next)
	m.burn.going = true
	cmd := m.open(1)
	if cmd == nil { // it is on the screen already
		m.goToUnread()
	}
	return tea.Batch(cmd, m.summaries())
}

// goToUnread puts the cursor on the first unread hunk of the document that has come.
func (m *Model) goToUnread() {
	if m.burn.going {
		m.burn.going = false
		m.diff.NextUnread(true)
	}
}

// unread is how many hunks of the comparison were not read, and how many there are; sure
// when all files are counted.
func (m *Model) unread() (left, of int, sure bool) {
	sure = true
	for i := range m.cmp.Files {
		f := &m.cmp.Files[i]
		if f.Hunks < 0 {
			sure = false
			continue
		}
		left, of = left+f.Hunks-f.Read, of+f.Hunks
	}
	return left, of, sure
}

// leftWords is how far the reading has come, long and short, "" before any of it.
func (m *Model) leftWords() (long, short string) {
	left, of, sure := m.unread()
	switch {
	case of == 0 || left == of && !m.burn.only:
		return "", ""
	case left == 0 && sure:
		return " · all read", " · all read"
	case !sure:
		return fmt.Sprintf(" · %d of %d… left", left, of), fmt.Sprintf(" · %d… left", left)
	}
	return fmt.Sprintf(" · %d of %d left", left, of), fmt.Sprintf(" · %d left", left)
}

// toggleUnread shows what is unread alone, or all again.
func (m *Model) toggleUnread() tea.Cmd {
	if m.cmp == nil {
		return nil
	}
	m.burn.only = !m.burn.only
	m.files.OnlyUnread(m.burn.only)
	m.hideHunks()
	m.say("all changes")
	if m.burn.only {
		m.say("only what is unread")
	}
	return tea.Batch(m.open(0), m.summaries())
}

// showSince shows what changed in the hunk under the cursor since it was read.
func (m *Model) showSince() tea.Cmd {
	h, ok := m.diff.Hunk()
	switch {
	case m.where != inReview || !ok:
		return nil
	case h.Read:
		m.say("it is as it was read")
	case len(h.Since) == 0:
		m.say("this hunk was not read before: there is nothing to compare it with")
	default:
		m.since.Show(m.shown.path, h)
		m.where = inSince
	}
	return nil
}
