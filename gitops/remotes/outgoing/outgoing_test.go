package outgoing_test

import (
	"os"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/redact"
	"overturn/model"
)

func TestNothingFoundIsTheSameCommit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rec := w.put(1, nil)
		w.update(rec, func(r *checkpoint.Record) { r.Turn.MessageID = "m" })
		tip := w.tip(rec)
		if out, found := w.leaves(w.out, tip); out != tip || len(found) > 0 {
			t.Errorf("%s leaves as %s, %v", tip, out, found)
		}
	})
}

// TestSecretsOfEveryFile has a secret in each file of a record, and in its history.
func TestSecretsOfEveryFile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		secret := token()
		rec := w.put(1, func(r *checkpoint.Record) {
			r.Turn.Prompt = "use " + secret
			r.Turn.StatusReason = "failed at " + secret
			r.Turn.Effects = []model.Effect{{Domain: model.DomainPublication, Summary: "git push https://kay:" + secret + "@host/x"}}
			r.Turn.Files = []model.FileChange{{Path: model.Path("d/" + secret), Change: model.Added}}
			r.Evidence = []byte(`{"kind":"tool","command":"echo \"` + secret + `\\n\""}` + "\n")
			r.Changes = []byte(":000000 100644 " + strings.Repeat("0", 40) + " " + strings.Repeat("1", 40) + " A\x00d/" + secret + "\x00")
			r.Transcript = []byte(`{"content":"{\"text\":\"a\\n` + secret + `\\n\"}"}` + "\n")
			r.Attribution = &checkpoint.Attribution{Files: r.Turn.Files}
		})
		w.update(rec, func(r *checkpoint.Record) { r.Turn.Prompt = "now without" })
		tip := w.tip(rec)
		out, found := w.leaves(w.out, tip)
		if text := w.all(out); strings.Contains(text, secret) || !strings.Contains(text, marker) {
			t.Errorf("what leaves is %s", text)
		}
		files := map[string]bool{}
		for _, f := range found {
			files[f.Path[strings.LastIndex(f.Path, "/")+1:]] = true
		}
		for _, name := range checkpoint.FileNames() {
			if !files[name] {
				t.Errorf("nothing was found in %s: %v", name, found)
			}
		}
		if text := w.all(tip); strings.Contains(text, marker) || w.tip(rec) != tip {
			t.Error("the record here changed")
		}
		sameFrame(w, tip, out)
	})
}

// sameFrame holds the identities, dates and messages of two histories against each other.
func sameFrame(w *world, tip, out string) {
	w.t.Helper()
	const format = "--format=%an %ae %ad %cn %ce %cd %B"
	if a, b := w.Repo.Git("log", format, tip), w.Repo.Git("log", format, out); a != b {
		w.t.Errorf("the history\n%s\nleaves as\n%s", a, b)
	}
}

// TestReadable: a record that was redacted is a record.
func TestReadable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rec := w.put(1, func(r *checkpoint.Record) {
			r.Turn.Prompt = "use " + token()
			r.Turn.Files = []model.FileChange{{Path: model.Path(token() + "\xff"), Change: model.Added}}
		})
		tip := w.tip(rec)
		out, _ := w.leaves(w.out, tip)
		w.Repo.Git("update-ref", strings.TrimSpace(w.Repo.Git("for-each-ref", "--format=%(refname)", checkpoint.RefPrefix, checkpoint.BranchRef)), out)
		_, store := w.Again(t)
		got, err := store.Read(t.Context(), rec.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got.Turn.Prompt != "use "+marker || len(got.Turn.Files) != 1 || strings.Contains(string(got.Turn.Files[0].Path), token()) {
			t.Errorf("the record is read as %q, %v", got.Turn.Prompt, got.Turn.Files)
		}
	})
}

