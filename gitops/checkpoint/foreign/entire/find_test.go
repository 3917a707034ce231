package entire_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint/foreign/entire"
	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
)

const (
	hexID  = "a1b2c3d4e5f6"
	ulidID = "01KVBJCWYA4YW6J5M9GP655HZN"
)

func reader(t testing.TB, r *gittest.Repo) *entire.Reader {
	t.Helper()
	repo := r.Open()
	objs := objects.Open(repo)
	t.Cleanup(func() { _ = objs.Close() })
	return entire.New(repo, objs, refs.New(repo))
}

// spell lists checkpoints, their sessions, and what is odd.
func spell(t testing.TB, r *entire.Reader) string {
	t.Helper()
	list, odd, err := r.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range list {
		line := c.ID + " " + c.Ref
		for _, s := range c.Sessions {
			line += fmt.Sprintf(" | %d %q %q %v", s.Folder, s.ID, s.Prompt, s.Files)
		}
		for _, why := range c.Odd {
			line += " ! " + why
		}
		lines = append(lines, line)
	}
	for _, n := range odd {
		lines = append(lines, "! "+n.Ref+": "+n.Reason)
	}
	return strings.Join(lines, "\n")
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// Of an id in several places the ref counts; a clone has the remote's branch alone.
func TestPlaces(t *testing.T) {
	r := gittest.New(t)
	e := foreigntest.NewEntire(t, r)
	e.OnBranch(hexID, foreigntest.EntireFiles(hexID, foreigntest.EntireSession{ID: "old"}))
	e.OnBranch("ffffffffffff", foreigntest.EntireFiles("ffffffffffff", foreigntest.EntireSession{ID: "s"}))
	e.Record(hexID, foreigntest.EntireFiles(hexID, foreigntest.EntireSession{ID: "new"}))
	equal(t, "here", spell(t, reader(t, r)), hexID+" "+foreigntest.EntireRef(hexID)+` | 0 "new" "" []`+"\n"+
		"ffffffffffff "+foreigntest.EntireBranch+`:ff/ffffffffff | 0 "s" "" []`)

	r.Git("commit", "-q", "--allow-empty", "-m", "first")
	r.Git("clone", "-q", "--origin", "upstream.of.it", ".", "../clone")
	clone := r.At(r.Root + "/../clone")
	equal(t, "a clone", spell(t, reader(t, clone)), hexID+` refs/remotes/upstream.of.it/entire/checkpoints/v1:a1/b2c3d4e5f6 | 0 "old" "" []`+"\n"+
		`ffffffffffff refs/remotes/upstream.of.it/entire/checkpoints/v1:ff/ffffffffff | 0 "s" "" []`)
}

// Facts: entire.md, 2.6.
func TestDirtyReality(t *testing.T) {
	r := gittest.New(t, gittest.Unchecked())
	e := foreigntest.NewEntire(t, r)
	for i, files := range []map[string]string{
		{},
		{"metadata.json": "{"},
		{"metadata.json": `{"checkpoint_id":"ffffffffffff","files_touched":"no list"}`, "0/prompt.txt": "asked"},
		{"metadata.json": `{"sessions":[{"metadata":"/9/metadata.json"}]}`, "2/metadata.json": `{"session_id":7,"files_touched":["b","a","a","/etc/passwd",".git/config"]}`, "05/metadata.json": "{}"},
		{"metadata.json": `{}`, "3/metadata.json": `{"session_id":"s"}`, "1/metadata.json": "nothing", "0": "a file"},
		{"metadata.json": `{}`, "0/metadata.json": `{"session_id":"big"}`, "0/prompt.txt": strings.Repeat("p", 4<<20+1)},
	} {
		files["keep"] = "" // a tree is not empty
		e.OnBranch(fmt.Sprintf("%012x", i), files)
	}
	r.Git("commit", "-q", "--allow-empty", "-m", "first")
	r.Git("update-ref", foreigntest.EntireRef(hexID), "HEAD")
	r.Git("update-ref", foreigntest.EntireRef(ulidID), r.GitInput("blob", "hash-object", "-w", "--stdin"))
	r.Git("update-ref", "refs/entire/checkpoints/xx/nonsense", "HEAD")
	at := func(i int) string {
		return fmt.Sprintf("%012x %s:00/%010x", i, foreigntest.EntireBranch, i)
	}
	list := spell(t, reader(t, r))
	for _, want := range []string{
		hexID + " " + foreigntest.EntireRef(hexID) + " ! it has no metadata.json ! it has no session",
		at(0) + " ! it has no metadata.json ! it has no session",
		at(1) + " ! its metadata.json is not JSON ! it has no session",
		at(2) + ` | 0 "" "asked" [] ! it names itself "ffffffffffff" ! session 0: it has no metadata.json`,
		at(3) + ` | 2 "" "" [a b]`,
		at(4) + ` | 1 "" "" [] | 3 "s" "" [] ! session 1: its metadata.json is not JSON`,
		at(5) + ` | 0 "big" "" [] ! session 0: its prompt.txt has 4194305 bytes and is not read`,
		"! refs/entire/checkpoints/: 1 of the refs below it are of no form that is known of the Entire CLI, the first refs/entire/checkpoints/xx/nonsense",
	} {
		if !strings.Contains(list+"\n", want+"\n") {
			t.Errorf("missing: %s\nin\n%s", want, list)
		}
	}
	if !strings.Contains(list, "! "+foreigntest.EntireRef(ulidID)+": ") {
		t.Errorf("a ref that is no commit is not told:\n%s", list)
	}
}

// A log is all of its parts; where there is only the compact one, that; else none.
func TestLogs(t *testing.T) {
	r := gittest.New(t)
	e := foreigntest.NewEntire(t, r)
	files := foreigntest.EntireFiles(hexID, foreigntest.EntireSession{ID: "parts"}, foreigntest.EntireSession{ID: "compact"}, foreigntest.EntireSession{ID: "none"})
	files["0/full.jsonl.001"], files["0/full.jsonl.002"], files["0/full.jsonl.004"] = "two\n", "three\n", "behind a gap\n"
	files["1/transcript.jsonl"] = "compact\n"
	delete(files, "1/full.jsonl")
	delete(files, "2/full.jsonl")
	e.Record(hexID, files)
	read := reader(t, r)
	list, _, err := read.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"{\"type\":\"user\"}\ntwo\nthree\n", "compact\n", ""} {
		var out strings.Builder
		found, err := read.WriteLog(t.Context(), &list[0].Sessions[i], &out)
		if err != nil || found != (want != "") || out.String() != want {
			t.Errorf("%d: %q, %v, %v", i, out.String(), found, err)
		}
	}
}

