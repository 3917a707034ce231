package opencode

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/talkfile"
)

// patchPart is the kind of part that says which files a step changed, and from what:
// revert puts files back by it, whatever "snapshot" is set to (measured with 1.18.33).
const patchPart = "patch"

// keep writes the messages, as the server gave them, into the folder for copies.
func (c *talk) keep(t agents.Talk) error {
	f := talkfile.File{Path: keptName(t), Data: c.raw}
	_, err := f.Keep(t.Keepsakes)
	return err
}

func keptName(t agents.Talk) string {
	return "opencode-" + strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '.'
	}, t.Session) + ".json"
}

// dropPatches takes the patch parts out of the messages that are to go, and reads back
// that none is left.
func (c *talk) dropPatches() error {
	if err := patches(c.messages[c.first:], func(p part, _ json.RawMessage) error { return c.call("DELETE", c.partPath(p), nil, nil) }); err != nil {
		return err
	}
	var now []message
	if err := c.call("GET", c.id()+"/message", nil, &now); err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, m := range c.messages[c.first:] {
		gone[m.Info.ID] = true
	}
	return patches(now, func(p part, _ json.RawMessage) error {
		if !gone[p.MessageID] {
			return nil
		}
		return model.Errorf(model.CodeFailed, "OpenCode would put files back together with its conversation, and cannot be kept from it").
			WithHint("type /undo in OpenCode")
	})
}

// putPatches gives the messages back the parts that were taken out of them.
func (c *talk) putPatches(t agents.Talk) error {
	has := map[string]bool{}
	there := map[string]bool{}
	for _, m := range c.messages {
		there[m.Info.ID] = true
	}
	if err := patches(c.messages, func(p part, _ json.RawMessage) error { has[p.ID] = true; return nil }); err != nil {
		return err
	}
	kept, err := keptMessages(t)
	if err != nil {
		return err
	}
	return patches(kept, func(p part, raw json.RawMessage) error {
		if has[p.ID] || !there[p.MessageID] {
			return nil
		}
		has[p.ID] = true
		return c.call("PATCH", c.partPath(p), raw, nil)
	})
}

// keptMessages are those of every copy of this rollback: one that was cut short and run
// again kept two, of which the first alone has all parts.
func keptMessages(t agents.Talk) ([]message, error) {
	paths, err := filepath.Glob(filepath.Join(model.GlobSafe(t.Keepsakes), "*-"+keptName(t)))
	if err != nil {
		return nil, err
	}
	var all []message
	for _, path := range paths {
		f, err := talkfile.Read(path)
		var list []message
		if err == nil {
			err = json.Unmarshal(f.Data, &list)
		}
		if err != nil {
			return nil, model.Failf(err, "cannot read %s", path)
		}
		all = append(all, list...)
	}
	return all, nil
}

// patches calls do for every patch part, in order.
func patches(messages []message, do func(part, json.RawMessage) error) error {
	for _, m := range messages {
		for _, raw := range m.Parts {
			var p part
			if err := json.Unmarshal(raw, &p); err != nil {
				return fmt.Errorf("a part of message %s: %w", m.Info.ID, err)
			}
			if p.Type != patchPart {
				continue
			}
			if err := do(p, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *talk) partPath(p part) string {
	return c.id() + "/message/" + url.PathEscape(p.MessageID) + "/part/" + url.PathEscape(p.ID)
}
