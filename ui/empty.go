package ui

import (
	"fmt"
	"strings"

	"overturn/model"
	"overturn/ui/view"
)

// nothing says why there is nothing to review, and what to do; "" when there is.
func (m *Model) nothing() (text, hint string) {
	switch {
	case m.over == nil && m.overErr != nil:
		return sentence(m.overErr), model.HintOf(m.overErr)
	case m.over == nil:
		return "Reading the repository …", ""
	case m.scope.OfTurns() && m.over.AllOut:
		return "All turns that were recorded here were taken back.", m.firstSteps()
	case m.scope.OfTurns() && len(m.over.Turns) == 0:
		return "No turn is recorded here yet.", m.firstSteps()
	case m.cmpErr != nil && m.cmp == nil && m.running():
		return fmt.Sprintf("Turn %d is still running.", m.turn), "It is shown when it ends. 1 shows the working tree as it is now."
	case m.cmpErr != nil && m.cmp == nil && m.scope.Kind == model.ScopeBranch:
		return sentence(m.cmpErr), "B names a base. 1 working tree, 3 latest turn."
	case m.cmpErr != nil && m.cmp == nil:
		return sentence(m.cmpErr), model.HintOf(m.cmpErr)
	case m.cmp == nil:
		return "Comparing …", "Esc stops it."
	case len(m.cmp.Files) == 0 && len(m.cmp.LeftOut) == 0:
		return m.noFiles()
	}
	return "", ""
}

// sentence is an error as a sentence of its own.
func sentence(err error) string {
	s := err.Error()
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	return s + "."
}

// noFiles says that nothing differs, and where to look instead.
func (m *Model) noFiles() (text, hint string) {
	text = "Nothing differs: " + m.cmp.Base + " → " + m.cmp.Target + "."
	if t, ok := m.selected(); ok && m.scope.OfTurns() && t.Status != model.StatusReady && t.State != model.TurnOpen {
		return text, "The checkpoint of this turn is " + view.BadgeOf(t).Word + ": files may have changed all the same. i tells why."
	}
	if len(m.over.Turns) == 0 {
		return text, m.firstSteps()
	}
	return text, "1 working tree, 2 branch, 3 latest turn, ( ) other turns."
}

func (m *Model) selected() (view.Turn, bool) {
	for _, t := range m.over.Turns {
		if t.Number == m.turn {
			return t, true
		}
	}
	return view.Turn{}, false
}

// firstSteps says how the first turn gets recorded, or how those that were come back.
func (m *Model) firstSteps() string {
	if m.over.AllOut {
		return "u undoes the last revert, o lists what was taken back. 1 shows the working tree."
	}
	var on, untrusted, off []string
	for _, h := range m.over.Hooks {
		switch {
		case h.Untrusted:
			untrusted = append(untrusted, h.Agent)
		case h.Installed:
			on = append(on, h.Agent)
		default:
			off = append(off, h.Agent)
		}
	}
	switch {
	case len(on) > 0:
		return "The hooks of " + strings.Join(on, ", ") + " are in place: the next prompt given to it here is recorded. 1 shows the working tree."
	case len(untrusted) > 0:
		return "The hooks of " + strings.Join(untrusted, ", ") + " wait for your trust: `overturn agents` says how. 1 shows the working tree."
	case len(off) > 0:
		return "No hook is installed. `overturn enable " + off[0] + "` puts it in place; then each prompt is recorded. 1 shows the working tree."
	}
	return "No agent was found. `overturn enable` says which are known; `overturn run -- COMMAND` records a command as a turn. 1 shows the working tree."
}