// TestGrowsByFastForward pushes, grows and pushes again, also with the cache lost.
func TestGrowsByFastForward(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		line := `{"text":"` + strings.Repeat("words ", 20) + token() + `"}` + "\n"
		rec := w.put(1, func(r *checkpoint.Record) { r.Transcript = []byte(strings.Repeat(line, 1000)) })
		first, _ := w.leaves(w.out, w.tip(rec))
		w.update(rec, func(r *checkpoint.Record) { r.Transcript = append(r.Transcript, line...) })
		w.put(2, nil)
		tip := w.tip(rec)
		second, found := w.leaves(w.out, tip)
		if !isAncestor(w, first, second) || strings.Contains(w.all(second), token()) {
			t.Error("what leaves is no fast-forward, or holds the secret")
		}
		if len(found) != 1 || found[0].Line != 1001 {
			t.Errorf("what was found before is found again: %v", found)
		}
		for name, r := range map[string]*outgoing.Rewriter{"kept": w.rewriter(redact.Options{}, w.cache), "lost": w.rewriter(redact.Options{}, "")} {
			if again, found := w.leaves(r, tip); again != second || (len(found) == 0) != (name == "kept") {
				t.Errorf("with the cache %s it leaves as %s, not %s (%d found)", name, again, second, len(found))
			}
		}
	})
}

// TestNewRules: what is out stays as it is out, what came since goes by the new rules.
func TestNewRules(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rec := w.put(1, func(r *checkpoint.Record) { r.Turn.Prompt = "E-12345 and " + token() })
		first, _ := w.leaves(w.out, w.tip(rec))
		w.update(rec, func(r *checkpoint.Record) { r.Turn.MessageID = "E-67890" })
		stricter := redact.Options{Patterns: []redact.Pattern{{Name: "staff", Regexp: `E-\d{5}`}}}
		out, _ := w.leaves(w.rewriter(stricter, w.cache), w.tip(rec), first)
		if !isAncestor(w, first, out) || strings.Contains(w.Repo.Git("grep", "-h", "", out), "E-67890") {
			t.Error("what leaves under new rules is no fast-forward of what is out, or not redacted")
		}
		for _, cache := range []string{w.cache, ""} {
			other, _ := w.leaves(w.rewriter(stricter, cache), w.tip(rec))
			if isAncestor(w, first, other) || strings.Contains(w.all(other), "E-12345") {
				t.Error("to a remote that has nothing it goes by the old rules")
			}
		}
		if still, _ := w.leaves(w.rewriter(stricter, w.cache), w.tip(rec), first); still != out {
			t.Errorf("after another remote it leaves as %s, not %s", still, out)
		}
	})
}

// TestJoined: what came from a remote, by other rules than ours, stands for itself.
func TestJoined(t *testing.T) {
	w := newWorld(t, refstore.Open)
	rec := w.put(1, func(r *checkpoint.Record) { r.Turn.Prompt = token() })
	ours := w.tip(rec)
	foreign := w.Repo.Git("commit-tree", ours+"^{tree}", "-m", "theirs")
	joined := w.Repo.Git("commit-tree", ours+"^{tree}", "-p", ours, "-p", foreign, "-m", "joined")
	out, _ := w.leaves(w.out, joined, foreign)
	parents := strings.Fields(w.Repo.Git("log", "-1", "--format=%P", out))
	if len(parents) != 2 || parents[1] != foreign || parents[0] == ours {
		t.Errorf("%s has parents %v: those of %s and %s", out, parents, ours, foreign)
	}
	// Another remote does not have it: there it is rewritten as all is.
	for _, tip := range []string{foreign, joined} {
		if other, _ := w.leaves(again(w), tip); strings.Contains(w.all(other), token()) {
			t.Errorf("what one remote has goes to another as it is: %s", other)
		}
	}
}

