package review_test

import (
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/patch"
)

// TestConfigTraps: nothing that git's configuration says about diffs and status
// shows in a comparison (L-08, L-09, L-10).
func TestConfigTraps(t *testing.T) {
	seen := map[string]string{}
	for name, settings := range map[string]string{
		"plain": "",
		"traps": `diff.external=/bin/true diff.mnemonicPrefix=true diff.noprefix=true diff.renames=copies diff.submodule=log
			diff.ignoreSubmodules=all diff.interHunkContext=20 diff.context=0 diff.indentHeuristic=false diff.suppressBlankEmpty=true
			diff.wsErrorHighlight=all diff.algorithm=patience diff.orderFile=/dev/null color.ui=always core.quotePath=false
			status.showUntrackedFiles=no diff.trap.textconv=/bin/false diff.trap.command=/bin/true i18n.logOutputEncoding=latin1`,
	} {
		r := gittest.New(t)
		r.Write(".gitattributes", "*.txt diff=trap\n")
		r.Write("a.txt", lines(1, 30))
		r.Write("old.txt", lines(40, 70))
		r.Commit("first")
		r.Git("switch", "-q", "-c", "work")
		for _, s := range strings.Fields(settings) {
			key, value, _ := strings.Cut(s, "=")
			r.Git("config", key, value)
		}
		f := newFixture(t, r.WithEnv("GIT_EXTERNAL_DIFF=/bin/true", "GIT_PAGER=cat -v", "GIT_DIFF_OPTS=-u0"))
		f.turn("t", func() {
			f.replace("a.txt", "line 5\n", "five\n")
			f.replace("a.txt", "line 20\n", "twenty\n")
			f.Remove("old.txt")
			f.Write("n/m/o.txt", lines(40, 70))
		})
		var got []string
		for _, scope := range []string{"1", "working", "branch"} {
			cs := f.compare(scope)
			got = append(got, scope, f.rows(cs), f.renamed(cs))
			d, err := f.review.Diff(t.Context(), cs, f.file(cs, "a.txt"), patch.Options{})
			f.must(err)
			for _, h := range d.Hunks {
				got = append(got, d.Header(h))
			}
		}
		seen[name] = strings.Join(got, "\n")
	}
	equal(t, "with traps", seen["traps"], seen["plain"])
	if !strings.Contains(seen["plain"], "added n/m/o.txt agent") || !strings.Contains(seen["plain"], "@@ -2,7 +2,7 @@") {
		t.Errorf("rows are missing:\n%s", seen["plain"])
	}
}

// TestHostileNames: names are bytes, never patterns, options or lines (K).
func TestHostileNames(t *testing.T) {
	names := []string{"-f", "--", "HEAD", ":x", ":(top)y", "main", "new\nline", "tab\tname", `quo"te\`, "a -> b", "語/日本", "latin-\xe9", "\xff", "*", "[a]", " lead"}
	f := newFixture(t, gittest.New(t))
	for _, n := range names {
		f.Write(n, "0\n")
	}
	f.Commit("first")
	f.turn("t", func() {
		for _, n := range names {
			f.Write(n, "1\n")
		}
	})
	cs := f.compare("1")
	if len(cs.Files) != len(names) {
		t.Fatalf("%d rows of %d:\n%s", len(cs.Files), len(names), f.paths(cs))
	}
	for _, n := range names {
		file := f.file(cs, model.Path(n))
		data, _, err := f.review.Content(t.Context(), cs, file, 0)
		f.must(err)
		owner, _, err := f.review.Owner(t.Context(), cs, file)
		f.must(err)
		if string(data) != "0\n" || owner != model.OwnerAgent {
			t.Errorf("%q: %q by %s", n, data, owner)
		}
	}
	for i := 1; i < len(cs.Files); i++ {
		if cs.Files[i-1].Path >= cs.Files[i].Path {
			t.Errorf("%q before %q", cs.Files[i-1].Path, cs.Files[i].Path)
		}
	}
}

// TestLinkedWorkTree: a linked work tree has its own threads and its own present;
// those of the other are shown and marked.
func TestLinkedWorkTree(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", "0\n")
	f.Commit("first")
	linked := newFixture(t, f.Worktree("linked"))
	linked.turn("there", func() { linked.Write("f", "linked\n") })
	f.turn("here", func() { f.Write("g", "main\n") })
	equal(t, "main", f.rows(f.compare("working")), "added g agent")
	equal(t, "linked", linked.rows(linked.compare("working")), "modified f agent")
	cs := f.compare("latest@there")
	equal(t, "the other's turn", f.rows(cs), "modified f agent")
	if !cs.Foreign || cs.WorkTree != "linked" || f.compare("latest@here").Foreign {
		t.Errorf("foreign %v, work tree %q", cs.Foreign, cs.WorkTree)
	}
}

// TestDetached compares in a detached HEAD.
func TestDetached(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", "0\n")
	f.Commit("first")
	f.Git("checkout", "-q", "--detach")
	f = newFixture(t, f.Repo)
	f.turn("t", func() { f.Write("f", "1\n") })
	equal(t, "working", f.rows(f.compare("working")), "modified f agent")
	equal(t, "branch", f.rows(f.compare("branch")), "modified f agent")
	equal(t, "latest", f.rows(f.compare("latest")), "modified f agent")
}
