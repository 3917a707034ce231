package remotes_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/remotes"
)

// hanging gives the place a remote "hangs" whose program never answers, and whose end
// is written to a file, so that no orphan goes unseen.
func (p *place) hanging(name string) (pids string) {
	p.t.Helper()
	dir := p.t.TempDir()
	pids = filepath.Join(dir, "pids")
	script := filepath.Join(dir, "git-remote-hangs")
	p.must(os.WriteFile(script, []byte("#!/bin/sh\necho $$ >>'"+pids+"'\nexec sleep 600\n"), 0o755))
	p.tree.Git("remote", "add", name, "hangs::somewhere")
	p.onPath(dir)
	return pids
}

// onPath has git find programs in dir.
func (p *place) onPath(dir string) {
	p.t.Helper()
	tree := p.tree.WithEnv("PATH=" + dir + string(os.PathListSeparator) + p.tree.Env.Getenv("PATH"))
	limits := p.deps.Limits
	*p = *placeAt(p.t, tree, p.bare, p.deps.Outgoing)
	p.deps.Limits = limits
	p.again()
}

// ended fails the test unless every process of the file is gone.
func ended(t *testing.T, pids string) {
	t.Helper()
	data, err := os.ReadFile(pids)
	if err != nil {
		t.Fatalf("the remote's program did not run: %v", err)
	}
	lives := func(pid string) bool {
		state, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
		return err == nil && !strings.Contains(string(state), ") Z ")
	}
	for _, pid := range strings.Fields(string(data)) {
		for range 200 { // a kill takes its time on a busy machine
			if !lives(pid) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if lives(pid) {
			t.Errorf("process %s lives on", pid)
		}
	}
}

// TestARemoteThatHangsIsBounded is: the limit is kept, nothing is left
// running, and the records stay queued.
func TestARemoteThatHangsIsBounded(t *testing.T) {
	p := newPlace(t, newRemote(t))
	pids := p.hanging("slow")
	p.deps.Limits = remotes.Limits{Ask: 300 * time.Millisecond, Move: 300 * time.Millisecond}
	p.again()
	p.approve("slow")
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	r, err := p.push("slow")
	if err == nil || !strings.Contains(err.Error(), "did not answer in time") {
		t.Fatalf("%v", err)
	}
	if len(r.Pushed) != 0 || len(r.Queued) != 1 {
		t.Errorf("%+v", r)
	}
	ended(t, pids)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // the caller's limit, as a git hook's
	defer cancel()
	p.deps.Limits = remotes.Limits{}
	p.again()
	if _, err := p.Push(ctx, p.target("slow"), remotes.PushOptions{}); err == nil || !strings.Contains(err.Error(), "cannot push to slow: it did not answer in time") {
		t.Errorf("%v", err)
	}
	ended(t, pids)
	used, err := p.queue.Remotes()
	if err != nil || used[0].Failure == "" {
		t.Errorf("%+v, %v", used, err)
	}
	p.pushed(1) // to origin, all the same
	p.noTraces()
}

// TestADeadRemoteCostsOneWait is C7: not one for each record.
func TestADeadRemoteCostsOneWait(t *testing.T) {
	p := newPlace(t, newRemote(t))
	pids := p.hanging("slow")
	p.tree.Git("config", "branch.main.remote", "slow")
	p.again()
	p.onPath(filepath.Dir(pids)) // the settings are read once
	p.deps.Limits = remotes.Limits{Ask: 100 * time.Millisecond}
	p.again()
	for n := range 5 {
		if found, err := p.Fetch(context.Background(), recordID(n)); found || err == nil {
			t.Fatalf("%v %v: an unanswered question is no absence", found, err)
		}
	}
	data, err := os.ReadFile(pids)
	p.must(err)
	if n := len(strings.Fields(string(data))); n != 1 {
		t.Errorf("the dead remote was asked %d times", n)
	}
}

// TestARemoteThatPrompts: ssh, passwords and helpers have nobody to ask.
func TestARemoteThatPrompts(t *testing.T) {
	p := newPlace(t, newRemote(t))
	dir := t.TempDir()
	script := "#!/bin/sh\nif (echo ask >/dev/tty) 2>/dev/null; then echo tty >>'" + dir + "/seen'; fi\n" +
		"echo \"$*\" >>'" + dir + "/seen'; echo \"$SSH_ASKPASS $SSH_ASKPASS_REQUIRE $GIT_TERMINAL_PROMPT\" >>'" + dir + "/seen'\n" +
		"read answer </dev/tty 2>/dev/null; echo 'Permission denied (publickey).' >&2; exit 255\n"
	p.must(os.WriteFile(filepath.Join(dir, "ssh"), []byte(script), 0o755))
	p.tree.Git("remote", "add", "far", "ssh://git@host.invalid/x.git")
	p.onPath(dir)
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	_, err := p.push("far")
	if err == nil {
		t.Fatal("the push went through")
	}
	data, rerr := os.ReadFile(filepath.Join(dir, "seen"))
	p.must(rerr)
	if said := string(data); !strings.Contains(said, "BatchMode=yes") || strings.Contains(said, "tty") || !strings.Contains(said, "never 0") {
		t.Errorf("ssh saw %q", said)
	}
}

// TestARemoteThatRefuses is Q-08: the server's words for each ref, nothing tried again.
func TestARemoteThatRefuses(t *testing.T) {
	for name, deny := range map[string]func(t *testing.T, bare string){
		"by an update hook": func(t *testing.T, bare string) {
			hook(t, bare, "update", "case $1 in refs/overturn/*) echo 'rule 7: not here' >&2; exit 1;; esac\n")
		},
		"by hidden refs": func(t *testing.T, bare string) {
			run(t, bare, "git", "config", "receive.hideRefs", "refs/overturn")
		},
		"by pre-receive": func(t *testing.T, bare string) {
			hook(t, bare, "pre-receive", "echo 'rule 7: not here' >&2; exit 1\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			bare := newRemote(t)
			p := newPlace(t, bare)
			p.approve("origin")
			for n := range 6 {
				p.record(recordRef(n), map[string]string{"metadata.json": "{}"})
			}
			deny(t, bare)
			r, err := p.push("origin")
			p.must(err)
			if len(r.Pushed) != 0 || len(r.Queued) != 6 {
				t.Fatalf("%+v", r)
			}
			if why := r.Queued[0].Reason; !strings.Contains(why, "refused") || !strings.Contains(why, "rule 7") && name != "by hidden refs" {
				t.Errorf("reason %q", why)
			}
		})
	}
}

// TestOnePoisonedRefDoesNotKeepBackTheRest: a pre-receive hook turns down the whole
// push for one ref.
func TestOnePoisonedRefDoesNotKeepBackTheRest(t *testing.T) {
	bare := newRemote(t)
	p := newPlace(t, bare)
	p.approve("origin")
	for n := range 20 {
		p.record(recordRef(n), map[string]string{"metadata.json": "{}"})
	}
	hook(t, bare, "pre-receive", "echo . >>pushes\nwhile read old new ref; do case $ref in *"+string(recordID(13))+") echo 'not this one' >&2; exit 1;; esac; done\n")
	r, err := p.push("origin")
	p.must(err)
	if len(r.Pushed) != 19 || len(r.Queued) != 1 || r.Queued[0].Ref != recordRef(13) || !strings.Contains(r.Queued[0].Reason, "not this one") {
		t.Errorf("pushed %d, queued %v", len(r.Pushed), r.Queued)
	}
	if n := strings.Count(p.read(filepath.Join(bare, "pushes")), "."); n > 14 {
		t.Errorf("%d pushes for one bad ref of 20", n)
	}
}

func (p *place) read(file string) string {
	p.t.Helper()
	data, err := os.ReadFile(file)
	p.must(err)
	return string(data)
}

// TestAcceptedThenDropped: the remote took the push and the connection broke before it
// said so. What it has is confirmed, by asking; nothing is lost when even that fails.
func TestAcceptedThenDropped(t *testing.T) {
	bare := newRemote(t)
	p := newPlace(t, bare)
	p.approve("origin")
	for n := range 3 {
		p.record(recordRef(n), map[string]string{"metadata.json": "{}"})
	}
	hook(t, bare, "post-receive", "kill -9 $PPID\n")
	r, err := p.push("origin")
	p.must(err)
	if len(r.Pushed) != 3 || p.at(recordRef(2)) != p.local(recordRef(2)) {
		t.Errorf("%+v", r)
	}
}

// TestTheUsersSettingsDoNotSteerOurPush: what their configuration has a push do is not
// done with records.
func TestTheUsersSettingsDoNotSteerOurPush(t *testing.T) {
	p := newPlace(t, newRemote(t))
	p.tree.Git("tag", "-a", "-m", "x", "v1")
	for _, set := range []string{"push.followTags true", "push.default matching", "push.gpgSign true", "push.pushOption x", "remote.origin.mirror true",
		"push.recurseSubmodules check", "remote.origin.push +refs/heads/*:refs/heads/stolen/*", "fetch.prune true", "fetch.writeCommitGraph true", "remote.origin.tagOpt --tags"} {
		key, value, _ := strings.Cut(set, " ")
		p.tree.Git("config", key, value)
	}
	p.tree.Write(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n")
	p.must(os.Chmod(p.tree.Path(".git/hooks/pre-push"), 0o755))
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	before := p.tree.Protected(t)
	p.pushed(1)
	if _, err := p.FetchAll(context.Background(), p.target("origin")); err != nil {
		t.Error(err)
	}
	if diff := before.Diff(p.tree.Protected(t)); diff != "" {
		t.Errorf("what is the user's changed:\n%s", diff)
	}
	if refs := run(t, p.bare, "git", "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main\n"+recordRef(1) {
		t.Errorf("the remote has\n%s", refs)
	}
	if left, _ := filepath.Glob(filepath.Join(p.repo.CommonDir, "objects", "info", "commit-graph*")); len(left) > 0 {
		t.Errorf("a commit graph was written: %v", left)
	}
}