// A shallow clone ends where a commit's parent is not stored; an unborn branch has none.
func TestCarriers(t *testing.T) {
	unborn := gittest.New(t)
	if found, err := reader(t, unborn).Carriers(t.Context(), time.Time{}); err != nil || len(found) > 0 {
		t.Errorf("unborn: %v, %v", found, err)
	}
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Commit("first")
	r.Write("a", "2\n")
	r.Commit("second\n\nEntire-Checkpoint: " + hexID)
	r.Git("config", "grep.patternType", "fixed")
	found, err := reader(t, r).Carriers(t.Context(), time.Time{})
	if c := found[hexID]; err != nil || c.Cut || c.Commit != r.Git("rev-parse", "HEAD") || c.Parent != r.Git("rev-parse", "HEAD^") || c.Of != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	r.Git("clone", "-q", "--depth=1", "file://"+r.Root, "../shallow")
	found, err = reader(t, r.At(r.Root+"/../shallow")).Carriers(t.Context(), time.Time{})
	if c := found[hexID]; err != nil || !c.Cut || c.Before != "" {
		t.Errorf("shallow: %+v, %v", found, err)
	}
	if found, err := reader(t, r).Carriers(t.Context(), time.Now()); err != nil || len(found) > 0 {
		t.Errorf("nothing is that new: %+v, %v", found, err)
	}
}
