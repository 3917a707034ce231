//go:build linux || darwin

package talktest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// scene is a conversation of three turns or more, of which the first three are recorded.
type scene struct {
	agent, program string
	session        string
	file, place    string                                 // the recorded file, and where it lies below the home folder
	start, end     func(turn int) (event, payload string) // what its hooks are called with
	mustClose      bool
	opened         func() (event, payload string)           // the program is there again, without a prompt
	left           func(t *testing.T, r *room, note string) // looks at what is left of the conversation
	undone         string                                   // what undo says of it
}

func scenes() []scene {
	testdata := func(agent, file string) string {
		return filepath.Join("..", "..", "..", "review", "agents", agent, "testdata", file)
	}
	claude := []string{"c479a089-608e-4ae8-8747-fbbee38a2a5f", "80d457a8-9f08-48be-b35c-89b03ef7e9c9", "008b94e1-94cd-4269-8a2b-e2784cbec22d"}
	words := []string{`first [[write /work-repo/b.txt|1\n]]`, `second [[write /work-repo/c.txt|1\n]]`, `third [[write /work-repo/d.txt|1\n]]`}
	gemini := []string{"2026-11-30T20:51:00.201Z", "2026-11-30T20:51:20.471Z", "2026-11-30T20:51:35.500Z"}
	copilot := []int{1796071924204, 1796071930433, 1796071935135}
	object := func(pairs ...any) string {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		b, _ := json.Marshal(m)
		return string(b)
	}
	list := []scene{{agent: "claude-code", program: "claude", session: "00da19c8-69ba-4a3c-9b01-248d7a1bf8e7", file: testdata("claudecode", "transcript.jsonl"), undone: "never changed",
		start: func(i int) (string, string) {
			return "", object("session_id", "00da19c8-69ba-4a3c-9b01-248d7a1bf8e7", "hook_event_name", "UserPromptSubmit", "prompt_id", claude[i], "prompt", words[i])
		},
		end: func(i int) (string, string) {
			return "", object("session_id", "00da19c8-69ba-4a3c-9b01-248d7a1bf8e7", "hook_event_name", "Stop", "prompt_id", claude[i])
		},
		left: func(t *testing.T, r *room, note string) {
			_, id, _ := strings.Cut(note, "claude --resume ")
			copy := filepath.Join(filepath.Dir(r.talk), id[:min(36, len(id))]+".jsonl")
			if b, err := os.ReadFile(copy); err != nil || bytes.Contains(b, []byte(claude[1])) || !bytes.Contains(b, []byte(claude[0])) {
				t.Errorf("the copy %s: %v", copy, err)
			}
		}}, {agent: "gemini", program: "gemini", session: "e29d5b81-b28b-40e6-8fb2-de5a4bed3fd4", file: testdata("gemini", "session.jsonl"), mustClose: true, undone: "All turns are back",
		start: func(i int) (string, string) {
			return "", object("session_id", "e29d5b81-b28b-40e6-8fb2-de5a4bed3fd4", "hook_event_name", "BeforeAgent", "timestamp", gemini[i], "prompt", words[i])
		},
		end: func(i int) (string, string) {
			return "", object("session_id", "e29d5b81-b28b-40e6-8fb2-de5a4bed3fd4", "hook_event_name", "AfterAgent", "timestamp", gemini[i], "prompt", words[i])
		},
		opened: func() (string, string) {
			return "", object("session_id", "e29d5b81-b28b-40e6-8fb2-de5a4bed3fd4", "hook_event_name", "SessionStart", "source", "resume")
		},
		left: func(t *testing.T, r *room, _ string) {
			if b := r.read(r.talk); !bytes.HasSuffix(b, []byte(`{"$rewindTo":"9384cbb9-eb4f-47ae-9970-2cfcc94497f6"}`+"\n")) {
				t.Errorf("it ends with %s", b[len(b)-80:])
			}
		}}, {agent: "copilot", program: "copilot", session: "029a69e3-685b-4a34-aa54-ad0236218a38", file: testdata("copilot", "events.jsonl"), mustClose: true, undone: "All turns are back",
		start: func(i int) (string, string) {
			return "userPromptSubmitted", object("sessionId", "029a69e3-685b-4a34-aa54-ad0236218a38", "timestamp", copilot[i], "prompt", words[i])
		},
		end: func(i int) (string, string) {
			return "agentStop", object("sessionId", "029a69e3-685b-4a34-aa54-ad0236218a38", "timestamp", copilot[i]+500)
		},
		opened: func() (string, string) {
			return "sessionStart", object("sessionId", "029a69e3-685b-4a34-aa54-ad0236218a38", "source", "resume")
		},
		left: func(t *testing.T, r *room, _ string) {
			if b := r.read(r.talk); bytes.Count(b, []byte(`"user.message"`)) != 1 || !bytes.Contains(b, []byte("first")) {
				t.Errorf("it has %d prompts", bytes.Count(b, []byte(`"user.message"`)))
			}
		}}, {agent: "codex", program: "codex", session: "01a22e40-0a31-7b41-b263-3f3f2079bdce", mustClose: true, undone: "cannot put back",
		start: func(i int) (string, string) {
			return "", object("session_id", "01a22e40-0a31-7b41-b263-3f3f2079bdce", "hook_event_name", "UserPromptSubmit", "turn_id", fmt.Sprint("turn-", i+1), "prompt", words[i])
		},
		end: func(i int) (string, string) {
			return "", object("session_id", "01a22e40-0a31-7b41-b263-3f3f2079bdce", "hook_event_name", "Stop", "turn_id", fmt.Sprint("turn-", i+1))
		},
		left: func(t *testing.T, r *room, _ string) {
			if b := r.read(filepath.Join(r.home, "turns")); string(b) != "turn-1\n" {
				t.Errorf("Codex has the turns %q", b)
			}
		}}}
	for i, place := range []string{".claude/projects/-work-repo/" + list[0].session + ".jsonl", ".gemini/tmp/repo/chats/session-2026-11-30T20-50-e29d5b81.jsonl", ".copilot/session-state/" + list[2].session + "/events.jsonl"} {
		list[i].place = place
	}
	return list
}

