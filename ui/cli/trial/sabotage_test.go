//go:build unix

package trial_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/ui/cli/trial"
)

// TestTrialSeesSabotage plays a row of the matrix with a program that does one thing
// wrong: the measure that is meant for it must say so, in words too, and the trial
// must not have passed. Otherwise its figures would prove nothing.
func TestTrialSeesSabotage(t *testing.T) {
	whole := func(c trial.Count) bool { return c.Whole() }
	for _, c := range []struct {
		name   string
		seed   uint64 // of the row
		script string // of the program; "$@" are its arguments, $real the true one
		caught func(trial.Tally) bool
		words  string
	}{
		{"another file is written", 0, `"$real" "$@"; code=$?; case "$code $* " in "0 "*" rollback "*) echo x >> user-unstaged;; esac; exit $code`,
			func(t trial.Tally) bool { return !whole(t.Survival) && !whole(t.Overreach) }, "user-unstaged"},
		{"another file is touched", 0, `"$real" "$@"; code=$?; case " $* " in *" undo "*) touch -d '1 hour ago' user-untracked;; esac; exit $code`,
			func(t trial.Tally) bool { return !whole(t.Survival) }, "user-untracked"},
		{"an ignored file is removed", 5, `"$real" "$@"; code=$?; case "$code $* " in "0 "*" rollback "*) rm -f build/out.o;; esac; exit $code`,
			func(t trial.Tally) bool { return !whole(t.Survival) && !whole(t.Overreach) }, "build/out.o"},
		{"the index is written by a capture", 0, `"$real" "$@"; code=$?; case " $* " in *" end "*) git update-index --chmod=+x other;; esac; exit $code`,
			func(t trial.Tally) bool { return !whole(t.Survival) }, ".git/index"},
		{"an entry of another file moves", 2, `"$real" "$@"; code=$?; case "$code $* " in "0 "*" rollback "*) git update-index --chmod=+x other;; esac; exit $code`,
			func(t trial.Tally) bool { return !whole(t.Survival) }, "entries of the index"},
		{"a mode is not brought back", 9, `"$real" "$@"; code=$?; case " $* " in *" rollback "*) chmod 755 tracked;; esac; exit $code`,
			func(t trial.Tally) bool { return !whole(t.Recovery) }, "tracked"},
		{"a stale review is carried out", 0, `case " $* " in *" rollback "*) set -- "$1" rollback --expect "$("$real" plan --patch | sha256sum | cut -d' ' -f1)";; esac; exec "$real" "$@"`,
			func(t trial.Tally) bool { return !whole(t.Stale) }, "stale review was not rejected"},
		{"an effect is not reported", 12, `case " $* " in *" rollback "*) "$real" "$@" | sed 's/"residual":\[[^]]*\]/"residual":[]/'; exit;; esac; exec "$real" "$@"`,
			func(t trial.Tally) bool { return !whole(t.Residual) }, "residual"},
		{"an event is not recorded", 0, `case " $* " in *" trace "*) "$real" "$@" | grep -v rollback.verified; exit;; esac; exec "$real" "$@"`,
			func(t trial.Tally) bool { return !whole(t.Trace) }, "rollback.verified"},
		{"a rollback fails", 0, `case " $* " in *" rollback "*) exit 1;; esac; exec "$real" "$@"`, func(trial.Tally) bool { return true }, "exit code 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t)
			saboteur := filepath.Join(o.Dir, "overturn")
			script := "#!/bin/sh\nreal=" + o.Bin + "\n" + c.script + "\n"
			if err := os.WriteFile(saboteur, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			o.Bin = saboteur
			var tally trial.Tally
			if err := trial.Run(t.Context(), o, "matrix", trial.Matrix, c.seed, &tally); err != nil {
				t.Fatal(err)
			}
			if tally.Passed() || !c.caught(tally) {
				t.Errorf("it was not seen: %+v", tally)
			}
			if words := strings.Join(tally.Faults, "\n"); !strings.Contains(words, c.words) {
				t.Errorf("the faults do not say %q:\n%s", c.words, words)
			}
		})
	}
}
