package hookfile

import (
	"bytes"
	"encoding/json"

	"overturn/model"
)

// Hook is one event that is to call us.
type Hook struct {
	Event   string
	Timeout int // seconds; 0 leaves it to the agent
}

// Names are the events of hooks, in their order.
func Names(hooks []Hook) []string {
	var list []string
	for _, h := range hooks {
		list = append(list, h.Event)
	}
	return list
}

// Spec is what one agent's settings file shall hold.
type Spec struct {
	Hooks   []Hook
	Command string
	Flat    bool                      // handlers stand in the event's list itself, not in groups (Cursor)
	Ours    func(command string) bool // whether a command line in the file is one of ours, also an older one
}

// Put returns src with every hook of the spec in place; src itself when they are
// there already. A nil src is a file that does not exist.
func Put(src []byte, spec Spec) ([]byte, error) {
	if src == nil {
		st := style{newline: "\n", unit: "  "}
		return []byte(render([]pair{{"hooks", events(spec)}}, st, "") + "\n"), nil
	}
	found, err := find(src, spec.Ours)
	if err != nil {
		return nil, err
	}
	if complete(found, spec) {
		return src, nil
	}
	out := src
	if len(found) > 0 {
		empty := false
		if out, empty, err = Take(src, spec.Ours); err != nil {
			return nil, err
		}
		if empty { // a file of Put's own, with another command: it is made anew
			return Put(nil, spec)
		}
	}
	for _, h := range spec.Hooks {
		if out, err = putOne(out, spec, h); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// putOne adds the group of one event; all of them where there is no hooks block.
func putOne(src []byte, spec Spec, h Hook) ([]byte, error) {
	root, hooks, err := block(src)
	if err != nil {
		return nil, err
	}
	st := styleOf(src, root)
	if hooks == nil {
		return insert(src, st, root, func(st style, indent string) string {
			return quote("hooks") + ": " + render(events(spec), st, indent)
		}), nil
	}
	index, list := hooks.last(h.Event)
	if index < 0 {
		return insert(src, st, hooks, func(st style, indent string) string {
			return quote(h.Event) + ": " + render([]any{group(spec, h)}, st, indent)
		}), nil
	}
	if has(src, list, spec) {
		return src, nil
	}
	return insert(src, st, list, func(st style, indent string) string {
		return render(group(spec, h), st, indent)
	}), nil
}

func has(src []byte, list *node, spec Spec) bool {
	for _, g := range list.members {
		for _, c := range commands(src, g.value) {
			if spec.Ours(c.text) {
				return true
			}
		}
	}
	return false
}

func events(spec Spec) []pair {
	var list []pair
	for _, h := range spec.Hooks {
		list = append(list, pair{h.Event, []any{group(spec, h)}})
	}
	return list
}

func group(spec Spec, h Hook) []pair {
	handler := []pair{{"type", "command"}, {"command", spec.Command}}
	if spec.Flat {
		handler = handler[1:]
	}
	if h.Timeout > 0 {
		handler = append(handler, pair{"timeout", h.Timeout})
	}
	if spec.Flat {
		return handler
	}
	return []pair{{"hooks", []any{handler}}}
}

// Take returns src without our hooks, and without the containers that Put made
// for them. empty tells that nothing else is left of a file that Put made.
func Take(src []byte, ours func(string) bool) (out []byte, empty bool, err error) {
	out = src
	for {
		found, err := find(out, ours)
		if err != nil {
			return nil, false, err
		}
		if len(found) == 0 {
			return out, false, nil
		}
		chain := found[len(found)-1].chain
		// climb while the container would be left empty and is one that Put made;
		// a group without handlers is no group
		i := len(chain) - 1
		if len(chain) == 5 && len(chain[i].container.members) == 1 {
			i -= 2
		}
		for i > 0 && len(chain[i].container.members) == 1 && !marked(out, chain[i].container) {
			i--
		}
		root := chain[0].container
		if i == 0 && len(root.members) == 1 && !marked(out, root) && alone(out, root) {
			return nil, true, nil
		}
		out = remove(out, chain[i].container, chain[i].index)
	}
}

// alone tells whether the file is the root's one member and white space.
func alone(src []byte, root *node) bool {
	m := root.members[0]
	rest := [][]byte{src[:root.start], src[root.start+1 : m.start], src[m.end() : root.end-1], src[root.end:]}
	return len(bytes.TrimLeft(bytes.Join(rest, nil), " \t\r\n,")) == 0
}

// Events lists the events whose hooks call us, in the order of the file.
func Events(src []byte, ours func(string) bool) ([]string, error) {
	found, err := find(src, ours)
	var list []string
	for _, f := range found {
		if n := len(list); n == 0 || list[n-1] != f.event {
			list = append(list, f.event)
		}
	}
	return list, err
}

// Place is where one of our handlers stands: the group in the event's list, the
// handler in the group, both counted from 0.
type Place struct {
	Event          string
	Group, Handler int
}

// Places lists our handlers in the order of the file.
func Places(src []byte, ours func(string) bool) ([]Place, error) {
	found, err := find(src, ours)
	var list []Place
	for _, f := range found {
		p := Place{Event: f.event, Group: f.chain[2].index}
		if len(f.chain) == 5 {
			p.Handler = f.chain[4].index
		}
		list = append(list, p)
	}
	return list, err
}

// complete tells whether found is what the spec wants, each once.
func complete(found []place, spec Spec) bool {
	if len(found) != len(spec.Hooks) {
		return false
	}
	want := map[string]bool{}
	for _, h := range spec.Hooks {
		want[h.Event] = true
	}
	for _, f := range found {
		if f.command != spec.Command || !want[f.event] {
			return false
		}
		delete(want, f.event)
	}
	return true
}

// Bool is a truth value at the top of the file, false when it is not there.
func Bool(src []byte, key string) bool {
	root, err := scan(src)
	if err != nil || root.open != '{' {
		return false
	}
	_, v := root.last(key)
	var b bool
	return v != nil && json.Unmarshal(src[v.start:v.end], &b) == nil && b
}

func block(src []byte) (root, hooks *node, err error) {
	root, err = scan(src)
	if err != nil {
		return nil, nil, &model.Error{Code: model.CodeFailed, Message: "it is not valid JSON", Err: err}
	}
	if root.open != '{' {
		return nil, nil, model.Errorf(model.CodeFailed, "it is not a JSON object")
	}
	index, hooks := root.last("hooks")
	if index < 0 {
		return root, nil, nil
	}
	if hooks.open != '{' {
		return nil, nil, model.Errorf(model.CodeFailed, "its \"hooks\" is not an object")
	}
	for _, m := range hooks.members {
		if m.value.open != '[' {
			return nil, nil, model.Errorf(model.CodeFailed, "its hooks of %q are not a list", m.key)
		}
	}
	return root, hooks, nil
}
