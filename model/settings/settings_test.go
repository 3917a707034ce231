package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"overturn/model"
	"overturn/model/settings"
)

type layers struct{ user, project, local string }

func load(t *testing.T, l layers, env map[string]string) (settings.Settings, error) {
	t.Helper()
	root, user := t.TempDir(), t.TempDir()
	for path, content := range map[string]string{
		filepath.Join(user, "settings.json"): l.user, filepath.Join(root, ".overturn/settings.json"): l.project,
		filepath.Join(root, ".overturn/settings.local.json"): l.local,
	} {
		if content == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return settings.Load(root, user, func(name string) string { return env[name] })
}

// brief is a value as "value origin" for each key but those of agents, sharing, redaction, retention, review and capture.anywhere.
func brief(s settings.Settings) string {
	var parts []string
	for _, v := range s.Values {
		if strings.HasPrefix(v.Key, "retention.") || strings.HasPrefix(v.Key, "review.") || strings.HasPrefix(v.Key, "redaction.") || v.Key == "agents.tell" || v.Key == "sharing.snapshots" || v.Key == "capture.anywhere" {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s=%s(%s)", v.Key[strings.LastIndexByte(v.Key, '.')+1:], v.Value, v.Origin))
	}
	return strings.Join(parts, " ")
}

func TestLayers(t *testing.T) {
	tests := map[string]struct {
		l    layers
		env  map[string]string
		want string
	}{
		"nothing": {layers{}, nil, "max_file_size=104857600(default) mirrors=(default) primary=git-refs(default) remote=(default)"},
		"each over the other": {layers{`{"capture":{"max_file_size":1}}`, `{"capture":{"max_file_size":2}}`, `{"capture":{"max_file_size":"3k"}}`}, nil,
			"max_file_size=3072(local) mirrors=(default) primary=git-refs(default) remote=(default)"},
		"environment over all": {layers{local: `{"capture":{"max_file_size":2}}`}, map[string]string{"OVERTURN_CAPTURE_MAX_FILE_SIZE": "7 MiB"},
			"max_file_size=7340032(environment) mirrors=(default) primary=git-refs(default) remote=(default)"},
		"a block replaces the block below whole": {layers{project: `{"checkpoints":{"primary":{"type":"git-branch"},"mirrors":[{"type":"files"}],"remote":"origin"}}`,
			local: `{"checkpoints":{"primary":{"type":"git-refs"}}}`}, nil,
			"max_file_size=104857600(default) mirrors=(local) primary=git-refs(local) remote=(local)"},
		"primary of the environment takes the mirrors away": {layers{project: `{"checkpoints":{"primary":{"type":"git-refs"},"mirrors":[{"type":"files"}],"remote":"origin"}}`},
			map[string]string{"OVERTURN_CHECKPOINTS_PRIMARY": "git-branch"},
			"max_file_size=104857600(default) mirrors=(environment) primary=git-branch(environment) remote=origin(project)"},
		"mirrors and remote of the environment": {layers{project: `{"checkpoints":{"primary":{"type":"git-refs"},"mirrors":[{"type":"files"}]}}`},
			map[string]string{"OVERTURN_CHECKPOINTS_MIRRORS": "git-branch, files", "OVERTURN_CHECKPOINTS_REMOTE": "up"},
			"max_file_size=104857600(default) mirrors=git-branch,files(environment) primary=git-refs(project) remote=up(environment)"},
		"what others keep there": {layers{user: `{"theme":"dark","capture":{"other":1},"checkpoints":null}`}, nil,
			"max_file_size=104857600(default) mirrors=(default) primary=git-refs(default) remote=(default)"},
	}
	for name, test := range tests {
		got, err := load(t, test.l, test.env)
		if err != nil || brief(got) != test.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, brief(got), test.want)
		}
	}
}

// A repository that could have its contents shared by a file that it brings along
// would have them sent wherever the user sends records.
func TestOnlyTheUserSharesSnapshots(t *testing.T) {
	const on = `{"sharing":{"snapshots":true}}`
	for name, test := range map[string]struct {
		l    layers
		env  map[string]string
		want bool
	}{
		"nobody":                   {layers{}, nil, false},
		"the user":                 {layers{user: on}, nil, true},
		"the project":              {layers{project: on, local: on}, nil, false},
		"the environment says yes": {layers{}, map[string]string{"OVERTURN_SHARING_SNAPSHOTS": "true"}, true},
		"the environment says no":  {layers{user: on}, map[string]string{"OVERTURN_SHARING_SNAPSHOTS": "false"}, false},
	} {
		got, err := load(t, test.l, test.env)
		if err != nil || got.ShareSnapshots != test.want {
			t.Errorf("%s: %t, %v", name, got.ShareSnapshots, err)
		}
	}
	if _, err := load(t, layers{}, map[string]string{"OVERTURN_SHARING_SNAPSHOTS": "perhaps"}); err == nil {
		t.Error("a variable that says neither was taken")
	}
}

