//go:build unix

package casebook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// More of group N: what cannot succeed is not paid for at every turn.
func TestCasebookN2(t *testing.T) {
	runCases(t, []caseOf{{"N-07", caseBackOff}})
}

// caseBackOff: a filter that never comes to an end is waited for twice, not at each of
// ten events; doctor says so, and a verb by hand tries, and ends it. (The book's ten
// turns stand in review/ledger: here the events are those with the least time.)
func caseBackOff(b *book) {
	dir := b.t.TempDir()
	armed, log, script := filepath.Join(dir, "armed"), filepath.Join(dir, "log"), filepath.Join(dir, "clean")
	text := fmt.Sprintf("#!/bin/sh\necho run >> '%s'\nwhile [ -e '%s' ]; do sleep 0.02; done\nexec cat\n", log, armed)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
	b.Git("config", "filter.slow.clean", script)
	b.Write(".gitattributes", "*.slow filter=slow\n")
	b.Write("x.slow", "x\n")
	b.Commit("base")
	b.start("T")
	b.Write("x.slow", "agent\n")
	before := strings.Count(b.readFile(log), "run")
	disarm := b.arm(armed)
	defer disarm()
	for range 10 {
		if s := b.fed(`{"event":"session-end","thread":"T"}`, "hook", "generic"); s.code != 0 || s.stdout != "" {
			b.t.Errorf("hook: %+v", s)
		}
	}
	if runs := strings.Count(b.readFile(log), "run") - before; runs != 2 {
		b.t.Errorf("the filter was waited for %d times", runs)
	}
	const said = "2 captures in a row failed"
	if s := b.overturn("doctor"); s.code != 1 || !strings.Contains(s.stdout, "BAD  captures") || !strings.Contains(s.stdout, said) {
		b.t.Errorf("doctor: %+v", s)
	}
	disarm()
	b.start("T")
	if turn := b.newest("T"); turn.Status != "ready" {
		b.t.Errorf("by hand: %+v", turn)
	}
	if s := b.overturn("doctor"); strings.Contains(s.stdout, said) {
		b.t.Errorf("doctor, after a success: %s", s.stdout)
	}
	b.Write("x.slow", "agent again\n")
	b.end("T")
	if turn := b.newest("T"); turn.Status != "ready" || turn.names() != "x.slow modified" {
		b.t.Errorf("the next turn: %+v", turn)
	}
}
