package hookfile

import "encoding/json"

// step is one container on the way to a handler, and which member leads on.
type step struct {
	container *node
	index     int
}

// place is one handler whose command line is ours.
type place struct {
	event   string
	command string
	chain   []step // root, hooks, list of the event; then, where handlers are grouped, group, list of handlers
}

// find lists our handlers in the order of the file.
func find(src []byte, ours func(string) bool) ([]place, error) {
	root, hooks, err := block(src)
	if err != nil || hooks == nil {
		return nil, err
	}
	rootIndex, _ := root.last("hooks")
	var list []place
	for i, event := range hooks.members {
		if last, _ := hooks.last(event.key); last != i {
			continue
		}
		for j, g := range event.value.members {
			for _, c := range commands(src, g.value) {
				if !ours(c.text) {
					continue
				}
				if c.handlers == nil {
					list = append(list, place{event.key, c.text, []step{{root, rootIndex}, {hooks, i}, {event.value, j}}})
					continue
				}
				list = append(list, place{event.key, c.text, []step{
					{root, rootIndex}, {hooks, i}, {event.value, j}, {g.value, c.inGroup}, {c.handlers, c.index}}})
			}
		}
	}
	return list, nil
}

type handler struct {
	text     string
	inGroup  int   // index of "hooks" in the group
	handlers *node // nil for a handler that stands in the event's list itself
	index    int
}

// commands lists the command lines of one group; what has another shape is not ours.
func commands(src []byte, group *node) []handler {
	if group.open != '{' {
		return nil
	}
	if text, ok := commandOf(src, group); ok {
		return []handler{{text: text}}
	}
	at, handlers := group.last("hooks")
	if at < 0 || handlers.open != '[' {
		return nil
	}
	var list []handler
	for i, h := range handlers.members {
		if text, ok := commandOf(src, h.value); ok {
			list = append(list, handler{text, at, handlers, i})
		}
	}
	return list
}

// commandOf is the command line of a handler.
func commandOf(src []byte, h *node) (string, bool) {
	if h.open != '{' {
		return "", false
	}
	_, c := h.last("command")
	if c == nil || c.open != 0 {
		return "", false
	}
	var text string
	err := json.Unmarshal(src[c.start:c.end], &text)
	return text, err == nil
}
