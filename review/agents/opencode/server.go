package opencode

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"overturn/model"
	"overturn/review/agents"
)

// talkLimit bounds one conversation with the server; it takes seconds to start.
const talkLimit = 2 * time.Minute

// quiet is the configuration that our server goes by beside the user's own: it takes no
// file snapshots, shares nothing and leaves its version alone.
const quiet = `{"snapshot":false,"share":"disabled","autoupdate":false}`

// server is `opencode serve` on a port of the loopback, with a password of its own and
// without the user's plugins, ours among them.
type server struct {
	ctx      context.Context
	stop     context.CancelFunc
	run      agents.Running
	addr     string
	password string
	dir      string // that sessions are asked for in
}

func open(ctx context.Context, run agents.Runner, dir string) (*server, error) {
	s := &server{password: rand.Text(), dir: dir}
	s.ctx, s.stop = context.WithTimeout(ctx, talkLimit)
	p, err := run.Start(s.ctx, agents.Program{Name: "opencode", Dir: dir,
		Args: []string{"serve", "--pure", "--port", "0", "--hostname", "127.0.0.1"},
		Env:  []string{"OPENCODE_SERVER_PASSWORD=" + s.password, "OPENCODE_CONFIG_CONTENT=" + quiet}})
	if err != nil {
		s.stop()
		return nil, err
	}
	s.run = p
	lines := bufio.NewScanner(p)
	for lines.Scan() {
		if s.addr = listening(lines.Text()); s.addr != "" {
			return s, nil
		}
	}
	said := p.Said()
	s.close()
	return nil, &model.Error{Code: model.CodeFailed, Message: "opencode serve ended, or did not start in time", Err: lastLine(said),
		Hint: "try `opencode serve` by hand"}
}

// listening is the address in the line that says it, "" in others.
func listening(line string) string {
	_, rest, ok := strings.Cut(line, "http://127.0.0.1:")
	port := rest
	if end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		port = rest[:end]
	}
	if !ok || port == "" {
		return ""
	}
	return "127.0.0.1:" + port
}

func lastLine(said string) error {
	said = strings.TrimSpace(said)
	if said == "" {
		return nil
	}
	return fmt.Errorf("%s", said[strings.LastIndexByte(said, '\n')+1:])
}

// close ends the server at once: what it answered is in its database.
func (s *server) close() {
	s.stop()
	s.run.Close() // its status is that of being ended
}

// call asks for a path below /session; result may be nil.
func (s *server) call(method, path string, body, result any) error {
	r := request{addr: s.addr, password: s.password, method: method, path: "/session/" + path + "?directory=" + url.QueryEscape(s.dir)}
	if body != nil {
		var err error
		if r.body, err = json.Marshal(body); err != nil {
			return err
		}
	}
	status, answer, err := r.do(s.ctx)
	if err != nil {
		return &model.Error{Code: model.CodeFailed, Message: "opencode serve did not answer", Err: err}
	}
	if status != 200 {
		return &refusal{status: status, method: method, said: saidBy(answer)}
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return &model.Error{Code: model.CodeFailed, Message: "OpenCode answered in an unexpected way", Err: err}
	}
	return nil
}

// refusal is an answer other than 200.
type refusal struct {
	status       int
	method, said string
}

func (e *refusal) Error() string { return fmt.Sprintf("%s: %d %s", e.method, e.status, e.said) }

// saidBy is the message in an answer that refuses.
func saidBy(answer []byte) string {
	var e struct {
		Name string `json:"name"`
		Data struct {
			Message string `json:"message"`
		} `json:"data"`
	}
	if json.Unmarshal(answer, &e) == nil && e.Data.Message != "" {
		return e.Data.Message
	}
	if e.Name != "" {
		return e.Name
	}
	return string(answer[:min(len(answer), 200)])
}
