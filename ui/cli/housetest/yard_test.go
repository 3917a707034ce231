package housetest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/ui/cli/clitest"
)

// yard is a place where one house after the other stands.
type yard struct {
	t    *testing.T
	base string // holds template, place and markers
	bin  string
}

// house is the template with traps set in it.
type house struct {
	*yard
	name string
	env  []string
	at   string // folder that overturn is called in
}

func (y *yard) place() string         { return filepath.Join(y.base, "place") }
func (y *yard) repo() string          { return filepath.Join(y.place(), "repo") }
func (y *yard) home() string          { return filepath.Join(y.place(), "home") }
func (y *yard) markers() string       { return filepath.Join(y.base, "markers") }
func (y *yard) traps() string         { return filepath.Join(y.base, "traps") }
func (y *yard) in(name string) string { return filepath.Join(y.repo(), filepath.FromSlash(name)) }

// clean is the environment of the clean house: nothing of this machine but PATH.
func (y *yard) clean() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + y.home(), "XDG_CONFIG_HOME=" + filepath.Join(y.home(), ".config"), "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "TERM=dumb", "LC_ALL=C", "TZ=UTC", "OVERTURN_HOME=" + filepath.Join(y.home(), "overturn"),
	}
}

// user is the environment of the user's own git and of the agent.
func (y *yard) user() []string {
	return append(y.clean(), "GIT_AUTHOR_NAME=User", "GIT_AUTHOR_EMAIL=user@example.com", "GIT_COMMITTER_NAME=User", "GIT_COMMITTER_EMAIL=user@example.com",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000")
}

// newYard builds the template.
func newYard(t *testing.T) *yard {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	y := &yard{t: t, base: base, bin: clitest.Bin()}
	for _, dir := range []string{y.markers(), y.traps(), y.repo(), filepath.Join(y.home(), ".config")} {
		y.must(os.MkdirAll(dir, 0o755))
	}
	y.sh(templateScript)
	y.must(os.Rename(y.place(), filepath.Join(base, "template")))
	return y
}

// templateScript makes the repository and records two turns of its agent; O is
// overturn. What is committed has no name that a trap would have to hide.
const templateScript = `
git init -q -b main; printf 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' > a.txt; printf 'b  b\n' > b.txt; printf 'c\n' > c.txt; mkdir dir; printf 'd\n' > dir/d.txt
printf '\0\1' > bin; ln -s a.txt link; printf '*.log\n' > .gitignore; printf 'x\n' > x.log
for trap in git sh cat less vi xclip gpg ssh; do printf '#!/bin/sh\n: > %s/cwd-%s\nexit 1\n' "$MARKERS" $trap > $trap; chmod 755 $trap; done
git add -A; git commit -qm base
git init -q -b main ../lib; (cd ../lib; printf 'lib\n' > lib.txt; git add .; git commit -qm lib)
git -c protocol.file.allow=always submodule --quiet add ../lib sub; git commit -qm 'a submodule'
git init -q nested; (cd nested; printf 'n\n' > n; git add .; git commit -qm n)
git update-ref refs/remotes/origin/main HEAD; git config remote.origin.url https://example.invalid/r; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; git config branch.main.remote origin; git config branch.main.merge refs/heads/main
git worktree add -q ../linked -b linked; git checkout -qb topic; printf 'topic\n' > topic.txt; git add topic.txt; git commit -qm topic
printf 'staged\n' >> c.txt; git add c.txt; printf 'untracked\n' > mine.txt; printf 'sub edit\n' >> sub/lib.txt
$O turn start --thread T --prompt 'first' --turn-id 1 >/dev/null; printf 'one\nTWO\nthree\nfour\nfive\nsix\nSEVEN\n' > a.txt; printf 'made\n' > made.txt; $O turn end --thread T >/dev/null
$O turn start --thread T --prompt 'second' --turn-id 2 >/dev/null; printf 'b b\nmore\n' > b.txt; rm dir/d.txt; mv topic.txt renamed.txt; printf '\0\2' > bin; chmod 755 made.txt; $O turn end --thread T >/dev/null`

// build puts the template in place and lets set the traps.
func (y *yard) build(name string, set ...func(h *house)) *house {
	y.t.Helper()
	y.must(os.RemoveAll(y.place()))
	y.must(os.RemoveAll(y.markers()))
	y.must(os.MkdirAll(y.markers(), 0o777))
	if out, err := exec.Command("cp", "-a", filepath.Join(y.base, "template"), y.place()).CombinedOutput(); err != nil {
		y.t.Fatalf("%v: %s", err, out)
	}
	h := &house{yard: y, name: name, env: y.clean(), at: y.repo()}
	for _, do := range set {
		do(h)
	}
	return h
}

// trap is a program that leaves a marker of its name when it runs.
func (y *yard) trap(name string) string {
	y.t.Helper()
	file := filepath.Join(y.traps(), name)
	script := fmt.Sprintf("#!/bin/sh\necho \"$0 $*\" >> '%s/%s'\nexit 1\n", y.markers(), name)
	y.must(os.WriteFile(file, []byte(script), 0o755))
	return file
}

// ran names the traps that ran, with what they were told.
func (y *yard) ran() []string {
	y.t.Helper()
	entries, err := os.ReadDir(y.markers())
	y.must(err)
	var names []string
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(y.markers(), e.Name()))
		y.must(err)
		words, _, _ := strings.Cut(string(data), "\n")
		names = append(names, e.Name()+": "+words)
	}
	return names
}

// sh runs shell commands in the repository as the user, or the agent, would.
func (y *yard) sh(script string) {
	y.t.Helper()
	cmd := exec.Command("/bin/sh", "-ec", script)
	cmd.Dir, cmd.Env = y.repo(), append(y.user(), "O="+y.bin, "MARKERS="+y.markers())
	if out, err := cmd.CombinedOutput(); err != nil {
		y.t.Fatalf("sh: %v\n%s", err, out)
	}
}

// git runs the user's git in the repository and returns its output.
func (y *yard) git(args ...string) string {
	y.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = y.repo(), y.user()
	out, err := cmd.Output()
	if err != nil {
		y.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func (y *yard) write(name, text string) {
	y.t.Helper()
	y.must(os.MkdirAll(filepath.Dir(name), 0o755))
	y.must(os.WriteFile(name, []byte(text), 0o755))
}

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

// callLimit is when a call is taken for one that hangs.
const callLimit = 2 * time.Minute

// call runs overturn in the house.
func (h *house) call(stdin string, args ...string) (code int, stdout, stderr string) {
	h.t.Helper()
	cmd := exec.Command(h.bin, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = h.at, h.env, strings.NewReader(stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	h.must(cmd.Start())
	timer := time.AfterFunc(callLimit, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		h.t.Fatalf("overturn %s: %v", strings.Join(args, " "), err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// everything is each file below a folder with its mode, bytes and time of change.
func everything(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s %d", info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			what += " " + string(data)
		}
		all[name] = what
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// changed are the names that differ between two looks.
func changed(before, now map[string]string) []string {
	var names []string
	for name, was := range before {
		if now[name] != was {
			names = append(names, name)
		}
	}
	for name := range now {
		if _, ok := before[name]; !ok {
			names = append(names, name+" (new)")
		}
	}
	slices.Sort(names)
	return names
}
