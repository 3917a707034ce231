package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// frameRows runs the benchmarks of package ui, which time a frame without a
// terminal, all of them once a round.
func (b *bench) frameRows() error {
	test := filepath.Join(b.dir, "ui.test")
	cmd := exec.Command("go", "test", "-c", "-o", test, "./ui")
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c: %w: %s", err, out)
	}
	times := map[string][]figure{}
	rounds := max(b.rounds/2, 5)
	for range rounds {
		cmd := exec.Command(test, "-test.run", "^$", "-test.bench", "^BenchmarkFrame", "-test.benchtime", "200x")
		cmd.Dir = filepath.Join(b.root, "ui")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("the benchmarks of ui: %w: %s", err, out)
		}
		for _, m := range regexp.MustCompile(`(?m)^BenchmarkFrame(\w+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`).FindAllSubmatch(out, -1) {
			ns, err := strconv.ParseFloat(string(m[2]), 64)
			if err != nil {
				return err
			}
			times[string(m[1])] = append(times[string(m[1])], figure{wall: ns / 1e6})
		}
	}
	long, short, lipgloss, coloured := times["1MLines"], times["1kLines"], times["Lipgloss"], times["Coloured"]
	if len(long) != rounds || len(short) != rounds || len(lipgloss) != rounds || len(coloured) != rounds {
		return fmt.Errorf("the benchmarks of ui have other names now: %v", times)
	}
	b.print("frame over 1,000,000 lines / over 1,000", 1.2, long, short)
	b.print("frame over 1,000,000 lines / lipgloss a line", 0.1, long, lipgloss)
	b.print("frame in the colours of source text / without", 2, coloured, short)
	return nil
}
