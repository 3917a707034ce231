package agents

import "encoding/json"

// Teller is an agent that can be told something with the prompt that begins a turn.
type Teller interface {
	// Tell is what the hook of e prints, so that the agent reads text beside its
	// prompt and its user reads notice; ok is false where e takes nothing.
	Tell(e Event, text, notice string) (stdout []byte, ok bool)
}

// Mute is an agent that takes nothing from a hook, or of which that is not known before
// its prompt comes, and says why.
type Mute interface {
	// Untold is why nothing can wait for the agent's next prompt.
	Untold() string
}

// CanTell tells whether a is known to take what a hook says with a prompt; why not, else.
func CanTell(a Agent) (ok bool, why string) {
	if m, ok := a.(Mute); ok {
		return false, m.Untold()
	}
	if _, ok := a.(Teller); ok {
		return true, ""
	}
	return false, a.Name() + " takes nothing from a hook with its prompt"
}

// PromptContext is the answer of a prompt's hook in the form that Claude Code brought
// up and that Codex and Gemini CLI took over, with the event of their own: the agent
// gets text, its user sees notice.
func PromptContext(e Event, event, text, notice string) ([]byte, bool) {
	if e.Kind != TurnStart || e.Name != event {
		return nil, false
	}
	type specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	return answer(struct {
		Notice   string   `json:"systemMessage"`
		Specific specific `json:"hookSpecificOutput"`
	}{notice, specific{event, text}})
}

// PlainContext is the answer to an event of overturn's own (package generic) that said
// that it takes one: the agent is to be given additional_context, its user notice.
func PlainContext(e Event, text, notice string) ([]byte, bool) {
	if e.Kind != TurnStart || !e.TakesContext {
		return nil, false
	}
	return answer(struct {
		Context string `json:"additional_context"`
		Notice  string `json:"notice"`
	}{text, notice})
}

// BareContext is text alone, in the form of GitHub Copilot CLI.
func BareContext(text string) ([]byte, bool) {
	return answer(struct {
		Context string `json:"additionalContext"`
	}{text})
}

// answer is v as one line of JSON.
func answer(v any) ([]byte, bool) {
	out, err := json.Marshal(v)
	return append(out, '\n'), err == nil
}
