package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// queuedRecords is how many records the sync row pushes.
const queuedRecords = 10_000

// syncRow measures a push of 10,000 queued records to a bare repository on this disk
// against one wildcard git push of the same refs, to one that is as empty: the first
// push, where each record is searched for secrets, and one where that is remembered.
func (b *bench) syncRow() error {
	r, err := newRepo(filepath.Join(b.dir, "sync"), 10, 0)
	if err != nil {
		return err
	}
	if err := b.records(r); err != nil {
		return err
	}
	bare := r.dir + "-bare.git"
	if err := r.git("remote", "add", "origin", bare); err != nil {
		return err
	}
	fresh := func(cold bool) func(int) error {
		return func(int) error { return r.freshRemote(bare, cold) }
	}
	push := func() *exec.Cmd { return b.command(r.dir, b.overturn, "sync", "push", "--yes") }
	figures, err := race(min(b.rounds, 5), []contender{
		{name: "first push", before: fresh(true), run: push},
		{name: "push", before: fresh(false), run: push},
		{name: "git push", before: fresh(false), run: func() *exec.Cmd {
			return b.command(r.dir, "git", "push", "-q", "origin", "refs/overturn/checkpoints/*:refs/overturn/checkpoints/*")
		}},
	})
	if err != nil {
		return err
	}
	out, err := exec.Command("git", "-C", bare, "for-each-ref", "refs/overturn/").Output()
	if n := bytes.Count(out, []byte("\n")); err != nil || n != queuedRecords {
		return fmt.Errorf("the remote has %d records: %w", n, err)
	}
	b.print(fmt.Sprintf("first push of %d records / git push with a wildcard", queuedRecords), 3, figures[0], figures[2])
	b.print(fmt.Sprintf("push of %d records / git push with a wildcard", queuedRecords), 3, figures[1], figures[2])
	return nil
}

// freshRemote makes the remote anew, with a branch, and forgets that anything was sent.
func (r *repo) freshRemote(bare string, cold bool) error {
	state := filepath.Join(r.dir, ".git", "overturn")
	gone := []string{bare, filepath.Join(state, "sync.json"), filepath.Join(r.dir, ".git", "overturn-push-queue.jsonl")}
	if cold {
		gone = append(gone, filepath.Join(state, "outgoing"))
	}
	for _, name := range gone {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	if err := r.git("init", "-q", "--bare", bare); err != nil {
		return err
	}
	return r.git("push", "-q", "origin", "main")
}

// records makes refs of records, each with files of its own, in one pack.
func (b *bench) records(r *repo) error {
	var stream bytes.Buffer
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	for n := range queuedRecords {
		tail := string([]byte{alphabet[n>>15&31], alphabet[n>>10&31], alphabet[n>>5&31], alphabet[n&31]})
		id := "01k0000000" + strings.Repeat("0", 12) + tail
		meta := fmt.Sprintf(`{"schema":"overturn.checkpoint/1","format":"refs-v1","thread":"t-%d","turn":%d,"checkpoint":%q,"files":[{"path":"src/f%d.go","change":"modified"}]}`, n/40, n%40+1, id, n)
		fmt.Fprintf(&stream, "commit refs/overturn/checkpoints/%s/%s\ncommitter overturn <overturn@localhost> 1700000000 +0000\ndata 0\n", id[24:], id)
		for name, text := range map[string]string{"metadata.json": meta + "\n", "prompt.txt": fmt.Sprintf("change number %d, and say why", n)} {
			fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
	}
	cmd := b.command(r.dir, "git", "fast-import", "--quiet")
	cmd.Stdin = &stream
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git fast-import: %w: %s", err, out)
	}
	return r.git("pack-refs", "--all")
}
