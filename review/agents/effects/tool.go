package effects

import (
	"strings"
	"time"

	"overturn/model"
)

// OfTool is the effect of a call of a tool of another server, told by its name:
// mcp__SERVER__VERB_NOUN, as agents spell them. ok is false for tools that only
// read, for servers that write files in the work tree, and for names that do not
// say.
func OfTool(name string, failed bool, at time.Time) (effect model.Effect, ok bool) {
	server, verb, ok := mcpName(name)
	if !ok || server == "filesystem" || server == "git" {
		return effect, false
	}
	e := model.Effect{Domain: model.DomainOther, Reversible: model.ReversibleUnknown, Compensation: "undo it on the server by hand", At: at}
	switch {
	case speaks(server) && writesVerb(verb), oneOf(verb, "send post reply comment notify email message"):
		e.Domain, e.Reversible, e.Compensation = model.DomainMessages, model.ReversibleNo, "send a correction"
	case !writesVerb(verb):
		return effect, false
	}
	e.Summary = clean("called " + name)
	if failed {
		e.Summary += " (failed)"
	}
	return e, true
}

// mcpName parts a tool's name into server and the first word of the call.
func mcpName(name string) (server, verb string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, call, ok := strings.Cut(rest, "__")
	if !ok || call == "" {
		return "", "", false
	}
	words := strings.FieldsFunc(call, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	if len(words) == 0 {
		return "", "", false
	}
	verb = words[0]
	if strings.EqualFold(verb, server) && len(words) > 1 {
		verb = words[1] // slack_post_message of server slack
	}
	end := 0
	for end < len(verb) && (end == 0 || verb[end] < 'A' || verb[end] > 'Z') {
		end++ // sendMessage
	}
	return strings.ToLower(server), strings.ToLower(verb[:end]), true
}

func writesVerb(verb string) bool {
	return oneOf(verb, "create update delete remove merge push close reopen add set write publish deploy upload insert edit move assign apply cancel "+
		"approve archive rename fork star start stop restart run execute exec trigger invite revoke grant send post reply comment notify email message put patch")
}

func speaks(server string) bool {
	return oneOf(server, "slack discord telegram gmail email mail teams twilio sendgrid whatsapp")
}
