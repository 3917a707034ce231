package remotes_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// zeroPadded is a tree as git's checks refuse it, stored all the same.
func zeroPadded(t *testing.T, bare string) string {
	t.Helper()
	blob := run(t, bare, "git", "rev-parse", recordRef(1)+":metadata.json")
	raw := make([]byte, len(blob)/2)
	for i := range raw {
		digit := func(c byte) byte { return byte(strings.IndexByte("0123456789abcdef", c)) }
		raw[i] = digit(blob[2*i])<<4 | digit(blob[2*i+1])
	}
	cmd := exec.Command("git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin")
	cmd.Dir, cmd.Stdin = bare, bytes.NewReader(append([]byte("0100644 metadata.json\x00"), raw...))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func commitOf(t *testing.T, bare, tree string, args ...string) string {
	t.Helper()
	args = append([]string{"-c", "user.name=x", "-c", "user.email=x@x", "commit-tree", "-m", "theirs"}, append(args, tree)...)
	return run(t, bare, "git", args...)
}

// TestOneDamagedRecordKeepsNoOtherBack: a record that git's checks refuse, and one of
// which the remote lost a file, are told; all others come, and go.
func TestOneDamagedRecordKeepsNoOtherBack(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	const records = 9
	for n := 1; n <= records; n++ {
		a.record(recordRef(n), map[string]string{"metadata.json": "{}", "prompt.txt": strings.Repeat("x", n)})
	}
	a.pushed(records)
	run(t, bare, "git", "update-ref", recordRef(4), commitOf(t, bare, zeroPadded(t, bare), "-p", recordRef(4)))
	lost := run(t, bare, "git", "rev-parse", recordRef(7)+":prompt.txt")
	if err := os.Remove(filepath.Join(bare, "objects", lost[:2], lost[2:])); err != nil {
		t.Fatal(err)
	}
	b := clone(t, bare, "--no-local")                   // or its objects would be here before
	for _, round := range []string{"first", "second"} { // the second asks for what is missing alone
		f, err := b.FetchAll(t.Context(), b.target("origin"))
		if err != nil || len(f.Kept) != 2 || f.Kept[0].Ref != recordRef(4) || f.Kept[1].Ref != recordRef(7) {
			t.Fatalf("%s: %+v %v", round, f, err)
		}
		for _, k := range f.Kept {
			if !strings.Contains(k.Reason, "damaged") {
				t.Errorf("%s", k.Reason)
			}
		}
	}
	for n := 1; n <= records; n++ {
		if here := b.local(recordRef(n)) != ""; here != (n != 4 && n != 7) {
			t.Errorf("record %d is here: %v", n, here)
		}
	}
	if _, err := b.Fetch(t.Context(), recordID(4)); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("one that is damaged, alone: %v", err)
	}
	b.record(recordRef(10), map[string]string{"metadata.json": "{}"})
	b.pushed(1) // the remote answered: it is not given up
	b.noTraces()
}

// TestADamagedSideIsNotJoined: of records that diverged, the one that is damaged on the
// remote stays queued and says so; the others are joined.
func TestADamagedSideIsNotJoined(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	for n := 1; n <= 3; n++ {
		a.record(recordRef(n), map[string]string{"metadata.json": "{}"})
	}
	a.pushed(3)
	tree := run(t, bare, "git", "rev-parse", recordRef(1)+"^{tree}")
	for n, t2 := range map[int]string{1: tree, 2: zeroPadded(t, bare), 3: tree} {
		run(t, bare, "git", "update-ref", recordRef(n), commitOf(t, bare, t2, "-p", recordRef(n)))
		a.record(recordRef(n), map[string]string{"evidence.jsonl": "{}\n"})
	}
	r, err := a.push("origin")
	a.must(err)
	if len(r.Pushed) != 2 || len(r.Queued) != 1 || r.Queued[0].Ref != recordRef(2) || !strings.Contains(r.Queued[0].Reason, "damaged") {
		t.Errorf("%+v", r)
	}
	if _, err := a.store.Commit(t.Context(), a.at(recordRef(2))); err == nil {
		t.Error("the damaged commit is here")
	}
}
