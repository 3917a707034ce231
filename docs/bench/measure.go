package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"sort"
	"time"
)

// contender is one program of a round.
type contender struct {
	name string
	// before makes what the program needs; it is not measured.
	before func(round int) error
	run    func() *exec.Cmd
	// measure is for what is more than one program from start to end.
	measure func() (figure, error)
	// last is the number of rounds that it takes part in, 0 for all of them.
	last int
}

// figure is what one run took, in milliseconds. cpu is what the process and its
// children used, user and system: it stands when the machine is busy.
type figure struct{ wall, cpu float64 }

// clockGrain is the pause before every round, so that times of files differ by
// more than a tick of the file system's clock, as they do between turns.
const clockGrain = 60 * time.Millisecond

// race runs all contenders once a round, each after its own preparation, and
// returns their figures by round. The order turns from round to round, so that
// none always comes after the same other.
func race(rounds int, list []contender) ([][]figure, error) {
	out := make([][]figure, len(list))
	for i := range out {
		out[i] = make([]figure, rounds)
	}
	for round := range rounds {
		for k := range list {
			i := (k + round) % len(list)
			c := list[i]
			if c.last > 0 && round >= c.last {
				continue
			}
			if c.before != nil {
				if err := c.before(round); err != nil {
					return nil, fmt.Errorf("%s: %w", c.name, err)
				}
				time.Sleep(clockGrain)
			}
			measure := c.measure
			if measure == nil {
				measure = func() (figure, error) { return timed(c.run()) }
			}
			f, err := measure()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			out[i][round] = f
		}
	}
	return out, nil
}

func timed(cmd *exec.Cmd) (figure, error) {
	var words bytes.Buffer
	cmd.Stderr = &words
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return figure{}, fmt.Errorf("%w: %s", err, words.Bytes())
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return figure{wall: ms(wall), cpu: ms(used)}, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// spread is a median between its quartiles.
type spread struct{ low, mid, high float64 }

func spreadOf(list []float64) spread {
	if len(list) == 0 {
		return spread{}
	}
	sort.Float64s(list)
	at := func(q float64) float64 { return list[int(q*float64(len(list)-1)+0.5)] }
	return spread{at(0.25), at(0.5), at(0.75)}
}

func (s spread) String() string {
	if s.mid == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.mid, s.low, s.high)
}

// over is the ratio of a's figures to b's, round by round.
func over(a, b []figure, of func(figure) float64) spread {
	var list []float64
	for i := range a {
		if x, y := of(a[i]), of(b[i]); x > 0 && y > 0 {
			list = append(list, x/y)
		}
	}
	return spreadOf(list)
}

func wall(f figure) float64 { return f.wall }
func cpu(f figure) float64  { return f.cpu }

// median of one contender's figures.
func median(a []figure, of func(figure) float64) float64 {
	var list []float64
	for _, f := range a {
		if f.wall > 0 {
			list = append(list, of(f))
		}
	}
	return spreadOf(list).mid
}
