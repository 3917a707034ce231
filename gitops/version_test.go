package gitops_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/model"
)

func TestVersion(t *testing.T) {
	for name, c := range map[string]struct{ script, want, fails string }{
		"new":        {"echo git version 2.31.0", "git version 2.31.0", ""},
		"apple":      {"echo 'git version 2.39.5 (Apple Git-154)'", "git version 2.39.5 (Apple Git-154)", ""},
		"next":       {"echo git version 3.0.1.windows.1", "git version 3.0.1.windows.1", ""},
		"old":        {"echo git version 2.30.9", "git version 2.30.9", "too old"},
		"no version": {"echo hello", "hello", "no version"},
		"broken":     {"echo boom >&2; exit 3", "", "boom"},
		"none":       {"", "", "not found"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if c.script != "" {
				if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			got, err := gitops.Version(t.Context(), gittest.EnvOf([]string{"PATH=" + dir}))
			if got != c.want || (err == nil) != (c.fails == "") {
				t.Fatalf("got %q, %v", got, err)
			}
			if err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("the error is %v, want %q", err, c.fails)
			}
			if err != nil && c.fails != "boom" && model.HintOf(err) == "" {
				t.Error("the error says nothing of what to do")
			}
		})
	}
}
