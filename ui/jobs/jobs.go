// Package jobs runs what takes time beside the event loop. Each job has a key:
// a new one of the same key cancels the one before and makes its answer late.
//
// Invariants: Start, Accept and Cancel are called by the loop alone; a job gets a
// context and shares no state with the loop; a late answer is never accepted; a
// panic in a job becomes an error of that job. A crash leaves nothing behind.
package jobs

import (
	"context"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
)

// Answer is the message that a job ends with, a Done or a Progress.
type Answer interface{ ticket() Ticket }

// Ticket tells which start of which job a message belongs to.
type Ticket struct {
	Key string
	Gen uint64
}

func (t Ticket) ticket() Ticket { return t }

// Done is how a job ended.
type Done[T any] struct {
	Ticket
	Value T
	Err   error
}

// Progress is how far a job has come.
type Progress struct {
	Ticket
	Done, Of int
}

// Group is the jobs of one program.
type Group struct {
	ctx     context.Context
	send    func(tea.Msg)
	gen     uint64
	running map[string]running
	whole   sync.WaitGroup // jobs that are not left in the middle
}

type running struct {
	gen    uint64
	cancel context.CancelFunc
}

// New makes a group whose jobs end with ctx. Send delivers progress.
func New(ctx context.Context, send func(tea.Msg)) *Group {
	return &Group{ctx: ctx, send: send, running: map[string]running{}}
}

// Report tells how far a job has come.
type Report func(done, of int)

// Start makes the command that runs f as the job named key. An earlier job of
// that key is cancelled.
func Start[T any](g *Group, key string, f func(context.Context, Report) (T, error)) tea.Cmd {
	return start(g, key, func() func() { return func() {} }, f)
}

// StartWhole is Start for a job that must come to its end, if only to put back what it
// did: Wait waits for it.
func StartWhole[T any](g *Group, key string, f func(context.Context, Report) (T, error)) tea.Cmd {
	return start(g, key, func() func() { g.whole.Add(1); return g.whole.Done }, f)
}

// Wait waits for the jobs of StartWhole that have begun.
func (g *Group) Wait() { g.whole.Wait() }

func start[T any](g *Group, key string, begin func() (end func()), f func(context.Context, Report) (T, error)) tea.Cmd {
	g.Cancel(key)
	g.gen++
	ctx, cancel := context.WithCancel(g.ctx)
	g.running[key] = running{g.gen, cancel}
	ticket, send := Ticket{key, g.gen}, g.send
	report := func(done, of int) {
		if send != nil && ctx.Err() == nil {
			send(Progress{ticket, done, of})
		}
	}
	return func() (msg tea.Msg) {
		defer begin()()
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				err := model.Errorf(model.CodeFailed, "a defect in overturn ended the job %q: %v", key, r)
				msg = Done[T]{Ticket: ticket, Err: err.WithHint("please report it with this trace: %s", debug.Stack())}
			}
		}()
		value, err := f(ctx, report)
		return Done[T]{ticket, value, err}
	}
}

// Accept tells whether an answer is wanted still, and closes its job when it is
// the last one.
func (g *Group) Accept(a Answer) bool {
	t := a.ticket()
	r, ok := g.running[t.Key]
	if !ok || r.gen != t.Gen {
		return false
	}
	if _, more := a.(Progress); !more {
		delete(g.running, t.Key)
	}
	return true
}

// Running tells whether a job of that key is under way.
func (g *Group) Running(key string) bool {
	_, ok := g.running[key]
	return ok
}

// Interrupt asks the job of that key to end early. Its answer is wanted all the same: it
// tells what the job has put back.
func (g *Group) Interrupt(key string) {
	if r, ok := g.running[key]; ok {
		r.cancel()
	}
}

// Cancel ends the job of that key; its answer will be late.
func (g *Group) Cancel(key string) {
	if r, ok := g.running[key]; ok {
		r.cancel()
		delete(g.running, key)
	}
}
