package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
)

// A capture that had only so much time and failed will most likely fail again, and
// whoever waits for a hook would pay the whole price at every event. So failures in
// a row are counted, and from the second on captures with no more time than that
// wait. Captures without a deadline, as of a verb by hand, never do.
const (
	tryingName   = ".capture.json"
	costly       = 100 * time.Millisecond // what fails sooner is no burden, and is tried every time
	enoughFailed = 2
	firstPause   = 5 * time.Minute // doubles with each failure that follows
	longestPause = time.Hour
	maxReason    = 1 << 10 // bytes
)

// trying is .capture.json: the captures in a row that failed and cost time. It is
// there only after a failure. One that is torn or lost costs a try.
type trying struct {
	Failed int           `json:"failed"`
	At     time.Time     `json:"at"`  // when the last of them ended
	Had    time.Duration `json:"had"` // the time that it was given, in ns
	Reason string        `json:"reason"`
	Cause  string        `json:"cause"` // the settings that decide what is captured, and how
}

func (l *Ledger) tryingPath() string {
	return filepath.Join(ledgerDir(l.d.Repo.StateDir()), tryingName)
}

// trying is the zero value where the last capture succeeded.
func (l *Ledger) trying() trying {
	var t trying
	data, err := gitops.ReadFile(l.tryingPath())
	if err != nil || json.Unmarshal(data, &t) != nil {
		return trying{}
	}
	return t
}

// until is when captures are tried again.
func (t trying) until() time.Time {
	pause := firstPause
	for n := enoughFailed; n < t.Failed && pause < longestPause; n++ {
		pause *= 2
	}
	return t.At.Add(min(pause, longestPause))
}

// paused tells whether a capture is not tried now. A clock that was set back must
// not make it wait for long.
func (l *Ledger) paused(t trying) bool {
	now := l.d.Clock()
	return t.Failed >= enoughFailed && !now.Before(t.At) && now.Before(t.until()) && t.Cause == l.captureCause()
}

// captureCause changes with the files that decide what a capture has to do: a user
// who mends one of them need not wait.
func (l *Ledger) captureCause() string {
	r := l.d.Repo
	var cause string
	for _, path := range []string{
		filepath.Join(r.CommonDir, "config"), filepath.Join(r.CommonDir, "info", "exclude"), filepath.Join(r.CommonDir, "info", "attributes"),
		filepath.Join(r.Root, ".gitignore"), filepath.Join(r.Root, ".gitattributes"),
		filepath.Join(r.Root, ".overturn", "settings.json"), filepath.Join(r.Root, ".overturn", "settings.local.json"),
	} {
		cause += stamp(path) + " "
	}
	return cause
}

// attempt is a capture that is under way.
type attempt struct {
	l     *Ledger
	had   time.Duration // 0: as long as it takes
	began time.Time
	prior trying
	once  sync.Once
}

// attempt begins a capture. The error says that it is not tried, and why.
func (l *Ledger) attempt(ctx context.Context) (*attempt, error) {
	a := &attempt{l: l, prior: l.trying(), began: time.Now()}
	if deadline, ok := ctx.Deadline(); ok {
		a.had = time.Until(deadline)
		// Half as much again may be all that was missing; the same time is not.
		if a.had < a.prior.Had*3/2 && l.paused(a.prior) {
			return nil, a.prior.refusal()
		}
	}
	l.capturing.Store(a)
	return a, nil
}

func (t trying) refusal() error {
	return model.Errorf(model.CodeFailed, "not tried: %d captures in a row failed (%s); hooks try again after %s, or when git's or overturn's settings change here; `overturn turn start` tries at once",
		t.Failed, t.Reason, t.until().UTC().Format(time.RFC3339))
}

// done notes how the capture went, the first time that it is told. What cannot be
// noted costs the next one time, nothing else.
func (a *attempt) done(err error) {
	a.once.Do(func() {
		switch {
		case err == nil && a.prior.Failed > 0:
			durable.Point("ledger.attempt.remove")
			_ = os.Remove(a.l.tryingPath())
		case err != nil && a.had > 0 && time.Since(a.began) >= costly && !errors.Is(err, context.Canceled):
			_ = writeJSON(a.l.tryingPath(), trying{
				Failed: a.prior.Failed + 1, At: a.l.d.Clock().UTC(), Had: a.had,
				Reason: shorten(err.Error(), maxReason), Cause: a.l.captureCause(),
			}, false)
		}
	})
}

// CaptureTrouble says why hooks do not capture at present; nil where they do.
func (l *Ledger) CaptureTrouble() error {
	if t := l.trying(); l.paused(t) {
		return t.refusal()
	}
	return nil
}