// TestLostObjects: gc took what only the cache names, and a cache is damaged.
func TestLostObjects(t *testing.T) {
	w := newWorld(t, refstore.Open)
	rec := w.put(1, func(r *checkpoint.Record) { r.Turn.Prompt = token() })
	tip := w.tip(rec)
	gone := strings.Repeat("1", len(tip))
	for _, cache := range []string{
		"overturn.outgoing/1\n" + tip + " " + gone + " " + fingerprint(t) + "\n",
		"overturn.outgoing/1\n" + tip + " " + tip + " " + fingerprint(t), // cut off
		"overturn.outgoing/2\n" + tip + " " + tip + " " + fingerprint(t) + "\n",
		"overturn.outgoing/1\n" + tip + " " + tip + " other\n\x00\n",
		"",
	} {
		if err := os.WriteFile(w.cache, []byte(cache), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := w.leaves(w.rewriter(redact.Options{}, w.cache), tip)
		if out == tip || strings.Contains(w.all(out), token()) {
			t.Errorf("with the cache %q it leaves as %s", cache, out)
		}
	}
}

func fingerprint(t *testing.T) string {
	r, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Fingerprint()
}

// TestForeignFiles: files that this version does not know are redacted by their kind, and
// withheld where they have none.
func TestForeignFiles(t *testing.T) {
	w := newWorld(t, refstore.Open)
	rec := w.put(1, nil)
	tree := w.Repo.Git("rev-parse", w.tip(rec)+"^{tree}")
	blob := func(text string) string { return w.Repo.GitInput(text, "hash-object", "-w", "--stdin") }
	listing := w.Repo.Git("ls-tree", tree) + "\n" +
		"100644 blob " + blob("note "+token()) + "\tnote\n" +
		"100644 blob " + blob("bin\x00"+token()) + "\tpicture.png\n" +
		"120000 blob " + blob("/home/kay") + "\tlink\n" +
		"040000 tree " + w.Repo.GitInput("100644 blob "+blob(`{"token":"`+token()+`"}`)+"\tlater.json\n", "mktree") + "\tmore\n"
	commit := w.Repo.Git("commit-tree", w.Repo.GitInput(listing, "mktree"), "-m", "with "+token())
	out, _ := w.leaves(w.out, commit)
	for path, want := range map[string]string{"note": "note " + marker, "picture.png": "[redacted:blob]", "link": "[redacted:blob]", "more/later.json": `{"token":"` + marker + `"}`} {
		if got := w.Repo.Git("cat-file", "blob", out+":"+path); strings.TrimSpace(got) != want {
			t.Errorf("%s leaves as %q, not %q", path, got, want)
		}
	}
	if got := w.Repo.Git("log", "-1", "--format=%B", out); strings.TrimSpace(got) != "with "+marker {
		t.Errorf("the message leaves as %q", got)
	}
}

func TestPreview(t *testing.T) {
	w := newWorld(t, refstore.Open)
	rec := w.put(1, func(r *checkpoint.Record) { r.Turn.Prompt = "one\nuse " + token() + " \x1b[31m" })
	first, _ := w.leaves(w.out, w.tip(rec))
	w.update(rec, func(r *checkpoint.Record) { r.Evidence = append(r.Evidence, `{"text":"AK`+`IAQ3EGRZL5XWNTJ2MB"}`...) })
	for _, c := range []struct {
		published, has, lacks []string
	}{
		{nil, []string{"file prompt.txt, ", " taken out: github-pat\n", "  use " + marker, "file evidence.jsonl", "[redacted:aws-access-token]", `\u001b[31m`}, []string{token(), "IAQ3EGRZ", "\x1b"}},
		{[]string{first}, []string{"[redacted:aws-access-token]", "1 taken out: aws-access-token\n"}, []string{"file prompt.txt", token()}},
	} {
		var text strings.Builder
		objects := w.Repo.Git("count-objects", "-v")
		found, err := w.rewriter(redact.Options{}, w.cache).Preview(t.Context(), &text, w.tip(rec), c.published...)
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		if w.Repo.Git("count-objects", "-v") != objects {
			t.Error("a preview stored something")
		}
		for _, s := range c.has {
			if !strings.Contains(text.String(), s) {
				t.Errorf("%q is not in\n%s", s, text.String())
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(text.String(), s) {
				t.Errorf("%q is in\n%s", s, text.String())
			}
		}
	}
}

func TestShallow(t *testing.T) {
	w := newWorld(t, refstore.Open)
	rec := w.put(1, func(r *checkpoint.Record) { r.Turn.Prompt = token() })
	missing := strings.Repeat("1", len(w.tip(rec)))
	raw := strings.Replace(w.Repo.Git("cat-file", "commit", w.tip(rec)), "\nauthor", "\nparent "+missing+"\nauthor", 1)
	tip := w.Repo.GitInput(raw+"\n", "hash-object", "-t", "commit", "-w", "--stdin")
	w.Repo.Write(".git/shallow", tip+"\n")
	out, _ := w.leaves(w.out, tip)
	if out == tip || !strings.Contains(w.Repo.Git("cat-file", "commit", out), "parent "+missing) {
		t.Errorf("over the border of a shallow clone it leaves as %s", out)
	}
	w.Repo.Write(".git/shallow", tip+"\n"+out+"\n")
}
