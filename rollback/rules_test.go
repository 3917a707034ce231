//go:build linux || darwin

package rollback_test

import (
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/rollback"
)

// TestRulesThatChangeLeaveOldTurnsAsTheyWere: what git does to files between work
// tree and object store is switched after a turn, on or off; the turn shows, and its
// rollback writes, the bytes that stood there.
func TestRulesThatChangeLeaveOldTurnsAsTheyWere(t *testing.T) {
	on := map[string]func(r *gittest.Repo){
		"autocrlf": func(r *gittest.Repo) { r.Git("config", "core.autocrlf", "true") },
		"filter": func(r *gittest.Repo) {
			r.Git("config", "filter.up.clean", "tr a-z A-Z")
			r.Git("config", "filter.up.smudge", "tr A-Z a-z")
			r.Write(".gitattributes", "* filter=up\n.gitattributes -filter\n")
		},
		"eol":   func(r *gittest.Repo) { r.Write(".gitattributes", "* text eol=crlf\n") },
		"ident": func(r *gittest.Repo) { r.Write(".gitattributes", "* ident\n") },
	}
	off := map[string]func(r *gittest.Repo){
		"autocrlf": func(r *gittest.Repo) { r.Git("config", "core.autocrlf", "false") },
		"filter":   func(r *gittest.Repo) { r.Git("config", "--remove-section", "filter.up") },
		"eol":      func(r *gittest.Repo) { r.Write(".gitattributes", "# none\n") },
		"ident":    func(r *gittest.Repo) { r.Write(".gitattributes", "# none\n") },
	}
	for name := range on {
		t.Run(name+" on after", func(t *testing.T) { oldTurnStands(t, func(*gittest.Repo) {}, on[name]) })
		t.Run(name+" off after", func(t *testing.T) { oldTurnStands(t, on[name], off[name]) })
		t.Run(name+" off before", func(t *testing.T) {
			oldTurnStands(t, func(r *gittest.Repo) { on[name](r); base(r); off[name](r) }, func(*gittest.Repo) {})
		})
	}
}

func base(r *gittest.Repo) {
	r.Write("lf", "one\nTwo\n")
	r.Write("crlf", "one\r\nTwo\r\n")
	r.Write("mixed", "One $Id$\r\ntwo\n")
	r.Write("gone", "Gone $Id: x$\r\n")
	r.Git("-c", "core.safecrlf=false", "add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", "base")
}

func oldTurnStands(t *testing.T, before, after func(r *gittest.Repo)) {
	r := gittest.New(t)
	before(r)
	base(r)
	w := wire(t, r)
	want := w.files()
	w.turn(func() {
		w.Write("lf", "one\nthree\n")
		w.Write("crlf", "one\r\nThree\r\n")
		w.Write("mixed", "One $Id$\nTwo\r\n")
		w.Remove("gone")
	})
	turned := w.files()
	after(r)
	fresh := wire(t, r)
	plan := fresh.stage()
	if !strings.Contains(string(plan.Patch), "\n+Gone $Id: x$\r\n") {
		t.Errorf("the patch does not show the bytes:\n%s", plan.Patch)
	}
	rules := fresh.files()[".gitattributes"]
	fresh.done(plan)
	for _, m := range []map[string]string{want, turned} {
		delete(m, ".gitattributes")
		if rules != "" {
			m[".gitattributes"] = rules
		}
	}
	fresh.same("rolled back", fresh.files(), want)
	_, err := fresh.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	fresh.must(err)
	fresh.same("undone", fresh.files(), turned)
}