func TestBroken(t *testing.T) {
	for name, test := range map[string]struct {
		project string
		env     map[string]string
	}{
		"no JSON":            {`{"capture":`, nil},
		"empty object twice": {`{}{}`, nil},
		"size 0":             {`{"capture":{"max_file_size":0}}`, nil},
		"size no number":     {`{"capture":{"max_file_size":true}}`, nil},
		"unknown field":      {`{"checkpoints":{"primary":{"type":"git-refs"},"mirror":[]}}`, nil},
		"unknown deeper":     {`{"checkpoints":{"primary":{"type":"git-refs","path":"x"}}}`, nil},
		"no primary":         {`{"checkpoints":{"remote":"origin"}}`, nil},
		"no type":            {`{"checkpoints":{"primary":{}}}`, nil},
		"twice":              {`{"checkpoints":{"primary":{"type":"git-refs"},"mirrors":[{"type":"git-refs"}]}}`, nil},
		"too large":          {`{"x":"` + strings.Repeat("x", 1<<20) + `"}`, nil},
		"variable":           {"", map[string]string{"OVERTURN_CAPTURE_MAX_FILE_SIZE": "-1"}},
		"empty mirror":       {"", map[string]string{"OVERTURN_CHECKPOINTS_MIRRORS": "files,,x"}},
		"two at once":        {`[]`, map[string]string{"OVERTURN_CAPTURE_MAX_FILE_SIZE": "x"}},
	} {
		got, err := load(t, layers{project: test.project, local: `{"capture":{"max_file_size":5}}`}, test.env)
		if model.CodeOf(err) != model.CodeFailed || err == nil || model.HintOf(err) == "" {
			t.Errorf("%s: %v (hint %q)", name, err, model.HintOf(err))
			continue
		}
		where := "settings.json"
		if test.project == "" {
			where = "OVERTURN_"
		}
		if !strings.Contains(err.Error(), where) {
			t.Errorf("%s: %v does not name %s", name, err, where)
		}
		if got.MaxFileSize != 5 || got.Checkpoints.Primary != "git-refs" {
			t.Errorf("%s: the layers that are whole give %+v", name, got)
		}
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".overturn/settings.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := settings.Load(root, "", func(string) string { return "" }); err == nil {
		t.Error("a folder was read as a file")
	}
}

func TestUserDir(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"/o":                  {"OVERTURN_HOME": "/o", "XDG_CONFIG_HOME": "/x", "HOME": "/h"},
		"/x/overturn":         {"XDG_CONFIG_HOME": "/x", "HOME": "/h"},
		"/h/.config/overturn": {"XDG_CONFIG_HOME": "relative", "HOME": "/h"},
		"":                    {},
	} {
		if got := settings.UserDir(func(name string) string { return env[name] }); got != want {
			t.Errorf("%v: %q", env, got)
		}
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "2k": 2048, "2 KiB": 2048, "3MB": 3 << 20, "1g": 1 << 30, "": 0, "-1": 0, "1t": 0, "k": 0, "1.5m": 0,
		"9223372036854775807k": 0, "1ki b": 0, "1bb": 0} {
		if got, err := settings.ParseSize(s); got != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add(`{"checkpoints":{"primary":{"type":"git-refs"},"mirrors":[{"type":"files"}]}}`, "5k")
	f.Add(`{"capture":{"max_file_size":"1g"}}`, "")
	f.Fuzz(func(t *testing.T, file, size string) {
		if len(file) > 1<<16 {
			return
		}
		got, _ := load(t, layers{project: file}, map[string]string{"OVERTURN_CAPTURE_MAX_FILE_SIZE": size})
		if got.MaxFileSize <= 0 || got.Checkpoints.Primary == "" || len(got.Values) < 11 || got.Retention.Keep < 0 || got.Retention.OlderThan < 0 {
			t.Errorf("%q gives %+v", file, got)
		}
	})
}

// TestRedactionAddsUp: a project adds patterns and takes none away; what is no secret is
// the user's to say.
func TestRedactionAddsUp(t *testing.T) {
	s, err := load(t, layers{user: `{"redaction":{"patterns":{"staff":"E-\\d","host":"h"},"allow":["E-0"]}}`,
		project: `{"redaction":{"patterns":{"staff":"never","host":"h"},"allow":["."]}}`, local: `{"redaction":{"patterns":{}}}`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := settings.Redaction{Patterns: []settings.Pattern{{Name: "host", Regexp: "h"}, {Name: "staff", Regexp: `E-\d`}, {Name: "staff", Regexp: "never"}}, Allow: []string{"E-0"}}
	if !reflect.DeepEqual(s.Redaction, want) {
		t.Errorf("%+v, not %+v", s.Redaction, want)
	}
	for _, broken := range []string{`{"redaction":{"patterns":["x"]}}`, `{"redaction":{"patterns":{"x":""}}}`, `{"redaction":{"allow":"x"}}`} {
		if s, err := load(t, layers{user: `{"redaction":{"patterns":{"a":"b"}}}`, project: broken}, nil); err == nil || len(s.Redaction.Patterns) != 1 {
			t.Errorf("%s: %v, %v", broken, s.Redaction, err)
		}
	}
}

// TestARemoteOfTheRepositoryIsOffered: files in the work tree may have come with it;
// the user's own file and the environment are the user's word.
func TestARemoteOfTheRepositoryIsOffered(t *testing.T) {
	block := `{"checkpoints":{"primary":{"type":"git-refs"},"remote":"up"}}`
	plain := `{"checkpoints":{"primary":{"type":"git-refs"}}}`
	for name, c := range map[string]struct {
		in      layers
		env     map[string]string
		offered bool
	}{
		"the user's file":                       {layers{user: block}, nil, false},
		"the project's":                         {layers{project: block}, nil, true},
		"the local one":                         {layers{local: block}, nil, true},
		"the environment over the project's":    {layers{project: block}, map[string]string{"OVERTURN_CHECKPOINTS_REMOTE": "up"}, false},
		"a project's without over the user's":   {layers{user: block, project: plain}, nil, false},
		"the project's over the user's own one": {layers{user: block, project: block}, nil, true},
	} {
		s, err := load(t, c.in, c.env)
		if err != nil || s.Checkpoints.Offered != c.offered {
			t.Errorf("%s: offered %v, %v", name, s.Checkpoints.Offered, err)
		}
	}
}
