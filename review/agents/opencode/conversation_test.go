package opencode_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/opencode"
)

// fake is `opencode serve` with one session, as far as overturn asks it: its answers
// have the shape of OpenCode 1.18.33's. Its revert puts files back wherever a dropped
// message has a patch part, as the real one does.
type fake struct {
	t         *testing.T
	messages  []map[string]any
	revert    string
	filesBack bool // revert found patch parts

	keepsParts, lies, silent bool
	fails                    string // path's end that answers 500
	started                  agents.Program
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t}
	for _, id := range []string{"msg_1", "msg_2", "msg_3"} {
		f.messages = append(f.messages,
			map[string]any{"info": map[string]any{"id": id, "role": "user"}, "parts": []any{map[string]any{"id": "prt_" + id, "messageID": id, "type": "text", "text": "do"}}},
			map[string]any{"info": map[string]any{"id": id + "a", "role": "assistant"}, "parts": []any{
				map[string]any{"id": "prt_p" + id, "messageID": id + "a", "type": "patch", "hash": "0a", "files": []any{"/work-repo/" + id}}, map[string]any{"id": "prt_t" + id, "messageID": id + "a", "type": "text"}}})
	}
	return f
}

func (f *fake) Start(_ context.Context, p agents.Program) (agents.Running, error) {
	f.started = p
	server := httptest.NewServer(f)
	said := "starting\nopencode server listening on " + server.URL + "\n"
	if f.silent {
		said = "no such option: --pure\n"
	}
	return &fakeRun{Reader: strings.NewReader(said), close: server.Close}, nil
}

type fakeRun struct {
	io.Reader
	close func()
}

func (r *fakeRun) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }
func (r *fakeRun) Said() string              { return "usage\nno such option\n" }
func (r *fakeRun) Close() error              { r.close(); return nil }

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if user != "opencode" || !slices.Contains(f.started.Env, "OPENCODE_SERVER_PASSWORD="+password) || len(password) < 20 || r.URL.Query().Get("directory") != "/work-repo" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/session/")
	switch {
	case f.fails != "" && strings.HasSuffix(path, f.fails):
		w.WriteHeader(http.StatusInternalServerError)
	case !strings.HasPrefix(path, "ses_1"):
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `{"name":"NotFoundError","data":{"message":"Session not found"}}`)
	case r.Method == "GET" && path == "ses_1":
		f.say(w, f.session())
	case r.Method == "GET" && path == "ses_1/message":
		f.say(w, f.messages)
	case r.Method == "POST" && path == "ses_1/revert":
		f.back(r)
		f.say(w, f.session())
	case r.Method == "POST" && path == "ses_1/unrevert":
		if f.revert = ""; f.lies {
			f.revert = "msg_2"
		}
		f.say(w, f.session())
	case strings.Contains(path, "/part/"):
		f.part(w, r, strings.Split(path, "/"))
	default:
		f.t.Errorf("asked for %s %s", r.Method, r.URL)
	}
}

func (f *fake) say(w http.ResponseWriter, v any) {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}

func (f *fake) session() map[string]any {
	s := map[string]any{"id": "ses_1", "directory": "/work-repo", "version": "1.18.33"}
	if f.revert != "" {
		s["revert"] = map[string]any{"messageID": f.revert}
	}
	return s
}

func (f *fake) back(r *http.Request) {
	var ask struct {
		MessageID string `json:"messageID"`
	}
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		f.t.Error(err)
	}
	if f.lies {
		return
	}
	f.revert = ask.MessageID
	for i, m := range f.messages {
		if m["info"].(map[string]any)["id"] == ask.MessageID {
			f.filesBack = f.filesBack || strings.Contains(text(f.messages[i:]), `"patch"`)
		}
	}
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// part adds or removes one: ses_1/message/MESSAGE/part/PART.
func (f *fake) part(w http.ResponseWriter, r *http.Request, path []string) {
	for _, m := range f.messages {
		if m["info"].(map[string]any)["id"] != path[2] || f.keepsParts {
			continue
		}
		parts := slices.DeleteFunc(m["parts"].([]any), func(p any) bool { return p.(map[string]any)["id"] == path[4] })
		if r.Method == "PATCH" {
			var p map[string]any
			if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
				f.t.Error(err)
			}
			parts = append([]any{p}, parts...)
		}
		m["parts"] = parts
	}
	f.say(w, true)
}

// prompt is what the next one does: what was taken back is removed for good.
func (f *fake) prompt() {
	at := slices.IndexFunc(f.messages, func(m map[string]any) bool { return m["info"].(map[string]any)["id"] == f.revert })
	f.messages, f.revert = f.messages[:at], ""
}

func talkOf(t *testing.T, keep int) agents.Talk {
	var turns []agents.TalkTurn
	for i, id := range []string{"msg_1", "msg_2", "msg_3"} {
		turns = append(turns, agents.TalkTurn{Number: i + 1, TurnID: id})
	}
	return agents.Talk{Session: "ses_1", Root: "/work-repo", Keep: turns[:keep], Drop: turns[keep:], Keepsakes: t.TempDir(), Getenv: func(string) string { return "" }}
}

