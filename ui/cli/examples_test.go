package cli

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// exampleWord is a word of a command line, quoted or not.
var exampleWord = regexp.MustCompile(`'[^']*'|\S+`)

// TestExamples: the help of every verb that takes something shows how it is called, and
// what it shows is a call of that verb that its flags allow.
func TestExamples(t *testing.T) {
	newTree := func() *cobra.Command { return newRoot(newApp(strings.NewReader(""), io.Discard, io.Discard)) }
	for words, lines := range examples {
		for line := range strings.Lines(lines) {
			_, call, ok := strings.Cut(line, "overturn ")
			call, _, _ = strings.Cut(call, " | ")
			args := exampleWord.FindAllString(strings.TrimSuffix(strings.TrimSpace(call), ")"), -1)
			cmd, rest, err := newTree().Find(args)
			if !ok || err != nil || cmd.CommandPath() != "overturn "+words {
				t.Errorf("%q is not a call of %q: %v", line, words, err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
	var each func(*cobra.Command)
	takes := regexp.MustCompile(`[A-Z]{2}|\bN\b`)
	each = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			each(sub)
		}
		if !cmd.Hidden && !cmd.HasSubCommands() && cmd.Name() != "help" && takes.MatchString(cmd.Use) && !cmd.HasExample() {
			t.Errorf("%q shows no example", cmd.CommandPath())
		}
	}
	each(newTree())
}
