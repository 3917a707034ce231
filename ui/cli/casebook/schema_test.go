//go:build linux || darwin

package casebook_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// shapeCheck holds values against shapes and counts which lists had something in
// them and which null-able fields had a value.
type shapeCheck struct {
	t    *testing.T
	seen map[string]bool
}

func (s *shapeCheck) object(where string, value any, want shape) {
	s.t.Helper()
	object, ok := value.(map[string]any)
	if !ok {
		s.t.Errorf("%s is no object: %v", where, value)
		return
	}
	for name, kind := range want {
		name, nullable := strings.CutSuffix(name, "?")
		field, there := object[name]
		switch at := where + "." + name; {
		case !there:
			s.t.Errorf("%s is missing", at)
		case field == nil && nullable:
			s.mention(at)
		default:
			s.value(at, field, kind)
		}
	}
}

// mention notes that there is such a field to be seen with a value.
func (s *shapeCheck) mention(at string) {
	if _, known := s.seen[at]; !known {
		s.seen[at] = false
	}
}

func (s *shapeCheck) value(at string, v, kind any) {
	s.t.Helper()
	switch kind := kind.(type) {
	case shape:
		s.seen[at] = true
		s.object(at, v, kind)
	case listOf:
		list, ok := v.([]any)
		if !ok {
			s.t.Errorf("%s is no list: %v", at, v)
		}
		s.seen[at] = true
		s.mention(at + "[]")
		for _, item := range list {
			s.seen[at+"[]"] = true
			s.value(at+"[]", item, kind.of)
		}
	case string:
		s.seen[at] = true
		if v == nil && kind != "any" || !isKind(v, kind) {
			s.t.Errorf("%s is %#v, want %s", at, v, kind)
		}
	}
}

