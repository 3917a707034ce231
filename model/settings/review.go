package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Review is how a person wants the review. It is of the user's file and the environment
// alone: what comes with a repository changes neither keys nor looks.
type Review struct {
	Theme string // a name, "light", "dark"; "" for what fits the terminal
	Mouse bool   // the review takes the mouse
	Sync  Sync
	Keys  []Binding // in order of the intents
}

// Sync says whether frames are bracketed as synchronised output.
type Sync string

// The values of Sync.
const (
	SyncAuto Sync = "auto" // where the terminal knows it
	SyncOn   Sync = "on"
	SyncOff  Sync = "off"
)

// Tell says what agents are told, without being asked for, with their next prompt.
type Tell string

// The values of Tell.
const (
	TellOff       Tell = "off"       // nothing but what the user hands over
	TellRollbacks Tell = "rollbacks" // what was taken back of their turns
)

// Binding gives an intent its keys; none leaves it without one.
type Binding struct {
	Intent string
	Keys   []string
}

// personal is Review with the origin of each part.
type personal struct {
	theme setting[string]
	mouse setting[bool]
	sync  setting[Sync]
	keys  setting[[]Binding]
	tell  setting[Tell]
}

func defaultReview() personal {
	none := source{origin: OriginDefault}
	return personal{setting[string]{"", none}, setting[bool]{true, none}, setting[Sync]{SyncAuto, none}, setting[[]Binding]{nil, none}, setting[Tell]{TellOff, none}}
}

func (p *personal) settings() Review {
	return Review{p.theme.value, p.mouse.value, p.sync.value, p.keys.value}
}

// values are the settings of keys that are set.
func (p *personal) values() []Value {
	var list []Value
	for _, b := range p.keys.value {
		text := strings.Join(b.Keys, " ")
		if text == "" {
			text = NoKey
		}
		list = append(list, Value{KeyPrefix + b.Intent, text, p.keys.from.origin, p.keys.from.where})
	}
	return list
}

// merge lays the user's file over what there is.
func (p *personal) merge(w wire, layer source) error {
	if r := w.Review; r != nil {
		if r.Theme != nil {
			p.theme = setting[string]{themeName(*r.Theme), layer}
		}
		if r.Mouse != nil {
			p.mouse = setting[bool]{*r.Mouse, layer}
		}
		if err := p.sync.take(layer, r.Sync, parseSync); err != nil {
			return fmt.Errorf("review.sync: %w", err)
		}
	}
	if w.Agents != nil {
		if err := p.tell.take(layer, w.Agents.Tell, parseTell); err != nil {
			return fmt.Errorf("agents.tell: %w", err)
		}
	}
	if w.Keys == nil {
		return nil
	}
	var list []Binding
	for _, intent := range slices.Sorted(maps.Keys(w.Keys)) {
		keys, err := parseKeys(w.Keys[intent])
		if err != nil {
			return fmt.Errorf("keys.%s: %w", intent, err)
		}
		list = append(list, Binding{intent, keys})
	}
	p.keys = setting[[]Binding]{list, layer}
	return nil
}

// themeName is a theme's name with auto, which is none, told in one way.
func themeName(s string) string {
	if s == "auto" {
		return ""
	}
	return s
}

func parseSync(s string) (Sync, error) {
	switch sync := Sync(s); sync {
	case SyncAuto, SyncOn, SyncOff:
		return sync, nil
	}
	return "", fmt.Errorf("%q is none of auto, on, off", s)
}

func parseTell(s string) (Tell, error) {
	switch tell := Tell(s); tell {
	case TellOff, TellRollbacks:
		return tell, nil
	}
	return "", fmt.Errorf("%q is none of off, rollbacks", s)
}

// parseKeys reads a key, or a list of keys.
func parseKeys(raw json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		if one == "" || one == NoKey {
			return nil, nil
		}
		return []string{one}, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil, fmt.Errorf("it is neither a key nor a list of keys")
	}
	return list, nil
}

// environment lays the variables over the file. Those that say no are true by being
// there, as NO_COLOR is.
func (p *personal) environment(getenv func(string) string) error {
	if v := getenv("OVERTURN_AGENTS_TELL"); v != "" {
		tell, err := parseTell(v)
		if err != nil {
			return brokenVariable("OVERTURN_AGENTS_TELL", err)
		}
		p.tell = setting[Tell]{tell, source{OriginEnv, "OVERTURN_AGENTS_TELL"}}
	}
	if v := getenv("OVERTURN_THEME"); v != "" {
		p.theme = setting[string]{themeName(v), source{OriginEnv, "OVERTURN_THEME"}}
	}
	if getenv("OVERTURN_NO_MOUSE") != "" {
		p.mouse = setting[bool]{false, source{OriginEnv, "OVERTURN_NO_MOUSE"}}
	}
	if getenv("OVERTURN_NO_SYNC") != "" {
		p.sync = setting[Sync]{SyncOff, source{OriginEnv, "OVERTURN_NO_SYNC"}}
	}
	return nil
}

func (p *personal) fixed() []Value {
	value := func(key, v string, from source) Value { return Value{key, v, from.origin, from.where} }
	theme := p.theme.value
	if theme == "" {
		theme = "auto"
	}
	return []Value{
		value("review.mouse", strconv.FormatBool(p.mouse.value), p.mouse.from),
		value("review.sync", string(p.sync.value), p.sync.from),
		value("review.theme", theme, p.theme.from),
	}
}
