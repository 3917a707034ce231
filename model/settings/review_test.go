package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model/settings"
)

// What is personal is obeyed in the user's file and the environment, and nowhere else.
func TestPersonalSettings(t *testing.T) {
	const mine = "{\n  // my review\n  \"review\": {\"theme\": \"paper\", \"mouse\": false, \"sync\": \"on\",},\n  \"keys\": {\"plan\": \"p\", \"undo\": [], \"file.pick\": [\"f\", \"ctrl+p\"], \"redo\": \"none\"},\n  \"agents\": {\"tell\": \"rollbacks\"},\n  \"redaction\": {\"allow\": [\"^x$\"]},\n  \"sharing\": {\"snapshots\": true}\n}"
	const theirs = `{"review":{"theme":"dusk","mouse":true,"sync":"off"},"keys":{"plan":"enter"},"agents":{"tell":"rollbacks"},"redaction":{"allow":["."]},"sharing":{"snapshots":true}}`
	got, err := load(t, layers{user: mine, project: theirs, local: theirs}, nil)
	if err != nil || fmt.Sprint(got.Review) != "{paper false on [{file.pick [f ctrl+p]} {plan [p]} {redo []} {undo []}]}" {
		t.Errorf("%+v, %v", got.Review, err)
	}
	want := []string{"agents.tell=rollbacks user", "keys.file.pick=f ctrl+p user", "keys.plan=p user", "keys.redo=none user", "keys.undo=none user", "redaction.allow=^x$ user", "review.mouse=false user", "review.sync=on user", "review.theme=paper user", "sharing.snapshots=true user"}
	var have []string
	for _, v := range got.Values {
		if d, ok := settings.Define(v.Key); ok && d.Personal {
			have = append(have, fmt.Sprintf("%s=%s %s", v.Key, v.Value, v.Origin))
		}
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", have, want)
	}
	got, err = load(t, layers{project: theirs}, nil)
	if err != nil || fmt.Sprint(got.Review) != "{ true auto []}" || got.Tell != settings.TellOff {
		t.Errorf("a repository set %+v, %q, %v", got.Review, got.Tell, err)
	}
	got, err = load(t, layers{user: mine}, map[string]string{"OVERTURN_THEME": "auto", "OVERTURN_NO_MOUSE": "1", "OVERTURN_NO_SYNC": "x"})
	if err != nil || got.Review.Theme != "" || got.Review.Mouse || got.Review.Sync != settings.SyncOff {
		t.Errorf("the environment gives %+v, %v", got.Review, err)
	}
	got, err = load(t, layers{user: mine}, map[string]string{"OVERTURN_AGENTS_TELL": "off"})
	if err != nil || got.Tell != settings.TellOff {
		t.Errorf("the environment gives %q, %v", got.Tell, err)
	}
	if got, err = load(t, layers{}, map[string]string{"OVERTURN_AGENTS_TELL": "all"}); err == nil || got.Tell != settings.TellOff {
		t.Errorf("a broken variable gives %q, %v", got.Tell, err)
	}
	for _, broken := range []string{`{"agents":{"tell":"all"}}`, `{"agents":{"tell":true}}`, `{"review":{"sync":"maybe"}}`, `{"review":{"mouse":"no"}}`, `{"keys":{"plan":3}}`, `{"keys":{"plan":[3]}}`, `{"keys":[]}`} {
		if got, err := load(t, layers{user: broken}, nil); err == nil || !got.Review.Mouse {
			t.Errorf("%s: %+v, %v", broken, got.Review, err)
		}
	}
	if _, err := load(t, layers{user: " \n", project: "// nothing yet\n{}"}, nil); err != nil {
		t.Errorf("an empty file and one of comments: %v", err)
	}
}

