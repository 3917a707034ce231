package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/model/legible"
	"overturn/model/trace"
)

// Foreign text never drives a terminal, however it is cut into writes.
func TestSafeWriter(t *testing.T) {
	const text = "+\x1b]0;t\aé\u202e\tx\n+\xff界\n-a\u009b2J\n"
	const want = `+\x1b]0;t\x07é` + `\u202e` + "\tx\n" + `+\xff界` + "\n" + `-a\x9b2J` + "\n"
	for size := 1; size <= len(text); size++ {
		var got strings.Builder
		w := &safeWriter{to: &got}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if got.String() != want {
			t.Fatalf("in pieces of %d: %q, want %q", size, got.String(), want)
		}
	}
}

// JSON says what it said and holds nothing raw that a terminal obeys: a name, a prompt or
// a reason is foreign text there as much as anywhere.
func TestJSONIsSafeOnATerminal(t *testing.T) {
	const foreign = "a\u202eb\u2066c\u009b2J\x7f\u061c界"
	var out, errs, line strings.Builder
	a := &app{json: true, stdout: &out, stderr: &errs}
	if err := a.emit("overturn.test/1", struct{ Prompt string }{foreign}, nil); err != nil {
		t.Fatal(err)
	}
	a.report(model.Failf(errors.New(foreign), "it failed").WithHint("look at %s", foreign))
	w := bufio.NewWriter(&line)
	if err := errors.Join(a.traceLine(w, trace.Event{Reason: foreign}), w.Flush()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{out.String(), errs.String(), line.String()} {
		if shown := strings.TrimSuffix(text, "\n"); legible.Line(shown) != shown {
			t.Errorf("a terminal would obey %q", shown)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !strings.Contains(fmt.Sprint(got), foreign) {
			t.Errorf("%q does not say %q", text, foreign)
		}
	}
}
