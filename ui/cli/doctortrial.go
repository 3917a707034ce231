package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/doctor"
	"overturn/ui/cli/trial"
)

// trialRun is what the flags of a trial say.
type trialRun struct {
	on      bool
	seeds   int
	minutes float64
	keep    string
}

// defaultSeeds is how many rounds of each kind a trial plays (of races whole yards) when
// nothing else is said: every row of the matrix twice; a minute or so in all.
const defaultSeeds = 26

func (t *trialRun) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&t.on, "trial", false, "prove it here: play matrix, races and crashes in disposable repositories")
	flags.IntVar(&t.seeds, "seeds", defaultSeeds, "with --trial, play `N` rounds of each kind (of races as many, rounded up to the next 25)")
	flags.Float64Var(&t.minutes, "minutes", 0, "with --trial, go on with further seeds for `M` minutes")
	flags.StringVar(&t.keep, "keep", "", "with --trial, leave the repositories and hashes, and scripts of matrix and crashes, in `DIR` (of the further rounds that --minutes plays, those that failed)")
}

func (t *trialRun) check(given func(string) bool) error {
	for _, name := range []string{"seeds", "minutes", "keep"} {
		if given(name) && !t.on {
			return model.Usagef("--%s goes with --trial", name)
		}
	}
	switch {
	case t.seeds < 1:
		return model.Usagef("--seeds must be at least 1")
	case t.minutes < 0:
		return model.Usagef("--minutes must not be negative")
	}
	return nil
}

// trial plays rounds and prints what was measured. Anything protected that changed,
// and anything else that did not come out as it should, is exit code 1.
func (a *app) trial(ctx context.Context, t trialRun) error {
	o, done, err := a.trialOptions(ctx, t)
	if err != nil {
		return err
	}
	defer done()
	began := a.env.Clock()
	var findings []doctor.Finding
	var all trial.Tally
	for _, kind := range trial.Kinds() {
		tally, err := a.play(ctx, t, o, kind)
		if err != nil {
			return err
		}
		all.Add(tally)
		findings = append(findings, trialFinding(kind.Name, tally))
	}
	m := measure(&all, a.env.Clock().Sub(began), t.keep)
	if err := a.emitFindings(findings, m); err != nil {
		return err
	}
	if !all.Passed() {
		return model.Errorf(model.CodeFailed, "the trial failed: %s", count(len(all.Faults), "fault")).
			WithHint("do not roll back here; overturn doctor --trial --keep DIR leaves what a bug report needs")
	}
	return nil
}

// trialOptions makes the folder that the trial is played in: the one that is to be
// kept, else one in the state folder, and so on the file system of the repository;
// where there is no repository, one for temporary files.
func (a *app) trialOptions(ctx context.Context, t trialRun) (o trial.Options, done func(), err error) {
	o = trial.Options{Environ: a.env.Environ}
	if o.Bin, err = os.Executable(); err != nil {
		return o, nil, model.Failf(err, "cannot tell which program this is")
	}
	if t.keep != "" {
		o.Dir, err = filepath.Abs(t.keep)
		if err == nil {
			err = emptyFolder(o.Dir)
		}
		return o, func() {}, err
	}
	parent := os.TempDir()
	if repo, err := gitops.Find(ctx, a.dir, a.env); err == nil && repo.EnsureStateDir() == nil {
		parent = repo.StateDir()
	}
	o.Dir, err = os.MkdirTemp(parent, "trial-")
	if err != nil {
		return o, nil, model.Failf(err, "cannot make a folder for the trial").WithHint("name one with --keep DIR")
	}
	return o, func() {
		durable.Point("cli.trialoptions.remove")
		os.RemoveAll(o.Dir)
	}, nil
}

// emptyFolder makes a folder, or takes one that is empty: nothing of the user's is
// ever written among.
func emptyFolder(dir string) error {
	durable.Point("cli.emptyfolder.mkdir")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return model.Failf(err, "cannot make %s", dir)
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return model.Usagef("%s is not empty", dir).WithHint("name a folder that is not there yet")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return model.Failf(err, "cannot read %s", dir)
	}
	return nil
}

