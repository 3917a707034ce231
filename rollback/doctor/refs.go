package doctor

import (
	"fmt"
	"strings"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback/journal"
)

// refKinds are the folders of overturn's refs, with what lies there.
func refKinds() []struct{ prefix, what string } {
	return []struct{ prefix, what string }{
		{"refs/overturn/threads/", "snapshot"}, {"refs/overturn/checkpoints/", "record"}, {"refs/overturn/safety/", "safety snapshot"},
		{"refs/overturn/staged/", "staged set"}, {"refs/overturn/reverted/", "reverted snapshot"}, {"refs/overturn/policies/", "policy"},
		{"refs/heads/overturn/", "branch"},
	}
}

// strayRefs counts overturn's refs, and says which of them nothing here knows: of
// threads whose list is lost or was in a work tree that was removed, and of rollbacks
// that never began. They cost their objects and harm nothing.
func (e *exam) strayRefs() {
	const check = "refs"
	all, err := e.Refs.List(e.ctx, "")
	if err != nil {
		e.failed(check, err, "git for-each-ref refs/overturn says what is wrong")
		return
	}
	known := e.knownThreads()
	begun := map[string]bool{}
	if ids, err := journal.Open(e.Repo.StateDir()).IDs(); err == nil {
		for _, id := range ids {
			begun[string(id)] = true
		}
	}
	counts, stray, unheard := map[string]int{}, map[string]int{}, []string{}
	for _, ref := range all {
		kind := kindOf(ref.Name)
		counts[kind]++
		switch {
		case kind == "":
			unheard = append(unheard, ref.Name)
		case kind == "snapshot":
			thread, _, _, err := ledger.ParseRef(ref.Name)
			if err != nil {
				unheard = append(unheard, ref.Name)
			} else if !known[thread] {
				stray["thread "+string(thread)]++
			}
		case kind == "safety snapshot" && e.onlyTree() && !begun[ref.Name[strings.LastIndexByte(ref.Name, '/')+1:]]:
			stray["a rollback that never began"]++
		}
	}
	e.good(check, "%s", refWords(counts, stray))
	if len(unheard) > 0 {
		e.bad(check, "git update-ref -d REF, for each that you do not know either", "%s that overturn did not make: %s", count(len(unheard), "ref"), some(unheard))
	}
}

func (e *exam) knownThreads() map[model.ThreadID]bool {
	known := map[model.ThreadID]bool{}
	for _, t := range e.turnsOf {
		known[t.thread] = true
	}
	return known
}

// onlyTree tells whether no other work tree can know of what this one does not.
func (e *exam) onlyTree() bool {
	dirs, err := e.Repo.StateDirs(e.ctx)
	return err == nil && len(dirs) == 1
}

func kindOf(name string) string {
	for _, k := range refKinds() {
		if strings.HasPrefix(name, k.prefix) {
			return k.what
		}
	}
	return ""
}

func refWords(counts, stray map[string]int) string {
	var words []string
	for _, k := range refKinds() {
		if n := counts[k.what]; n > 0 && k.what != "staged set" {
			words = append(words, count(n, k.what))
		}
	}
	if len(words) == 0 {
		words = []string{"none yet"}
	}
	var lost []string
	for of, n := range stray {
		lost = append(lost, fmt.Sprintf("%d of %s", n, of))
	}
	text := strings.Join(words, ", ")
	if len(lost) > 0 {
		text += "; known to no list here: " + some(unique(lost...))
	}
	return text
}

// mirrors looks for remotes that a plain push would send overturn's refs to: prompts
// and the contents of files leave the machine only when the user says so; and for those
// from which a plain fetch brings refs in the place of ours.
func (e *exam) mirrors() {
	const check = "mirror-push"
	out, err := e.Repo.Git(e.ctx, "config", "-z", "--get-regexp", `^remote\..*\.(mirror|push|fetch)$`)
	if exit, ok := gitops.ExitOf(err); err != nil && !(ok && exit == 1) {
		e.failed(check, err, "")
		return
	}
	var sends, takes []string
	for _, entry := range strings.Split(string(out), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		name, what := strings.TrimPrefix(key[:max(0, strings.LastIndexByte(key, '.'))], "remote."), key[strings.LastIndexByte(key, '.')+1:]
		if what == "mirror" && value != "false" || what == "push" && coversOwn(value) {
			sends = append(sends, name)
		}
		if _, to, _ := strings.Cut(value, ":"); what == "fetch" && coversOwn(to) {
			takes = append(takes, name)
		}
	}
	if len(takes) > 0 {
		remote := model.ShellWord("remote." + takes[0] + ".fetch")
		e.bad(check, fmt.Sprintf("git config --replace-all %s %s", remote, model.ShellWord("+refs/heads/*:refs/remotes/"+takes[0]+"/*")),
			"a fetch from %s writes over overturn's refs, and with --prune takes them away: snapshots of turns are lost", some(takes))
	}
	if len(sends) == 0 {
		e.good(check, "a plain git push sends none of overturn's refs (git push --mirror would)")
		return
	}
	remote := model.ShellWord("remote." + sends[0])
	e.bad(check, fmt.Sprintf("git config %s.mirror false; git config --replace-all %s.push '+refs/heads/*:refs/heads/*'; git config --add %s.push '+refs/tags/*:refs/tags/*'", remote, remote, remote),
		"a push to %s sends overturn's refs too: prompts and contents of files", some(sends))
}

// coversOwn tells whether a refspec's source, or one side of it, takes in refs of
// overturn's.
func coversOwn(spec string) bool {
	from, _, _ := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	before, _, pattern := strings.Cut(from, "*")
	return strings.HasPrefix(from, "refs/overturn/") || pattern && strings.HasPrefix("refs/overturn/", before)
}