// room is a repository and a home folder in which an agent works.
type room struct {
	t     *testing.T
	s     scene
	repo  *gittest.Repo
	home  string
	talk  string // the conversation's file, "" for Codex
	env   []string
	alive []func() // ends the programs that called hooks
}

func newRoom(t *testing.T, s scene) *room {
	r := &room{t: t, s: s, repo: gittest.New(t), home: t.TempDir()}
	bin := filepath.Join(r.home, "bin")
	self, err := os.Executable()
	if err == nil {
		err = os.Mkdir(bin, 0o755)
	}
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, s.program))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.env = append(clitest.Hermetic(r.home), "PATH="+bin+":"+os.Getenv("PATH"), "OVERTURN_TEST_BIN="+clitest.Bin())
	if s.file == "" {
		r.write(filepath.Join(r.home, "turns"), []byte("turn-1\nturn-2\nturn-3\n"))
		r.write(filepath.Join(r.home, "turns.open"), nil)
		return r
	}
	r.talk = filepath.Join(r.home, s.place)
	r.write(r.talk, r.read(s.file))
	return r
}

func (r *room) read(path string) []byte {
	r.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

func (r *room) write(path string, data []byte) {
	r.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// hook has the agent's program call a hook; it stays until quit.
func (r *room) hook(event, payload string) {
	r.t.Helper()
	args := []string{"hook", r.s.agent}
	if event != "" {
		args = append(args, event)
	}
	cmd := exec.Command(filepath.Join(r.home, "bin", r.s.program), append(args, payload)...)
	cmd.Dir, cmd.Env = r.repo.Root, r.env
	in, err := cmd.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.alive = append(r.alive, func() { in.Close(); cmd.Wait() })
	if b, err := io.ReadAll(io.LimitReader(out, int64(len("called\n")))); string(b) != "called\n" {
		r.t.Fatalf("the hook of %s: %q, %v", payload, b, err)
	}
}

// quit ends the agent's program.
func (r *room) quit() {
	for _, end := range r.alive {
		end()
	}
	r.alive = nil
	os.Remove(filepath.Join(r.home, "turns.open"))
}

// overturn runs it; the exit code and the object that it printed.
func (r *room) overturn(args ...string) (int, answer) {
	r.t.Helper()
	cmd := exec.Command(clitest.Bin(), append(args, "--json")...)
	cmd.Dir, cmd.Env = r.repo.Root, r.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run() // its code is looked at
	var a answer
	if err := json.Unmarshal(stdout.Bytes(), &a); err != nil && cmd.ProcessState.ExitCode() == 0 {
		r.t.Fatalf("overturn %v: %v\n%s%s", args, err, &stdout, &stderr)
	}
	a.words = stderr.String()
	return cmd.ProcessState.ExitCode(), a
}

type answer struct {
	Fingerprint  string `json:"fingerprint"`
	Conversation struct {
		Agent     string `json:"agent"`
		Supported bool   `json:"supported"`
		Turns     int    `json:"turns"`
		Done      bool   `json:"done"`
		Note      string `json:"note"`
	} `json:"conversation"`
	words string
}

// work records three turns, each of which writes a file.
func (r *room) work() {
	for i := range 3 {
		r.hook(r.s.start(i))
		file := fmt.Sprintf("%d.txt", i+1)
		r.repo.Write(file, "x\n")
		if code, a := r.overturn("turn", "touch", "--thread", r.s.session, file); code != 0 {
			r.t.Fatalf("touch: %d %s", code, a.words)
		}
		r.hook(r.s.end(i))
	}
}

func (r *room) revert() (int, answer) {
	r.t.Helper()
	_, plan := r.overturn("revert", "--to", "1", "--plan")
	return r.overturn("revert", "--to", "1", "--expect", plan.Fingerprint)
}

func TestConversationsGoBackWithTheirThreads(t *testing.T) {
	for _, s := range scenes() {
		t.Run(s.agent, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, s)
			defer r.quit()
			r.repo.Write("mine.txt", "mine\n")
			r.repo.Commit("begin")
			r.work()
			var before []byte
			if r.talk != "" {
				before = r.read(r.talk)
			}
			if s.mustClose {
				r.refusedWhileOpen(before)
			}
			r.quit()
			if s.opened != nil {
				r.hook(s.opened())
				r.refusedWhileOpen(before)
				r.quit()
			}
			code, done := r.revert()
			if c := done.Conversation; code != 0 || !c.Supported || !c.Done || c.Turns != 2 || c.Agent != s.agent {
				t.Fatalf("revert: %d %+v %s", code, done, done.words)
			}
			if r.repo.Exists("2.txt") || r.repo.Exists("3.txt") || !r.repo.Exists("1.txt") || !r.repo.Exists("mine.txt") {
				t.Error("the files are not as they are to be")
			}
			s.left(t, r, done.Conversation.Note)
			code, undone := r.overturn("undo")
			if code != 0 || !strings.Contains(undone.Conversation.Note, s.undone) || !r.repo.Exists("3.txt") {
				t.Errorf("undo: %d %+v %s", code, undone.Conversation, undone.words)
			}
			if r.talk != "" && !bytes.Equal(r.read(r.talk), before) {
				t.Error("the conversation is not as it was")
			}
		})
	}
}

// refusedWhileOpen: nothing is written while the agent's program has the conversation.
func (r *room) refusedWhileOpen(before []byte) {
	r.t.Helper()
	code, a := r.revert()
	if code != 5 || !strings.Contains(a.words, "open") || !r.repo.Exists("2.txt") {
		r.t.Errorf("while it is open: %d %s", code, a.words)
	}
	if r.talk != "" && !bytes.Equal(r.read(r.talk), before) {
		r.t.Error("the conversation was written to while it is open")
	}
}
