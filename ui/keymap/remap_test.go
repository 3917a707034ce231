package keymap_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/ui/keymap"
)

func review() []keymap.Place {
	return []keymap.Place{keymap.InDiff, keymap.InReview, keymap.Everywhere}
}

func TestRemap(t *testing.T) {
	for _, c := range []struct {
		name     string
		bound    []keymap.Bound
		finds    map[string]keymap.Intent
		problems []string
	}{
		{"nothing", nil, map[string]keymap.Intent{"P": keymap.Plan, "p": keymap.Pick}, nil},
		{"another key", []keymap.Bound{{keymap.Plan, []string{"ctrl+p", "F5"}}},
			map[string]keymap.Intent{"ctrl+p": keymap.Plan, "f5": keymap.Plan, "P": keymap.None, "p": keymap.Pick}, nil},
		{"two change places", []keymap.Bound{{keymap.Plan, []string{"p"}}, {keymap.Pick, []string{"P"}}},
			map[string]keymap.Intent{"p": keymap.Plan, "P": keymap.Pick}, nil},
		{"no key", []keymap.Bound{{keymap.Editor, nil}}, map[string]keymap.Intent{"e": keymap.None}, nil},
		{"a key is taken away", []keymap.Bound{{keymap.Plan, []string{"p"}}}, map[string]keymap.Intent{"p": keymap.Plan},
			[]string{`file.pick: it has no key any more: p is plan; give it another, or "none"`}},
		{"one of two keys is taken away", []keymap.Bound{{keymap.Plan, []string{"="}}}, map[string]keymap.Intent{"=": keymap.Plan, "+": keymap.More}, nil},
		{"a key for two", []keymap.Bound{{keymap.Theme, []string{"f2"}}, {keymap.Wrap, []string{"f2"}}},
			map[string]keymap.Intent{"f2": keymap.Wrap, "T": keymap.Theme, "w": keymap.None}, []string{"view.theme: F2 is the key of view.wrap already"}},
		{"in another screen it may", []keymap.Bound{{keymap.Drop, []string{"d"}}, {keymap.Wrap, []string{"d"}}}, map[string]keymap.Intent{"d": keymap.Wrap}, nil},
		{"unknown intent", []keymap.Bound{{"mode.latst", []string{"l"}}}, map[string]keymap.Intent{"l": keymap.Right},
			[]string{"mode.latst: there is no such intent; is it mode.latest?"}},
		{"like none", []keymap.Bound{{"§§", []string{"l"}}}, nil, []string{"§§: there is no such intent; `overturn config keys` lists them"}},
		{"no key of a terminal", []keymap.Bound{{keymap.Wrap, []string{"hyper+w", "ctrl+shift+w", "word"}}}, map[string]keymap.Intent{"w": keymap.Wrap},
			[]string{`view.wrap: "hyper+w" is no key`, `view.wrap: "ctrl+shift+w" is no key that a terminal tells apart`, `view.wrap: "word" is no key that a terminal tells apart`}},
		{"fixed intents", []keymap.Bound{{keymap.Back, []string{"b"}}, {keymap.Kill, nil}}, map[string]keymap.Intent{"esc": keymap.Back, "ctrl+c": keymap.Kill},
			[]string{"back: its key is fixed: Esc", "quit.now: its key is fixed: ctrl+c"}},
		{"fixed keys", []keymap.Bound{{keymap.Quit, []string{"esc", "ctrl+c", "ctrl+["}}}, map[string]keymap.Intent{"q": keymap.Quit, "esc": keymap.Back},
			[]string{"quit: Esc is fixed: it leads out", "quit: ctrl+c is fixed: it leads out", "quit: Esc is fixed: it leads out"}},
	} {
		m, problems := keymap.Remap(c.bound)
		for key, want := range c.finds {
			if got := m.Find(key, review()...); got != want {
				t.Errorf("%s: %s means %q, want %q", c.name, key, got, want)
			}
		}
		var got []string
		for _, p := range problems {
			got = append(got, p.String())
		}
		if fmt.Sprint(got) != fmt.Sprint(c.problems) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.problems, "\n"))
		}
	}
	m, _ := keymap.Remap([]keymap.Bound{{keymap.Plan, []string{"ctrl+p", "alt+down"}}})
	if c, _ := m.Command(keymap.Plan); c.Shown != "ctrl+p alt+↓" || !m.Mine(keymap.Plan) || m.Mine(keymap.Pick) {
		t.Errorf("%+v", c)
	}
	if c, _ := m.Command(keymap.HunkNext); c.Shown != "]" || len(c.Keys) != 1 {
		t.Errorf("what lost a key shows %+v", c)
	}
}

