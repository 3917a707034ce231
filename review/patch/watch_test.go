package patch

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"
)

var errNobodyWaits = errors.New("nobody waits")

// counting is a context that counts how often it is looked at, and ends at a look.
type counting struct {
	context.Context
	looks, endAt int
	cancel       context.CancelCauseFunc
}

func newCounting(t *testing.T, endAt int) *counting {
	ctx, cancel := context.WithCancelCause(t.Context())
	return &counting{Context: ctx, endAt: endAt, cancel: cancel}
}

func (c *counting) Err() error {
	if c.looks++; c.looks == c.endAt {
		c.cancel(errNobodyWaits)
	}
	return c.Context.Err()
}

// scattered is two texts of n lines each that share lines but no order: what takes
// longest to be compared.
func scattered(n int) (old, new []byte) {
	r := rand.New(rand.NewSource(8))
	var a, b strings.Builder
	for range n {
		fmt.Fprintf(&a, "%d\n", r.Intn(n/20))
		fmt.Fprintf(&b, " %d\n", r.Intn(n/20))
	}
	return []byte(a.String()), []byte(strings.ReplaceAll(b.String(), " ", ""))
}

// A comparison that nobody waits for any more ends at its next look, wherever in the
// work that is, and there is nothing of it; the looks lie no further apart than
// lookEvery allows.
func TestAComparisonEndsWithItsContext(t *testing.T) {
	much, muchNew := bigPair(200000, 0.5)
	odd, oddNew := scattered(20000)
	half := func(ctx context.Context, old, new []byte) (any, error) {
		h, err := Prepare(ctx, old)
		if err != nil {
			return h, err
		}
		return h.WithNew(ctx, new, Options{})
	}
	for name, c := range map[string]struct {
		old, new []byte
		atLeast  int // looks of the whole work
		run      func(ctx context.Context, old, new []byte) (any, error)
	}{
		"much changed": {much, muchNew, 400000 / lookEvery, func(ctx context.Context, old, new []byte) (any, error) {
			return CompareContext(ctx, old, new, Options{})
		}},
		"scattered": {odd, oddNew, 200, func(ctx context.Context, old, new []byte) (any, error) {
			return CompareContext(ctx, old, new, Options{})
		}},
		"half": {much, muchNew, 400000 / lookEvery, half},
		"edits": {odd, oddNew, 200, func(ctx context.Context, old, new []byte) (any, error) {
			edits, err := EditsContext(ctx, old, new)
			return edits, err
		}},
		"white space": {odd, oddNew, 200, func(ctx context.Context, old, new []byte) (any, error) {
			return CompareContext(ctx, old, new, Options{IgnoreSpace: true})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			all := newCounting(t, 0)
			if _, err := c.run(all, c.old, c.new); err != nil || all.looks < c.atLeast {
				t.Fatalf("the whole work looks %d times (%v), want %d at least", all.looks, err, c.atLeast)
			}
			for _, at := range []int{1, 2, all.looks / 4, all.looks / 2, all.looks} {
				ctx := newCounting(t, at)
				got, err := c.run(ctx, c.old, c.new)
				if !errors.Is(err, errNobodyWaits) || !reflect.ValueOf(got).IsNil() {
					t.Errorf("ended at look %d of %d: %v, error %v", at, all.looks, got != nil, err)
				}
				if ctx.looks > at+1 { // the cause is asked for
					t.Errorf("ended at look %d of %d, it looked %d times", at, all.looks, ctx.looks)
				}
			}
		})
	}
}

// Between two looks no more is done than lookEvery steps and one round of a search.
func TestLooksLieClose(t *testing.T) {
	w := watching(t.Context())
	for range lookEvery - 1 {
		if w.over(1); w.left == lookEvery {
			t.Fatal("it looked before lookEvery steps")
		}
	}
	if w.over(1); w.left != lookEvery {
		t.Errorf("after lookEvery steps %d are left: it did not look", w.left)
	}
}

// Who gives up on white space leaves nothing half done to those who ask after it.
func TestWhiteSpaceLeftHalfDoneIsDoneAnew(t *testing.T) {
	old, new := scattered(20000)
	new = append([]byte("  "), new...)
	want := Compare(old, new, Options{IgnoreSpace: true})
	d := Compare(old, new, Options{})
	for _, at := range []int{1, 3, 9, 40} {
		if half, err := d.AsContext(newCounting(t, at), Options{IgnoreSpace: true}); half != nil || !errors.Is(err, errNobodyWaits) {
			t.Fatalf("ended at look %d: a difference %t, error %v", at, half != nil, err)
		}
	}
	if got := d.As(Options{IgnoreSpace: true}); !reflect.DeepEqual(got.Hunks, want.Hunks) || got.HiddenSpace != want.HiddenSpace {
		t.Errorf("%d hunks, want %d", len(got.Hunks), len(want.Hunks))
	}
}

// Who waits for white space that another goroutine is at need not wait for it.
func TestWaitingForWhiteSpaceEnds(t *testing.T) {
	d := Compare([]byte("a\nb\n"), []byte("a\n b\n"), Options{})
	d.spaced.turn <- struct{}{} // another goroutine's
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(time.Millisecond, func() { cancel(errNobodyWaits) })
	if got, err := d.AsContext(ctx, Options{IgnoreSpace: true}); got != nil || !errors.Is(err, errNobodyWaits) {
		t.Errorf("a difference %t, error %v", got != nil, err)
	}
	d.spaced.leave()
	if got := d.As(Options{IgnoreSpace: true}); len(got.Hunks) != 0 || got.HiddenSpace != 1 {
		t.Errorf("%d hunks, %d hidden", len(got.Hunks), got.HiddenSpace)
	}
}
