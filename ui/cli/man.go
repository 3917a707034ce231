package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"overturn/model"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man [VERB…]",
		Short: "Print the manual page of overturn, or of one verb, in roff",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			page, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return model.Usagef("no manual page for %q", strings.Join(args, " ")).WithHint("see overturn --help")
			}
			out := bufio.NewWriter(a.stdout)
			manPage(out, page)
			return flush(out)
		},
	}
}

// manPage writes the page of one verb. cobra's own writer is not used: the
// markdown library behind it compiles its patterns at start-up, which every hook
// would pay for.
func manPage(w *bufio.Writer, cmd *cobra.Command) {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(w, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)), roff(name), roff(cmd.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	if cmd.Long != "" {
		fmt.Fprintf(w, ".SH DESCRIPTION\n%s\n", roff(cmd.Long))
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w, ".SH VERBS")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(sub.Use), roff(sub.Short))
			}
		}
	}
	manFlags(w, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(w, "GENERAL OPTIONS", cmd.InheritedFlags())
	if cmd.HasParent() {
		fmt.Fprintf(w, ".SH EXIT STATUS\n%s\n", roff(exitTable))
	}
}

func manFlags(w *bufio.Writer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(w, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		spelt := "--" + f.Name
		if f.Shorthand != "" {
			spelt = "-" + f.Shorthand + ", " + spelt
		}
		if value != "" {
			spelt += " " + value
		}
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(spelt), roff(usage))
	})
}

// roff escapes what the formatter would take for its own: backslashes, hyphens
// that must stay hyphens, and lines that start with a dot or a quote.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
