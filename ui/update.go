package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/keymap"
	"overturn/ui/panes/confirm"
	"overturn/ui/panes/turns"
	"overturn/ui/terminal"
	"overturn/ui/view"
)

// Update takes a message. Answers that come late are dropped; those that are
// wanted may let keys go on that were waiting for them.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.dirty = true
	a, ok := msg.(jobs.Answer)
	if !ok {
		return m.route(msg)
	}
	if !m.jobs.Accept(a) {
		m.dirty = false
		return m, nil
	}
	_, cmd := m.route(msg)
	if len(m.ahead) > 0 {
		cmd = tea.Batch(cmd, m.replay())
	}
	return m, cmd
}

// route is a routing table: it sends each message to the one who knows what to do
// with it.
func (m *Model) route(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return m, m.summaries()
	case tea.KeyMsg:
		return m, m.key(msg)
	case tea.MouseMsg:
		return m, m.mouse(tea.MouseEvent(msg))
	case tea.FocusMsg:
		return m, m.refresh()
	case terminal.Scheme:
		m.gotScheme(msg)
	case held:
		return m, m.held(msg)
	case edited:
		return m, m.edited(msg)
	case jobs.Progress:
		if msg.Key == jobFind {
			m.foundSome(msg)
			break
		}
		if msg.Key != jobWrite {
			m.counted = counted{msg.Key, msg.Done, msg.Of}
			break
		}
		m.done, m.of = msg.Done, msg.Of
	case jobs.Done[*view.Overview]:
		return m, m.gotOverview(msg)
	case jobs.Done[*view.Comparison]:
		return m, m.gotComparison(msg)
	case jobs.Done[*view.Document]:
		return m, m.gotDocument(msg)
	case jobs.Done[prepared]:
		return m, m.gotNext(msg)
	case jobs.Done[coloured]:
		return m, m.gotColours(msg)
	case jobs.Done[summaries]:
		return m, m.gotSummaries(msg)
	case jobs.Done[marked]:
		return m, m.gotMarked(msg)
	case jobs.Done[*view.Card]:
		return m, m.gotCard(msg)
	case jobs.Done[keptToWait]:
		return m, m.gotKept(msg)
	case jobs.Done[forgotten]:
		return m, m.gotForgotten(msg)
	case jobs.Done[writers]:
		return m, m.gotWriters(msg)
	case jobs.Done[back]:
		return m, m.gotBack(msg)
	case jobs.Done[turns.Shown]:
		return m, m.gotTurns(msg)
	case jobs.Done[[]view.Thread]:
		return m, m.gotThreads(msg)
	case jobs.Done[[]view.Staged]:
		return m, m.gotStaged(msg)
	case jobs.Done[*model.Plan]:
		return m, m.gotPlan(msg)
	case jobs.Done[resulting]:
		return m, m.gotResulting(msg)
	case jobs.Done[drifted]:
		return m, m.gotDrift(msg)
	case jobs.Done[*model.Result]:
		return m, m.gotResult(msg)
	case jobs.Done[[]model.HistoryEntry]:
		return m, m.gotHistory(msg)
	case jobs.Done[undone]:
		return m, m.gotUndone(msg)
	case jobs.Done[*view.Revert]:
		return m, m.gotRevert(msg)
	case jobs.Done[patch]:
		return m, m.gotPatch(msg)
	case jobs.Done[found]:
		return m, m.gotFound(msg)
	case jobs.Done[foundAll]:
		return m, m.gotAll(msg)
	case jobs.Done[moves]:
		return m, m.gotMoves(msg)
	case jobs.Done[answered]:
		return m, m.gotAnswer(msg)
	case jobs.Done[copied]:
		return m, m.gotCopied(msg)
	case jobs.Done[opener]:
		return m, m.gotEditor(msg)
	case jobs.Done[changed]:
		return m, m.gotChange(msg)
	default: // among them that there was tidying: what failed is tried again when there is news
		m.dirty = false
	}
	return m, nil
}

// key routes a key: to the dialog, to the prompt, else through the catalogue.
// Pasted text is never a command. Characters that came together are taken one by
// one, for a fast typist; the dialog alone sees them as they came.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	m.pressed.Store(m.cfg.Clock().UnixNano())
	if k.Type == tea.KeyCtrlC {
		return m.leave()
	}
	switch {
	case m.dialog != nil:
		return m.answer(k)
	case m.prompt != nil:
		return m.typed(k)
	case m.talk.box != nil:
		return m.written(k)
	case k.Paste, k.Type == tea.KeyEnter && m.cfg.Clock().Sub(m.wrote) < confirm.Grace:
		return nil // an Enter after the typed number must not wipe the report
	}
	if k.Type != tea.KeyRunes || len(k.Runes) <= 1 {
		return m.command(k)
	}
	var cmds []tea.Cmd
	for i, r := range k.Runes {
		if m.dialog != nil { // the rest was not meant for it
			break
		}
		if m.prompt != nil {
			cmds = append(cmds, m.typed(tea.KeyMsg{Type: tea.KeyRunes, Runes: k.Runes[i:]}))
			break
		}
		if m.talk.box != nil {
			cmds = append(cmds, m.written(tea.KeyMsg{Type: tea.KeyRunes, Runes: k.Runes[i:]}))
			break
		}
		cmds = append(cmds, m.command(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Batch(cmds...)
}

// command carries out what a key means where we are.
func (m *Model) command(k tea.KeyMsg) tea.Cmd {
	key := k.String()
	if !m.message.stays {
		m.message = message{}
	}
	i := m.keys.Find(key, m.places()...)
	if i == keymap.Back {
		m.ahead = nil
	}
	waited := m.replay() // nothing may be on its way any more
	switch {             // what was kept may have opened what the key is for
	case m.dialog != nil:
		return waited
	case m.prompt != nil:
		return tea.Batch(waited, m.typed(k))
	case m.talk.box != nil:
		return tea.Batch(waited, m.written(k))
	}
	if m.early(i) || len(m.ahead) > 0 && (i != keymap.Quit && i != keymap.None || m.asksAhead()) {
		if len(m.ahead) < aheadLimit {
			m.ahead = append(m.ahead, k)
		}
		return waited
	}
	return tea.Batch(waited, m.do(m.keys.Find(key, m.places()...)))
}

// places are where a key is looked up, the nearest first.
func (m *Model) places() []keymap.Place {
	switch m.where {
	case inPlan:
		return []keymap.Place{keymap.InPlan, keymap.Everywhere}
	case inHistory:
		return []keymap.Place{keymap.InHistory, keymap.Everywhere}
	case inHelp:
		return []keymap.Place{keymap.InHelp, keymap.Everywhere}
	case inComments:
		return []keymap.Place{keymap.InComments, keymap.Everywhere}
	case inResult:
		return []keymap.Place{keymap.InReview, keymap.Everywhere}
	case inReview:
		if m.inDiff {
			return []keymap.Place{keymap.InDiff, keymap.InReview, keymap.Everywhere}
		}
		return []keymap.Place{keymap.InReview, keymap.Everywhere}
	}
	return []keymap.Place{keymap.Everywhere}
}

// do carries out an intent.
func (m *Model) do(i keymap.Intent) tea.Cmd {
	if m.where == inResult && m.onResult(i) {
		return nil
	}
	if act, ok := m.acts[i]; ok {
		return act()
	}
	return nil
}
