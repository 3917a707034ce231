package remotes

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/durable"
)

// outbox is a throw-away git directory with the repository's objects and settings and
// refs of its own.
type outbox struct {
	dir string
	e   *Engine
	t   Target
}

// outboxName begins the folder's name; it ends in .tmp.
const outboxName = "sync-"

// outboxAge is from when on a folder was left by a process that was killed: no call
// of git lives that long.
const outboxAge = 24 * time.Hour

// openOutbox makes an outbox that holds list, to exchange with t.
func (e *Engine) openOutbox(t Target, list []queue.Ref) (*outbox, error) {
	if err := e.Repo.EnsureStateDir(); err != nil {
		return nil, err
	}
	home := filepath.Join(e.Repo.CommonDir, "overturn")
	durable.Point("remotes.outbox.home")
	if err := os.Mkdir(home, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, model.Failf(err, "cannot make the state folder").WithHint("check that %s can be written", e.Repo.CommonDir)
	}
	durable.SweepStale(home, e.Clock().Add(-outboxAge), outboxName)
	durable.Point("remotes.outbox.mkdir")
	dir, err := os.MkdirTemp(home, outboxName+"*.tmp")
	if err != nil {
		return nil, model.Failf(err, "cannot make a folder for what is exchanged").WithHint("see that the disk is not full")
	}
	b := &outbox{dir, e, t}
	if err := b.fill(list); err != nil {
		b.close()
		return nil, model.Failf(err, "cannot write what is exchanged").WithHint("see that the disk is not full")
	}
	return b, nil
}

func (b *outbox) close() {
	durable.Point("remotes.outbox.remove")
	_ = os.RemoveAll(b.dir) // what is left of it a later push removes
}

// fill makes dir a git directory. Nothing is synced: it does not outlive a crash.
func (b *outbox) fill(list []queue.Ref) error {
	for _, folder := range []string{"refs", "objects"} {
		durable.Point("remotes.outbox.folder")
		if err := os.Mkdir(filepath.Join(b.dir, folder), 0o700); err != nil {
			return err
		}
	}
	files := map[string][]byte{"HEAD": []byte("ref: refs/heads/none\n"), "config": b.config(), "packed-refs": packedRefs(list)}
	shallow, err := os.ReadFile(filepath.Join(b.e.Repo.CommonDir, "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(shallow) > 0 {
		files["shallow"] = shallow
	}
	for name, data := range files {
		durable.Point("remotes.outbox.file")
		if err := os.WriteFile(filepath.Join(b.dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// config takes the settings of the repository in; what a repository's format is, git
// reads from this file alone. A remote that is a mirror is none to a push of records.
func (b *outbox) config() []byte {
	var out bytes.Buffer
	version := "0"
	if b.e.Repo.ObjectFormat != "sha1" {
		version = "1\n[extensions]\n\tobjectformat = " + b.e.Repo.ObjectFormat
	}
	out.WriteString("[core]\n\tbare = true\n\trepositoryformatversion = " + version + "\n")
	for _, file := range []string{filepath.Join(b.e.Repo.CommonDir, "config"), filepath.Join(b.e.Repo.GitDir, "config.worktree")} {
		out.WriteString("[include]\n\tpath = " + quoteConfig(file) + "\n")
	}
	if !strings.Contains(b.t.Name, "\n") { // no remote is called so
		out.WriteString("[remote " + quoteConfig(b.t.Name) + "]\n\tmirror = false\n")
	}
	return out.Bytes()
}

// quoteConfig writes a value as git's configuration files quote one.
func quoteConfig(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(value) + `"`
}

// packedRefs is a file of packed refs that holds list.
func packedRefs(list []queue.Ref) []byte {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(x, y queue.Ref) int { return strings.Compare(x.Name, y.Name) })
	var out bytes.Buffer
	out.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for _, ref := range sorted {
		out.WriteString(ref.Value + " " + ref.Name + "\n")
	}
	return out.Bytes()
}

// git runs git in the outbox, with the network, for as long as limit.
func (b *outbox) git(ctx context.Context, limit time.Duration, args ...string) ([]byte, error) {
	return b.gitInput(ctx, limit, nil, args...)
}

func (b *outbox) gitInput(ctx context.Context, limit time.Duration, stdin []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	return b.e.Repo.GitWith(ctx, gitops.CommandOptions{Network: true, Env: []string{
		"GIT_DIR=" + b.dir, "GIT_OBJECT_DIRECTORY=" + filepath.Join(b.e.Repo.CommonDir, "objects"),
	}, Stdin: bytes.NewReader(stdin)}, args...)
}

// errTimeout is the cause of a context that ended by our own limit.
var errTimeout = errors.New("it did not answer in time")
