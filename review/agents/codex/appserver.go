package codex

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"overturn/model"
	"overturn/review/agents"
)

const (
	// talkLimit bounds one conversation with the app-server.
	talkLimit = 90 * time.Second
	// maxAnswer is the longest line that is read from it, in bytes.
	maxAnswer = 64 << 20
)

// server is `codex app-server`: JSON-RPC 2.0 without the jsonrpc member, one object a
// line (protocol of Codex 0.171, by its generate-json-schema).
type server struct {
	run     agents.Running
	lines   *bufio.Scanner
	calls   int
	version string
	stop    context.CancelFunc
}

// rpcError is the error member of an answer.
type rpcError struct {
	Method  string `json:"-"`
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Method + ": " + e.Message }

// open starts the server without hooks: those of the conversation would be called when
// it is loaded, ours among them.
func open(ctx context.Context, run agents.Runner, dir string) (*server, error) {
	ctx, stop := context.WithTimeout(ctx, talkLimit)
	p, err := run.Start(ctx, agents.Program{Name: "codex", Args: []string{"app-server", "-c", "features.hooks=false"}, Dir: dir})
	if err != nil {
		stop()
		return nil, err
	}
	s := &server{run: p, lines: bufio.NewScanner(p), stop: stop}
	s.lines.Buffer(make([]byte, 0, 64<<10), maxAnswer)
	var hello struct {
		UserAgent string `json:"userAgent"`
	}
	client := map[string]any{"name": "overturn", "title": "overturn", "version": "0"}
	err = s.call("initialize", map[string]any{"clientInfo": client, "capabilities": map[string]any{"experimentalApi": true}}, &hello)
	if err == nil {
		err = s.send(map[string]any{"method": "initialized"})
	}
	if err != nil {
		s.close()
		return nil, err
	}
	s.version = versionOf(hello.UserAgent)
	return s, nil
}

func (s *server) close() {
	s.run.Close() // its status says nothing that its answers did not
	s.stop()
}

func (s *server) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := s.run.Write(append(line, '\n')); err != nil {
		return s.ended(err)
	}
	return nil
}

// call asks and waits for the answer; what the server tells or asks meanwhile is
// passed over.
func (s *server) call(method string, params, result any) error {
	s.calls++
	if err := s.send(map[string]any{"id": s.calls, "method": method, "params": params}); err != nil {
		return err
	}
	for s.lines.Scan() {
		a, ok := parseAnswer(s.lines.Bytes(), s.calls)
		switch {
		case !ok:
		case a.Error != nil:
			a.Error.Method = method
			return a.Error
		default:
			if err := json.Unmarshal(a.Result, result); err != nil {
				return &model.Error{Code: model.CodeFailed, Message: "Codex answered " + method + " in an unexpected way", Err: err}
			}
			return nil
		}
	}
	return s.ended(s.lines.Err())
}

// answer is a line of the server's.
type answer struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

// parseAnswer tells whether a line answers call id.
func parseAnswer(line []byte, id int) (answer, bool) {
	var a answer
	err := json.Unmarshal(line, &a)
	return a, err == nil && a.ID != nil && *a.ID == id && a.Method == "" && (a.Error != nil || a.Result != nil)
}

// ended says that the program went away, in its own last words.
func (s *server) ended(cause error) error {
	said := strings.TrimSpace(s.run.Said())
	if i := strings.LastIndexByte(said, '\n'); i >= 0 {
		said = said[i+1:]
	}
	if said != "" {
		cause = fmt.Errorf("%s", said)
	}
	return &model.Error{Code: model.CodeFailed, Message: "codex app-server ended, or did not answer in time", Err: cause,
		Hint: "try `codex app-server` by hand"}
}

// versionOf is the version in a user agent: NAME/0.171.0 (…).
func versionOf(agent string) string {
	_, rest, _ := strings.Cut(agent, "/")
	version, _, _ := strings.Cut(rest, " ")
	return version
}
