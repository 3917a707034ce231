package trial

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Round is one experiment in a fresh yard. What the seed decides is the same every
// time. A violation of what must hold is counted in y.Tally and said by y.Faultf;
// the error is for a round that could not be carried on; y.Err() need not be returned.
type Round func(ctx context.Context, y *Yard, seed uint64) error

// Options say with what a trial runs, and where.
type Options struct {
	Bin     string   // the program under trial
	Dir     string   // folder on the file system under trial; yards are made below it
	Environ []string // the caller's; PATH alone is taken from it
	Keep    bool     // leave each yard with its script and the hashes of its phases
	Failed  bool     // leave those of rounds in which something went wrong
}

// Yard is a disposable repository on branch main, with a home of its own, and the
// means to play user and agent in it. The first thing that goes wrong in playing
// stays in Err and makes all steps after it do nothing, so that a round reads as a
// list of steps.
type Yard struct {
	Root  string // top of the work tree
	Home  string // HOME of all that runs; outside the work tree
	Tally *Tally
	Rand  *rand.Rand // of the seed

	ctx  context.Context
	bin  string
	env  []string
	more []string // the end of env, which With added
	dir  string   // folder that programs run in
	fed  string   // what they read from stdin
	book *book
}

// book is what all views of one yard (In, With) share.
type book struct {
	name   string
	keep   bool // leave the yard
	failed bool // leave it if something went wrong
	err    error
	script strings.Builder
	alone  bool // a script would not play it again
	phases strings.Builder
	base   string // folder of the yard
}

// Run makes a yard, runs one round in it and counts it in tally. It removes the
// yard unless it is to be kept. The error is that of a machine on which no yard can
// be made, or ctx's; a round that broke is a fault in tally.
func Run(ctx context.Context, o Options, name string, round Round, seed uint64, tally *Tally) error {
	y, err := open(ctx, o, name, seed)
	if err != nil {
		return err
	}
	defer y.close()
	y.Tally.Rounds = 1
	err = round(ctx, y, seed)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		err = y.Err()
	}
	if err != nil {
		y.Faultf("%v", err)
	}
	tally.Add(y.Tally)
	return nil
}

func open(ctx context.Context, o Options, name string, seed uint64) (*Yard, error) {
	label := fmt.Sprintf("%s-%d", name, seed)
	base := filepath.Join(o.Dir, label)
	y := &Yard{
		Root: filepath.Join(base, "repo"), Home: filepath.Join(base, "home"),
		Tally: &Tally{}, Rand: rand.New(rand.NewPCG(seed, 1)),
		ctx: ctx, bin: o.Bin, book: &book{name: label, keep: o.Keep, failed: o.Failed, base: base},
	}
	y.dir = y.Root
	y.env = hermetic(y.Home, o)
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.Mkdir(base, 0o755); err != nil {
		return nil, err
	}
	for _, dir := range []string{y.Root, filepath.Join(y.Home, ".config")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	y.Git("init", "-q", "-b", "main")
	if y.Err() != nil {
		y.close()
		return nil, y.Err()
	}
	return y, nil
}

// hermetic is an environment that knows nothing of this machine but its PATH.
func hermetic(home string, o Options) []string {
	path, temp := os.DevNull, o.Dir
	for _, entry := range o.Environ {
		if v, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = v
		}
	}
	return []string{
		"PATH=" + path, "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "TMPDIR=" + temp,
		"OVERTURN_HOME=" + filepath.Join(home, "overturn"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + o.Dir,
		"YARD=" + filepath.Dir(home), "LC_ALL=C", "TZ=UTC", "TERM=dumb", "NO_COLOR=1",
		"GIT_AUTHOR_NAME=User", "GIT_AUTHOR_EMAIL=user@example.invalid", "GIT_COMMITTER_NAME=User", "GIT_COMMITTER_EMAIL=user@example.invalid",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
}

// close removes the yard, or writes down what happened in it.
func (y *Yard) close() {
	base := filepath.Dir(y.Root)
	if !y.book.keep && (!y.book.failed || y.Tally.Passed() && y.Err() == nil) {
		os.RemoveAll(base)
		return
	}
	if !y.book.alone {
		os.WriteFile(filepath.Join(base, "script.sh"), []byte(y.script()), 0o755)
	}
	os.WriteFile(filepath.Join(base, "phases.txt"), []byte(y.book.phases.String()), 0o644)
}

// Unscripted says that what happens here cannot be written down as a script, since
// something else has its hands in it.
func (y *Yard) Unscripted() { y.book.alone = true }

// Err is the first thing that went wrong, or nil.
func (y *Yard) Err() error { return y.book.err }

// Fail keeps err, if it is the first.
func (y *Yard) Fail(err error) {
	if y.book.err == nil {
		y.book.err = err
	}
}

// Faultf says what did not come out as it should, under the round's name.
func (y *Yard) Faultf(format string, args ...any) {
	y.Tally.Faultf("%s: %s", y.book.name, fmt.Sprintf(format, args...))
}

// In is the yard as seen from a folder of the work tree.
func (y *Yard) In(folder string) *Yard {
	c := *y
	c.dir = y.Path(folder)
	return &c
}

// Fed is the yard with input for what runs.
func (y *Yard) Fed(input string) *Yard {
	c := *y
	c.fed = input
	return &c
}

// With is the yard with further variables ("NAME=value").
func (y *Yard) With(entries ...string) *Yard {
	c := *y
	c.env = append(append([]string(nil), y.env...), entries...)
	c.more = append(append([]string(nil), y.more...), entries...)
	return &c
}

// Path is the absolute path of a name in the work tree.
func (y *Yard) Path(name string) string { return filepath.Join(y.Root, filepath.FromSlash(name)) }

// Command is a program that would run in the yard; for what must run beside others.
func (y *Yard) Command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(y.ctx, name, args...)
	cmd.Dir, cmd.Env = y.dir, y.env
	return cmd
}

// Bin is the program under trial, for Command.
func (y *Yard) Bin() string { return y.bin }

// Copy is the yard as it stands, in a place of its own beside it, with the same
// tally; what goes wrong there goes wrong here. It is removed with the yard.
func (y *Yard) Copy(name string) *Yard {
	c := *y
	base := filepath.Join(filepath.Dir(y.Root), name)
	c.Root, c.dir = filepath.Join(base, "repo"), filepath.Join(base, "repo")
	if y.Err() != nil {
		return &c
	}
	if err := os.Mkdir(base, 0o755); err != nil {
		y.Fail(err)
	}
	y.must("cp", "-a", y.Root, c.Root)
	fmt.Fprintf(&y.book.script, "mkdir %s && cp -a %s %s\n", y.place(base), y.place(y.Root), y.place(c.Root))
	return &c
}