func TestTurnsLeaveAndComeBack(t *testing.T) {
	ctx := context.Background()
	for keep := range 3 {
		f, talk := newFake(t), talkOf(t, keep)
		before := text(f.messages)
		standing, err := opencode.New().Check(ctx, f, talk)
		if err != nil || standing.Done || standing.Turns != 3-keep || standing.Version != "1.18.33" || text(f.messages) != before {
			t.Errorf("keep %d: check: %+v, %v", keep, standing, err)
		}
		done, err := opencode.New().Rollback(ctx, f, talk)
		if err != nil || done.Turns != 3-keep || f.revert != talk.Drop[0].TurnID || f.filesBack || !strings.Contains(done.Note, "opencode -s ses_1") {
			t.Fatalf("keep %d: %+v, %v; reverted to %q, files put back: %v", keep, done, err, f.revert, f.filesBack)
		}
		again, err := opencode.New().Rollback(ctx, f, talk)
		if err != nil || !reflect.DeepEqual(again, done) {
			t.Errorf("keep %d: again: %+v, %v", keep, again, err)
		}
		if standing, err := opencode.New().Check(ctx, f, talk); err != nil || !standing.Done {
			t.Errorf("keep %d: afterwards: %+v, %v", keep, standing, err)
		}
		for range 2 {
			note, err := opencode.New().Restore(ctx, f, talk, done)
			if err != nil || !strings.Contains(note, "All turns are back") || f.revert != "" || text(f.messages) != before {
				t.Errorf("keep %d: restored: %q, %v\n%s", keep, note, err, text(f.messages))
			}
		}
		if p := f.started; p.Name != "opencode" || p.Dir != "/work-repo" || !slices.Contains(p.Args, "--pure") || !strings.Contains(strings.Join(p.Env, " "), `"snapshot":false`) {
			t.Errorf("started %+v", p)
		}
	}
}

// TestCutShort: the parts were taken out, and the process died. What the second run
// keeps lacks them; they come back from the copy of the first.
func TestCutShort(t *testing.T) {
	f, talk := newFake(t), talkOf(t, 1)
	before := text(f.messages)
	f.fails = "/revert"
	if _, err := opencode.New().Rollback(context.Background(), f, talk); err == nil || model.HintOf(err) == "" {
		t.Errorf("cut short: %v", err)
	}
	f.fails = ""
	done, err := opencode.New().Rollback(context.Background(), f, talk)
	if err != nil || f.filesBack {
		t.Fatalf("%+v, %v", done, err)
	}
	if copies, _ := os.ReadDir(talk.Keepsakes); len(copies) != 2 {
		t.Errorf("%d copies", len(copies))
	}
	if note, err := opencode.New().Restore(context.Background(), f, talk, done); err != nil || text(f.messages) != before {
		t.Errorf("restored: %q, %v\n%s", note, err, text(f.messages))
	}
}

func TestItWentOn(t *testing.T) {
	f, talk := newFake(t), talkOf(t, 1)
	done, err := opencode.New().Rollback(context.Background(), f, talk)
	if err != nil {
		t.Fatal(err)
	}
	f.prompt()
	if again, err := opencode.New().Rollback(context.Background(), f, talk); err != nil || again.Turns != 2 {
		t.Errorf("again: %+v, %v", again, err)
	}
	note, err := opencode.New().Restore(context.Background(), f, talk, done)
	if err != nil || !strings.Contains(note, "cannot come back") || !strings.Contains(note, talk.Keepsakes) {
		t.Errorf("restored: %q, %v", note, err)
	}
}

// TestTheUsersOwnUndo is left alone.
func TestTheUsersOwnUndo(t *testing.T) {
	f, talk := newFake(t), talkOf(t, 1)
	f.revert = "msg_2"
	done, err := opencode.New().Rollback(context.Background(), f, talk)
	if err != nil || done.Mark != "" || done.Turns != 0 || !strings.Contains(done.Note, "before") || !strings.Contains(text(f.messages), "prt_pmsg_2") {
		t.Errorf("%+v, %v", done, err)
	}
	if note, err := opencode.New().Restore(context.Background(), f, talk, done); err != nil || f.revert != "msg_2" || strings.Contains(note, "went on") {
		t.Errorf("restored: %q, %v, reverted to %q", note, err, f.revert)
	}
	f.revert = "msg_3" // it goes further back than the user did
	if _, err := opencode.New().Rollback(context.Background(), f, talk); err != nil || f.revert != "msg_2" {
		t.Errorf("%v, reverted to %q", err, f.revert)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(*fake, *agents.Talk)
		code, words string
		late        bool // Check cannot see it
	}{
		"no such session":     {func(_ *fake, t *agents.Talk) { t.Session = "ses_2" }, "failed", "no such conversation", false},
		"it does not start":   {func(f *fake, _ *agents.Talk) { f.silent = true }, "failed", "no such option", false},
		"another order":       {func(_ *fake, t *agents.Talk) { t.Keep, t.Drop = t.Drop, t.Keep }, "refused", "order", false},
		"parts that stay":     {func(f *fake, _ *agents.Talk) { f.keepsParts = true }, "failed", "cannot be kept from it", true},
		"a revert that lies":  {func(f *fake, _ *agents.Talk) { f.lies = true }, "failed", "still there", true},
		"messages that fail":  {func(f *fake, _ *agents.Talk) { f.fails = "/message" }, "failed", "did not take the turns back", false},
		"a part that is none": {func(f *fake, _ *agents.Talk) { f.messages[3]["parts"] = []any{7} }, "failed", "a part of message", true},
	} {
		f, talk := newFake(t), talkOf(t, 1)
		c.change(f, &talk)
		if _, err := opencode.New().Check(context.Background(), f, talk); (err == nil) != c.late {
			t.Errorf("%s: check: %v", name, err)
		}
		_, err := opencode.New().Rollback(context.Background(), f, talk)
		if err == nil || string(model.CodeOf(err)) != c.code || !strings.Contains(err.Error(), c.words) || f.filesBack {
			t.Errorf("%s: %v", name, err)
		}
	}
}