// isKind tells whether a plain value is of a kind; "a|b" is one of these words.
func isKind(v any, kind string) bool {
	text, isText := v.(string)
	if path, ok := v.(map[string]any); ok { // a path that is not UTF-8 in a list of paths
		_, isText = path["path_b64"].(string)
		text, _ = path["path"].(string)
	}
	switch kind {
	case "any":
		return true
	case "bool":
		_, ok := v.(bool)
		return ok
	case "number":
		_, ok := v.(float64)
		return ok
	case "text":
		return isText
	case "words":
		return isText && text != ""
	case "time":
		at, err := time.Parse(time.RFC3339Nano, text)
		return err == nil && strings.HasSuffix(text, "Z") && time.Since(at) < time.Hour
	case "id":
		return regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{26})?$`).MatchString(text) && isText
	case "oid":
		return regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(text)
	case "ref":
		return strings.HasPrefix(text, "refs/overturn/")
	case "mode":
		return regexp.MustCompile(`^[0-7]{6}$`).MatchString(text)
	case "sha256":
		return regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(text)
	case "sha256?":
		return isText && (text == "" || isKind(v, "sha256"))
	case "domain":
		kind = "tracked|untracked|ignored|modes|index|commits|submodules|outside|processes|packages|publication|containers|databases|network|messages|credentials|other"
	}
	return isText && slices.Contains(strings.Split(kind, "|"), text)
}

func TestJSONOfEveryVerb(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	s := &shapeCheck{t, map[string]bool{}}
	check := func(schema string, code int, args ...string) {
		t.Helper()
		out := b.exits(code, append([]string{"--json"}, args...)...)
		text := out.stdout
		if schema == "overturn.error/1" {
			text = out.stderr
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, text)
		}
		if object["schema"] != schema {
			t.Errorf("%q: schema %v, want %s", args, object["schema"], schema)
		}
		s.object(fmt.Sprintf("%s (%s)", schema, args[0]), object, shapes()[schema])
	}
	b.richRepository(check)

	check("overturn.threads/1", 0, "threads")
	check("overturn.turns/1", 0, "turns", "--thread", "T")
	check("overturn.turn/1", 0, "show", "1", "--thread", "T")
	for _, scope := range []string{"working", "branch", "latest", "1", "0..1", "thread"} {
		check("overturn.diff/1", 0, "diff", scope, "--thread", "T")
	}
	check("overturn.plan/1", 0, "stage", "1", "--thread", "T", "--hunk", "1", "--", "edit")
	check("overturn.plan/1", 0, "stage", "1", "--thread", "T")
	check("overturn.status/1", 0, "status")
	check("overturn.plan/1", 0, "unstage", "mode")
	check("overturn.plan/1", 0, "plan")
	check("overturn.rollback/1", 4, "rollback", "--expect", fingerprint)
	b.Write("edit", "by hand\n")
	check("overturn.rollback/1", 5, "rollback", "--expect", b.plan().Fingerprint)
	check("overturn.rollback/1", 3, "rollback", "--partial", "--expect", b.plan().Fingerprint)
	check("overturn.rollback/1", 0, "undo")
	check("overturn.rollback/1", 0, "redo")
	check("overturn.history/1", 0, "history")
	check("overturn.recover/1", 0, "recover")
	b.ok("undo")
	b.ok("stage", "1", "--thread", "T", "--", "gone")
	b.killed("rollback.prepared", "rollback", "--expect", b.plan().Fingerprint)
	check("overturn.status/1", 0, "status")
	check("overturn.recover/1", 0, "recover", "--finish")
	check("overturn.checkpoints/1", 0, "checkpoint", "list")
	check("overturn.doctor/1", 0, "doctor")
	b.ok("turn", "start", "--thread", "C", "--agent", "claude-code")
	b.ok("turn", "end", "--thread", "C")
	check("overturn.agents/1", 0, "agents")
	check("overturn.agents/1", 0, "enable", "claude-code")
	check("overturn.agents/1", 0, "disable", "claude-code")
	// An edit of the user's between turns is kept, and one after them in the same file merged.
	b.ok("undo")
	b.Write("mine", "between turns\n")
	b.sh("seq 30 | sed -e 's/^2$/two/' -e 's/^29$/twenty-nine/' > edit")
	b.turn("T", func() { b.Write("another", "x\n") })
	b.sh("sed -i 's/^15$/fifteen/' edit")
	check("overturn.plan/1", 0, "stage", "thread", "--thread", "T", "--", ":/")
	check("overturn.rollback/1", 0, "rollback", "--why", "not now", "--expect", b.plan().Fingerprint)
	check("overturn.comments/1", 0, "comments", "add", "edit:1-2", "say why")
	check("overturn.comments/1", 0, "comments", "--hand-over", "--thread", "C")
	if said := b.fed(`{"session_id":"C","hook_event_name":"UserPromptSubmit","cwd":".","prompt":"p"}`, "hook", "claude-code"); !strings.Contains(said.stdout, "additionalContext") {
		t.Errorf("the agent was not told: %+v", said)
	}
	check("overturn.comments/1", 0, "comments")
	check("overturn.error/1", 2, "show", "77", "--thread", "T")
	check("overturn.error/1", 10, "-C", "..", "status")
	s.everythingSeen()
	b.traceLines()
}

// richRepository has a turn with a change of every kind, effects, paths that were
// left out, a submodule, and work of the user's; it checks the verbs that record it.
func (b *book) richRepository(check func(schema string, code int, args ...string)) {
	b.sh(`seq 30 > edit; printf 'x\n' > mode; printf 'old\nlines\nof\nit\n' > gone; printf 'space\n' > blank; printf 'name\nme\nas\nyou\nlike\n' > name; ln -s edit link
		printf '\0\1' > binary; git add -A; git commit -qm base
		git init -q ../other; cd ../other; git commit -q --allow-empty -m x; cd ../repo; git -c protocol.file.allow=always submodule --quiet add ../other sub; git commit -qm sub; git switch -qc topic
		git init -q nested; (cd nested; git commit -q --allow-empty -m x)
		printf 's\n' > staged; git add staged; printf 'u\n' >> blank; printf 'm\n' > mine`)
	check("overturn.turn/1", 0, "turn", "start", "--thread", "T", "--agent", "generic", "--turn-id", "t-1", "--prompt", "do it")
	b.sh(`sed -i -e 's/^2$/two/' -e 's/^29$/twenty-nine/' edit; chmod 755 mode; rm gone; mv name renamed; rm link; ln -s mode link; printf '\0\2' > binary
		printf ' space\nu\n' > blank; printf 'n\n' > new; n=$(printf 'odd\377'); printf 'o\n' > "$n"; head -c 2000 /dev/zero > large`)
	check("overturn.turn/1", 0, "turn", "touch", "--thread", "T", "edit")
	check("overturn.turn/1", 0, "turn", "effect", "--thread", "T", "--domain", "network", "--summary", "POST", "--reversible", "no", "--compensation", "DELETE", "--identity", "k-1")
	limited := b.with("OVERTURN_CAPTURE_MAX_FILE_SIZE=1000")
	limited.ok("turn", "end", "--thread", "T", "--message-id", "m-1")
	check("overturn.turn/1", 0, "turn", "end", "--thread", "T")
	check("overturn.turn/1", 0, "run", "--thread", "R", "--", "true")
}

// everythingSeen holds that each list had an element and each field a value at
// least once, under any verb: otherwise its shape was never looked at.
func (s *shapeCheck) everythingSeen() {
	seen := map[string]bool{}
	verb := regexp.MustCompile(` \([^)]*\)`)
	for at, was := range s.seen {
		at = verb.ReplaceAllString(at, "")
		if strings.HasSuffix(at, ".conversation") {
			was = true // null for all but revert
		}
		seen[at] = seen[at] || was
	}
	for at, was := range seen {
		if !was {
			s.t.Errorf("%s was never there with a value", at)
		}
	}
}

// traceLines holds each line of the trace against the contract's fields and events.
func (b *book) traceLines() {
	b.t.Helper()
	names := regexp.MustCompile(`^(turn\.(started|ended)|file\.patch|effect\.recorded|checkpoint\.(create|capture\.failed|diff|rollback|revert\.requested|revert\.failed)|` +
		`rollback\.(staged|confirmed|cancelled|stale|refused|started|verified|undone|recovered)|thread\.reverted|sync\.(pushed|fetched)|agent\.told)$`)
	lines := strings.Split(strings.TrimSpace(b.ok("--json", "trace")), "\n")
	if len(lines) < 20 {
		b.t.Errorf("only %d events", len(lines))
	}
	for _, line := range lines {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			b.t.Errorf("%v: %s", err, line)
			continue
		}
		name, _ := e["event"].(string)
		if !names.MatchString(name) || !isKind(e["at"], "time") || !isKind(e["turn"], "number") || !isKind(e["additions"], "number") || !isKind(e["deletions"], "number") {
			b.t.Errorf("not an event of the contract: %s", line)
		}
	}
}
