//go:build linux || darwin

package talktest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestMain builds the real program once. Under the name of an agent the test program is
// that agent: it calls a hook and stays until its input ends, or serves as Codex does.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "codex" && len(os.Args) > 1 && os.Args[1] == "app-server":
		os.Exit(appServer())
	case name == "codex" || name == "claude" || name == "gemini" || name == "copilot":
		os.Exit(callHook())
	}
	os.Exit(clitest.Main(m))
}

// callHook is NAME hook AGENT [EVENT] PAYLOAD: the hook gets the payload, as the child
// of a program that goes on.
func callHook() int {
	last := len(os.Args) - 1
	hook := exec.Command(clitest.Bin(), os.Args[1:last]...)
	hook.Stdin = strings.NewReader(os.Args[last])
	if out, err := hook.CombinedOutput(); err != nil || len(out) > 0 {
		fmt.Fprintf(os.Stderr, "the hook: %v %s", err, out)
		return 1
	}
	fmt.Println("called")
	io.Copy(io.Discard, os.Stdin) // ends with the test that started it
	return 0
}

// appServer speaks as much of `codex app-server` as a rollback needs. The turns are the
// lines of a file in the home folder; while another is beside it, a program has the
// conversation open.
func appServer() int {
	file := filepath.Join(os.Getenv("HOME"), "turns")
	read := func() []string {
		b, _ := os.ReadFile(file)
		return strings.Fields(string(b))
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var call struct {
			ID     int            `json:"id"`
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		if json.Unmarshal(lines.Bytes(), &call) != nil || call.ID == 0 {
			continue
		}
		answer := map[string]any{"id": call.ID, "result": map[string]any{}}
		refuse := func(words string) {
			answer = map[string]any{"id": call.ID, "error": map[string]any{"code": -32600, "message": words}}
		}
		switch call.Method {
		case "initialize":
			answer["result"] = map[string]any{"userAgent": "overturn/0.171.0 (x)"}
		case "thread/resume":
			answer["result"] = map[string]any{"thread": map[string]any{"id": call.Params["threadId"], "historyMode": "paginated", "path": file}}
			if _, err := os.Stat(file + ".open"); err == nil {
				refuse("thread already has an active writer")
			}
		case "thread/turns/list":
			data := []any{}
			for _, id := range read() {
				data = append([]any{map[string]any{"id": id}}, data...)
			}
			answer["result"] = map[string]any{"data": data, "nextCursor": nil}
		case "thread/revert":
			before, _, found := strings.Cut(strings.Join(read(), "\n")+"\n", call.Params["beforeTurnId"].(string)+"\n")
			if !found {
				refuse("turn not found")
			} else if os.WriteFile(file, []byte(before), 0o600) != nil {
				return 1
			}
		}
		b, _ := json.Marshal(answer)
		fmt.Println(string(b))
	}
	return 0
}
