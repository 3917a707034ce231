package trial

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// syncScenes are the calls that exchange records with a remote. The remote lies where
// no call looks, in the folder of objects, so that each copy of the yard has its own.
func syncScenes() []crashScene {
	args := func(list ...string) func(*Yard) []string { return func(*Yard) []string { return list } }
	push := args("sync", "push", "--yes")
	return []crashScene{
		{name: "first sync push", begin: beginSync, args: push, check: syncedAgain, done: remoteHasAll},
		{name: "sync push of what diverged", begin: beginDiverged, args: push, check: syncedAgain, done: remoteHasAll,
			only: []string{"remotes.push.ready", "remotes.push.joined", "remotes.push.sent", "remotes.push.settled", "refs.rename.rename", "durable.replacefile.rename"}},
		{name: "sync fetch", begin: beginToFetch, args: args("sync", "fetch"), check: fetchedAgain, done: allIsHere},
		{name: "end while a remote is in use", begin: beginInUse, args: args("turn", "end", "--thread", "T"), check: queuedAgain,
			only: []string{"durable.openappend.open", "durable.appendsynced.write", "durable.appendsynced.sync"}},
		{name: "enable of git hooks", begin: beginGitHooks, args: args("enable", "--git-hooks", "--commit-trailers"), check: gitHooksInAndOut},
		{name: "disable of git hooks", begin: beginGitHooksIn, args: args("disable", "--git-hooks", "--commit-trailers"), check: gitHooksInAndOut},
	}
}

// farRemote is where the remote lies, from the top of the work tree.
const farRemote = ".git/objects/far.git"

// beginSync has records, and a remote with a branch that has none of them.
func beginSync(c *Crash) {
	c.Sh(crashUser)
	c.Turn("T", func() { c.Sh("echo one >> edit") })
	c.Turn("T", func() { c.Sh("echo two >> edit") })
	c.Sh("git init -q --bare -b main " + farRemote + "; git remote add origin " + farRemote + "; git push -q origin HEAD:main")
	c.from = c.ends()
	c.to = c.from
}

// beginDiverged has a record that the remote has changed too.
func beginDiverged(c *Crash) {
	beginSync(c)
	c.OK("sync", "push", "--yes")
	c.Sh(`ref=$(git for-each-ref --format='%(refname)' refs/overturn/checkpoints | head -1)
	export GIT_DIR=` + farRemote + ` GIT_INDEX_FILE=$PWD/.git/overturn/theirs
	git read-tree $ref; git update-index --add --cacheinfo 100644,$(echo theirs | git hash-object -w --stdin),theirs
	git update-ref $ref $(git -c user.name=far -c user.email=far@far commit-tree -p $ref -m theirs $(git write-tree)); rm $GIT_INDEX_FILE
	unset GIT_DIR GIT_INDEX_FILE`)
	c.Sh(`ref=$(git for-each-ref --format='%(refname)' refs/overturn/checkpoints | head -1)
	export GIT_INDEX_FILE=$PWD/.git/overturn/ours
	git read-tree $ref; git update-index --add --cacheinfo 100644,$(echo ours | git hash-object -w --stdin),ours
	git update-ref $ref $(git commit-tree -p $ref -m ours $(git write-tree)); rm $GIT_INDEX_FILE; unset GIT_INDEX_FILE
	printf '{"ref":"%s"}\n' $ref >> .git/overturn-push-queue.jsonl`)
	c.from = c.ends()
	c.to = c.from
}

// beginToFetch has a remote with records that are not here.
func beginToFetch(c *Crash) {
	beginSync(c)
	c.OK("sync", "push", "--yes")
	c.Sh("git for-each-ref --format='delete %(refname)' refs/overturn/checkpoints | git update-ref --stdin; rm -f .git/overturn/fetched.jsonl")
}

// beginInUse is in the middle of a turn whose record will be queued.
func beginInUse(c *Crash) {
	beginSync(c)
	c.OK("sync", "push", "--yes")
	c.OK("turn", "start", "--thread", "T", "--turn-id", "3")
	c.Sh("echo three >> edit")
	c.from = c.ends()
	c.to = c.from
}

// syncedAgain: whatever was killed, nothing of the user's changed, and the next push
// sends the rest.
func syncedAgain(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	c.cutAgain(y, c.scene.args(y)...)
	y.OK(c.scene.args(y)...)
	remoteHasAll(c, y)
	c.holds(y, c.from, "after it was done")
	y.sound()
}

// remoteHasAll holds that nothing waits, and that the remote has every record that is
// here, each with what it had and what is here.
func remoteHasAll(_ *Crash, y *Yard) {
	here, there := y.records(""), y.records("--git-dir="+farRemote)
	if y.Err() == nil && (here == "" || here != there) {
		y.Faultf("here are\n%s\nthe remote has\n%s", here, there)
	}
	if _, err := os.Lstat(y.Path(".git/overturn-push-queue.jsonl")); y.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		y.Faultf("something still waits: %v", err)
	}
}

// records lists the records of a repository with their files.
func (y *Yard) records(where string) string {
	args := []string{"for-each-ref", "--format=%(refname) %(tree)", "refs/overturn/checkpoints"}
	if where != "" {
		args = append([]string{where}, args...)
	}
	return y.Git(args...)
}

// fetchedAgain: whatever was killed, another run brings the rest.
func fetchedAgain(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	c.cutAgain(y, c.scene.args(y)...)
	y.OK(c.scene.args(y)...)
	allIsHere(c, y)
	c.holds(y, c.from, "after it was done")
	y.sound()
}

func allIsHere(_ *Crash, y *Yard) {
	if here, there := y.records(""), y.records("--git-dir="+farRemote); y.Err() == nil && (there == "" || here != there) {
		y.Faultf("the remote has\n%s\nhere are\n%s", there, here)
	}
}

// queuedAgain: a record that was killed before its line in the queue goes with the
// next push all the same.
func queuedAgain(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	y.OK(c.scene.args(y)...)
	y.OK("sync", "push")
	remoteHasAll(c, y)
	y.sound()
}

// crashOwnHook makes hooks of the user's, one in another language, which is moved aside.
const crashOwnHook = "mkdir -p .git/hooks; printf '#!/usr/bin/awk -f\\nBEGIN { exit 0 }\\n' > .git/hooks/pre-push; printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/commit-msg; chmod +x .git/hooks/*"

func beginGitHooks(c *Crash) {
	c.Sh(crashUser)
	c.Sh(crashOwnHook)
	c.from = c.ends()
	c.to = c.from
}

func beginGitHooksIn(c *Crash) {
	beginGitHooks(c)
	c.OK("enable", "--git-hooks", "--commit-trailers")
}

// gitHooksInAndOut: whatever was killed, the hooks can be put in, work, and come out
// to the byte.
func gitHooksInAndOut(c *Crash, y *Yard) {
	c.cutAgain(y, c.scene.args(y)...)
	said := y.OK("enable", "--git-hooks", "--commit-trailers")
	if n := strings.Count(said, fmt.Sprint(y.Path(".git/hooks"))); y.Err() == nil && n != 3 {
		y.Faultf("%d of 3 hooks are in place: %s", n, said)
	}
	y.Sh("for hook in pre-push commit-msg; do .git/hooks/$hook /dev/null </dev/null; done")
	y.OK("disable", "--git-hooks", "--commit-trailers")
	c.holds(y, c.from, "after disable")
	y.sound()
}