func TestStrangers(t *testing.T) {
	root, user := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".overturn"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		filepath.Join(user, "settings.json"):    `{"review":{"colour":"red","theme":"dusk"},"keys":{"no.intent":"k"},"captures":{}}`,
		root + "/.overturn/settings.json":       `{"keys":{"plan":"p"},"redaction":{"allow":["."],"patterns":{"staff":"E"}},"retention":{"keep":1,"age":"3d"},"checkpoints":{"primary":{"type":"git-refs"}}}`,
		root + "/.overturn/settings.local.json": `{"broken"`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range settings.Strangers(root, user) {
		got = append(got, s.Name+": "+s.Reason)
	}
	want := []string{"captures: there is no such block of settings; there are agents, capture, checkpoints, keys, redaction, retention, review, sharing",
		"review.colour: there is no such setting; there are review.mouse, review.sync, review.theme",
		"keys: it is personal: only the user's own file sets it",
		"redaction.allow: it is personal: only the user's own file sets it",
		"retention.age: there is no such setting; there are retention.keep, retention.older_than, retention.unreviewed"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := settings.Strangers("", ""); len(got) != 0 {
		t.Errorf("without files: %v", got)
	}
}

// Every setting takes what it says it takes, and refuses what it does not: what is set
// is what is in force afterwards.
func TestEverySettingIsSet(t *testing.T) {
	values := map[string][3]string{ // good, what is in force then, bad
		"agents.tell":      {"rollbacks", "rollbacks", "all"},
		"capture.anywhere": {"yes", "true", "maybe"}, "capture.max_file_size": {"5m", "5242880", "-1"}, "checkpoints.primary": {"git-branch", "git-branch", ""},
		"checkpoints.mirrors": {"files, x", "files,x", "git-refs"}, "checkpoints.remote": {"up", "up", ""}, "keys.plan": {"p  ctrl+p", "p ctrl+p", " "}, "redaction.allow": {"E-0+", "E-0+", ""}, "redaction.patterns": {`staff=E-\d`, `staff=E-\d`, "E-1"}, "retention.keep": {"3", "3", "x"},
		"retention.older_than": {"2w", "14d", "soon"}, "retention.unreviewed": {"1d", "1d", "1y"}, "review.mouse": {"off", "false", "2"},
		"review.sync": {"off", "off", "perhaps"}, "review.theme": {"paper", "paper", ""}, "sharing.snapshots": {"on", "true", "some"},
	}
	for _, known := range settings.Definitions() {
		key := strings.Replace(known.Key, "INTENT", "plan", 1)
		d, ok := settings.Define(key)
		v := values[key]
		if !ok || v[0] == "" || d.Help == "" || d.Spelt == "" {
			t.Fatalf("%s: %v %v", key, ok, v)
		}
		layer, before := settings.OriginLocal, []byte("{\n  // kept\n  \"checkpoints\": {\"primary\": {\"type\": \"git-refs\"}}\n}\n")
		if d.Personal {
			layer = settings.OriginUser
			if _, err := settings.Changed(nil, settings.OriginLocal, d, v[0]); err == nil {
				t.Errorf("%s is taken from a repository's file", key)
			}
		}
		value, err := d.Encode(v[0])
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		text, err := settings.Changed(before, layer, d, value)
		if err != nil || !strings.Contains(string(text), "// kept") {
			t.Fatalf("%s: %v\n%s", key, err, text)
		}
		l := layers{local: string(text)}
		if d.Personal {
			l = layers{user: string(text)}
		}
		got, err := load(t, l, nil)
		in := map[string]string{}
		for _, x := range got.Values {
			in[x.Key] = x.Value
		}
		if err != nil || in[key] != v[1] {
			t.Errorf("%s is %q, %v", key, in[key], err)
		}
		rest, found, err := settings.Without(text, layer, d)
		if key != "checkpoints.primary" && (!found || err != nil || string(rest) != string(before)) {
			t.Errorf("%s: %v %v\n%s", key, found, err, rest)
		}
		if value, err := d.Encode(v[2]); err == nil {
			if text, err := settings.Changed(before, layer, d, value); err == nil {
				t.Errorf("%s takes %q: %s", key, v[2], text)
			}
		}
	}
	for _, key := range []string{"", "keys", "keys.", "keys.INTENT ", "review", "review.colour"} {
		if d, ok := settings.Define(key); ok && d.Path[0] != "keys" || ok && key == "keys." {
			t.Errorf("%q is a setting", key)
		}
	}
	for value, want := range map[string]string{"none": "[]", "p": "p", "p none": "[]", "a b": "[a b]"} {
		d, _ := settings.Define("keys.plan")
		if got, err := d.Encode(value); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
}

func TestFileOf(t *testing.T) {
	for layer, want := range map[settings.Origin]string{settings.OriginUser: "/u/settings.json", settings.OriginProject: "/r/.overturn/settings.json", settings.OriginLocal: "/r/.overturn/settings.local.json"} {
		if got, err := settings.FileOf("/r", "/u", layer); err != nil || got != want {
			t.Errorf("%s: %s, %v", layer, got, err)
		}
		if _, err := settings.FileOf("", "", layer); err == nil {
			t.Errorf("%s: a file from nowhere", layer)
		}
	}
}
