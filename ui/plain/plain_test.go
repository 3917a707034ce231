package plain_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"overturn/ui/plain"
	"overturn/ui/uitest"
)

// play gives commands to a review and returns what it printed.
func play(t *testing.T, e *uitest.Engine, commands ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := plain.Run(context.Background(), plain.Options{Engine: e, Clock: uitest.Now, In: strings.NewReader(strings.Join(commands, "\n") + "\n"), Out: &out, Prompt: true})
	for line := range strings.Lines(out.String()) {
		for _, r := range line {
			if r < ' ' && r != '\n' || r == 0x7f || r == 0x9b || r == '\u202e' {
				t.Errorf("a byte that drives a terminal: %q", line)
			}
		}
	}
	return out.String(), err
}

func want(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		i := strings.Index(out, text)
		if i < 0 {
			t.Fatalf("%q does not come; the review said\n%s", text, out)
		}
		out = out[i+len(text):]
	}
}

func TestReadingLineByLine(t *testing.T) {
	out, err := play(t, uitest.Shop(), "next", "next", "file README.md", "search retries", "turns", "quit", "files")
	if err != nil {
		t.Error(err)
	}
	want(t, out, "turn 7: from start of turn 7 to end of turn 7", "file 1: internal/client/client.go, modified,", "left out: data/dump.sql, larger than 100 MiB", "left to read",
		"file 1 of 7", "hunk 1 of", "removed ", "added ", "hunk 2 of", "README.md, modified, 1 added, 1 removed, owner mixed", "removed 3: A small shop.", "added 3: A small shop, with retries.",
		"file 4: README.md, added 3: A small shop, with retries.", "found", "turn 4, missing", "turn 7, ready")
	if strings.Count(out, "turn 7: from") != 1 {
		t.Error("commands behind quit were carried out")
	}
}

// Names and content cannot drive a terminal (play looks), and are told all the same.
func TestHostileContentIsWrittenOut(t *testing.T) {
	out, _ := play(t, uitest.Shop(), "file 7", "files")
	want(t, out, "escape", "clear ", "owned")
}

func TestTakingBackAsks(t *testing.T) {
	for _, c := range []struct {
		name     string
		commands []string
		calls    string
	}{
		{"confirmed", []string{"file README.md", "stage", "rollback", "y"}, "execute"},
		{"no", []string{"file README.md", "stage", "rollback", "n"}, ""},
		{"the end of the input", []string{"file README.md", "stage", "rollback"}, ""},
		{"an empty line", []string{"file README.md", "stage", "rollback", "", "y"}, ""},
		{"yes is not y", []string{"file README.md", "stage", "rollback", "yes"}, ""},
		{"two paths want their number", []string{"file README.md", "stage file", "file 1", "stage", "rollback", "y"}, ""},
		{"the number", []string{"file README.md", "stage file", "file 1", "stage", "rollback", "2"}, "execute"},
		{"a deletion wants it too", []string{"file internal/client/backoff.go", "stage", "rollback", "y"}, ""},
	} {
		e := uitest.Shop()
		out, _ := play(t, e, c.commands...)
		done := strings.Contains(strings.Join(e.Calls, " "), "execute")
		if done != (c.calls == "execute") {
			t.Errorf("%s: calls %v; the review said\n%s", c.name, e.Calls, out)
		}
		if !done && !strings.Contains(out, "cancelled, nothing was written") {
			t.Errorf("%s: it is not said that nothing was written\n%s", c.name, out)
		}
		if done && !strings.Contains(out, "outcome: ") {
			t.Errorf("%s: no outcome\n%s", c.name, out)
		}
	}
}

func TestReadingIsMarked(t *testing.T) {
	e := uitest.Shop()
	out, err := play(t, e, "file README.md", "read", "unread file", "file README.md", "read file", "comment why retries?")
	if err != nil {
		t.Error(err)
	}
	want(t, out, "left to read", "file 5 of 7")
	if len(e.Talk.Comments) != 1 || e.Talk.Comments[0].Text != "why retries?" {
		t.Errorf("%+v", e.Talk)
	}
}

func TestWrongCommands(t *testing.T) {
	for commands, words := range map[string]string{
		"fly":                        `there is no command "fly"`,
		"re":                         `"re" may be`,
		"hunk 1":                     "no file is open",
		"file 1\nhunk 99":            "is no hunk from 1 to",
		"file nothing":               "is no path of a file here",
		"stage":                      "no file is open",
		"file 1\nstage x":            "is no range of lines",
		"file 2\nstage 1-1":          "goes back whole",
		"file README.md\nstage -0-1": "is no range of lines",
		"rollback":                   "no path is staged",
		"turn working":               "is no turn",
		"comment":                    "no file is open",
		"file 1\nread all":           "is not what can be read",
	} {
		out, err := play(t, uitest.Shop(), strings.Split(commands, "\n")...)
		if !strings.Contains(out, "error: ") || !strings.Contains(out, words) {
			t.Errorf("%q: the review said\n%s", commands, out)
		}
		if !strings.Contains(out, "\nnext: ") {
			t.Errorf("%q: no next step is said\n%s", commands, out)
		}
		if err == nil {
			t.Errorf("%q: %v", commands, err)
		}
	}
}

// A base is named as the hints of the comparison write it, too.
func TestBranchAsTheHintWritesIt(t *testing.T) {
	for _, command := range []string{"branch=trunk", "branch trunk"} {
		out, err := play(t, uitest.Shop(), command)
		if err != nil {
			t.Error(err)
		}
		want(t, out, "branch=trunk: from HEAD")
	}
}

// Through a pipe nobody has seen the plan: only its fingerprint confirms it.
func TestThroughAPipeTheFingerprintConfirms(t *testing.T) {
	fingerprint := func(e *uitest.Engine) string {
		p, err := e.Plan(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return p.Fingerprint
	}
	for answer, done := range map[string]bool{"y": false, "1": false, "FINGERPRINT": true} {
		e := uitest.Shop()
		run := func(commands ...string) string {
			var out bytes.Buffer
			if err := plain.Run(context.Background(), plain.Options{Engine: e, Clock: uitest.Now, In: strings.NewReader(strings.Join(commands, "\n") + "\n"), Out: &out}); err != nil {
				t.Error(err)
			}
			return out.String()
		}
		run("file README.md", "stage")
		out := run("rollback", strings.Replace(answer, "FINGERPRINT", fingerprint(e), 1))
		if executed := strings.Contains(strings.Join(e.Calls, " "), "execute"); executed != done || done == strings.Contains(out, "cancelled") {
			t.Errorf("%s: calls %v; the review said\n%s", answer, e.Calls, out)
		}
	}
}