// Whatever the user binds, no key that answers a dialog opens one, Esc leads back and
// Ctrl+C quits, and in one place a key means one thing.
func TestRemapKeepsTheRules(t *testing.T) {
	asking := 0
	for _, c := range keymap.New().Commands() {
		intent := c.Intent
		if !strings.Contains(c.Title, "(asks)") {
			continue
		}
		asking++
		for _, key := range []string{"enter", "return", "ctrl+m", "y", "n", "q", "0", "1", "9"} {
			m, problems := keymap.Remap([]keymap.Bound{{intent, []string{key}}})
			if len(problems) != 1 || problems[0].Intent != intent {
				t.Errorf("%s on %s: %v", intent, key, problems)
			}
			for _, place := range []keymap.Place{keymap.InPlan, keymap.InComments, keymap.Everywhere, keymap.InReview} {
				if spelt, _ := keymap.Spell(key); m.Find(spelt, place) == intent {
					t.Errorf("%s is on %s", intent, key)
				}
			}
		}
	}
	if asking < 5 {
		t.Errorf("only %d commands ask", asking)
	}
	for _, c := range keymap.New().Commands() {
		for _, key := range []string{"x", "P", "enter", "esc", "ctrl+c", "j", "f3"} {
			m, _ := keymap.Remap([]keymap.Bound{{c.Intent, []string{key}}, {keymap.Wrap, []string{"j"}}})
			if m.Find("esc", review()...) != keymap.Back || m.Find("ctrl+c", review()...) != keymap.Kill {
				t.Errorf("%s on %s: no way out", c.Intent, key)
			}
			seen := map[string]keymap.Intent{}
			for _, d := range m.Commands() {
				for _, k := range d.Keys {
					id := fmt.Sprint(d.Place, k)
					if seen[id] != keymap.None {
						t.Errorf("%s on %s: %s means %s and %s", c.Intent, key, k, seen[id], d.Intent)
					}
					seen[id] = d.Intent
				}
			}
		}
	}
}

func TestSpell(t *testing.T) {
	for s, want := range map[string]string{
		"p": "p", "G": "G", "shift+g": "G", "ctrl+D": "ctrl+d", "Ctrl+d": "ctrl+d", "alt+x": "alt+x", "alt+G": "alt+G", "Enter": "enter", "Return": "enter", "ctrl+m": "enter",
		"ctrl+i": "tab", "ctrl+[": "esc", "space": " ", "ctrl+space": "ctrl+@", "PgDn": "pgdown", "pageup": "pgup", "shift+tab": "shift+tab", "backtab": "shift+tab", "F5": "f5",
		"f20": "f20", "alt+down": "alt+down", "ctrl+shift+up": "ctrl+shift+up", "shift+up": "shift+up", "+": "+", "alt++": "alt++", "ctrl+alt+a": "alt+ctrl+a", "é": "é", "ж": "ж", "del": "delete",
		"": "", "pp": "", "ctrl+shift+a": "", "super+a": "", "f21": "", "ctrl+1": "", "shift+1": "", "ctrl+": "", "a b": "", "\x01": "", "ctrl+é": "", "runes": "",
	} {
		got, err := keymap.Spell(s)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v, not %q", s, got, err, want)
		}
	}
	for key, want := range map[string]string{"f5": "F5", "f": "f", "alt+pgdown": "alt+PgDn", " ": "Space", "ctrl+d": "ctrl+d"} {
		if got := keymap.Shown(key); got != want {
			t.Errorf("%q is shown as %q", key, got)
		}
	}
	for _, c := range keymap.New().Commands() {
		for _, k := range c.Keys {
			spelt, err := keymap.Spell(keymap.Shown(k))
			if k != "up" && k != "down" && k != "left" && k != "right" && k != "alt+up" && k != "alt+down" && (err != nil || spelt != k) {
				t.Errorf("%q is shown as %q, which is read as %q, %v", k, keymap.Shown(k), spelt, err)
			}
		}
	}
}

// A letter that no place knows means what its key has in Latin letters; one that the
// user bound means that.
func TestOtherLayouts(t *testing.T) {
	m := keymap.New()
	for k, want := range map[string]keymap.Intent{"о": keymap.Down, "л": keymap.Up, "ч": keymap.Stage, "Ч": keymap.StageFile, "З": keymap.Plan, "х": keymap.HunkPrev, "ї": keymap.HunkNext,
		"ξ": keymap.Down, "Χ": keymap.StageFile, "ю": keymap.FileNext, "Ж": keymap.Palette, "é": keymap.None, "日": keymap.None} {
		if got := m.Find(k, review()...); got != want {
			t.Errorf("%q means %q, want %q", k, got, want)
		}
	}
	m, problems := keymap.Remap([]keymap.Bound{{keymap.Wrap, []string{"о"}}})
	if got := m.Find("о", review()...); got != keymap.Wrap || len(problems) > 0 {
		t.Errorf("a Cyrillic key that is bound means %q, %v", got, problems)
	}
	seen := map[rune]bool{}
	for r := rune(0x370); r < 0x530; r++ {
		if l := keymap.Latin(string(r)); l != "" {
			seen[r] = true
			if alt := keymap.Latin("alt+" + string(r)); alt != "alt+"+l {
				t.Errorf("alt+%c is %q", r, alt)
			}
		}
	}
	if len(seen) != 2*33+10+25+24 {
		t.Errorf("%d letters are known", len(seen))
	}
	for _, k := range []string{"j", "enter", "оо", "", "alt+", "alt+enter", "\xff"} {
		if l := keymap.Latin(k); l != "" {
			t.Errorf("%q is %q", k, l)
		}
	}
}