// play plays the rounds of one kind: as many as there are seeds, and then further ones
// for its part of the minutes.
func (a *app) play(ctx context.Context, t trialRun, o trial.Options, kind trial.Kind) (*trial.Tally, error) {
	var tally trial.Tally
	share := time.Duration(t.minutes * float64(time.Minute) / float64(len(trial.Kinds())))
	until := a.env.Clock().Add(share)
	each := max(1, kind.Each)
	seeds := (t.seeds + each - 1) / each
	for seed := 0; seed < seeds || a.env.Clock().Before(until); seed++ {
		o.Keep, o.Failed = t.keep != "" && seed < seeds, t.keep != ""
		if err := trial.Run(ctx, o, kind.Name, kind.Round, uint64(seed), &tally); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, model.Failf(err, "the trial cannot be played in %s", o.Dir)
		}
		if isTerminal(a.stderr) {
			fmt.Fprintf(a.stderr, "\r%s: %s", kind.Name, count((seed+1)*each, "round"))
		}
	}
	if isTerminal(a.stderr) {
		fmt.Fprint(a.stderr, "\r\x1b[K")
	}
	tally.Rounds *= each
	return &tally, nil
}

// trialFinding is one kind of rounds as a check.
func trialFinding(name string, tally *trial.Tally) doctor.Finding {
	f := doctor.Finding{Check: "trial " + name, OK: tally.Passed(), Detail: count(tally.Rounds, "round")}
	if !f.OK {
		f.Detail += fmt.Sprintf(", %s, the first: %s", count(len(tally.Faults), "fault"), oneLine(firstOf(tally.Faults), 300))
		f.Repair = "do not roll back on this file system; say in a bug report what it is, with the folder that --keep leaves"
	}
	return f
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return "a count that is not whole"
	}
	return list[0]
}

// measures are the seven measures as they are printed.
type measures struct {
	Rounds    int         `json:"rounds"`
	Survival  trial.Count `json:"protected_state_survival"`
	Recovery  trial.Count `json:"owned_state_recovery"`
	Stale     trial.Count `json:"stale_review_rejection"`
	Overreach trial.Count `json:"target_overreach"` // good: paths written that lie outside the targets
	MedianMS  float64     `json:"time_to_recover_median_ms"`
	MaxMS     float64     `json:"time_to_recover_max_ms"`
	Recovered int         `json:"recoveries_timed"`
	Residual  trial.Count `json:"residual_effects_reported"`
	Trace     trial.Count `json:"trace_completeness"`
	Faults    []string    `json:"faults"`
	Seconds   float64     `json:"seconds"`
	Kept      string      `json:"kept"`
}

func measure(t *trial.Tally, took time.Duration, kept string) *measures {
	median, most := t.Times()
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return &measures{
		Rounds: t.Rounds, Survival: t.Survival, Recovery: t.Recovery, Stale: t.Stale,
		Overreach: trial.Count{Good: t.Overreach.Of - t.Overreach.Good, Of: t.Overreach.Of},
		MedianMS:  ms(median), MaxMS: ms(most), Recovered: len(t.Took), Residual: t.Residual, Trace: t.Trace,
		Faults: model.NotNil(t.Faults), Seconds: took.Seconds(), Kept: kept,
	}
}

func (m *measures) text(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s in %.0f s\n", count(m.Rounds, "round"), m.Seconds)
	line := func(name string, c trial.Count, what string) {
		fmt.Fprintf(w, "%-26s %d of %d %s\n", name, c.Good, c.Of, what)
	}
	line("protected-state survival", m.Survival, "things of the user's that were looked at are as they were")
	line("owned-state recovery", m.Recovery, "targets are as they were asked to be")
	line("stale-review rejection", m.Stale, "confirmations of a review that was overtaken were rejected")
	line("target overreach", m.Overreach, "paths that were written are no targets")
	fmt.Fprintf(w, "%-26s median %.1f ms, at most %.1f ms, of %d\n", "time to recover", m.MedianMS, m.MaxMS, m.Recovered)
	line("residual effects reported", m.Residual, "effects that could not be taken back were named")
	line("trace completeness", m.Trace, "events that had to be recorded were")
	for i, f := range m.Faults {
		if i == 20 {
			fmt.Fprintf(w, "and %s more (--json has all)\n", count(len(m.Faults)-i, "fault"))
			break
		}
		fmt.Fprintf(w, "fault: %s\n", safe(f))
	}
	if m.Kept != "" {
		fmt.Fprintf(w, "kept in %s: each repository with phases.txt (hashes), and of matrix and crashes script.sh (plays the round again)\n", safe(m.Kept))
	}
}
