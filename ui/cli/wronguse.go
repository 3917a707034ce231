package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"overturn/model"
)

// What is wrong with a command line is said in our own words.

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return model.Usagef("%s takes no argument, not %q", cmd.Name(), args[0])
	}
	return nil
}

func oneAtMost(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return model.Usagef("%s takes one argument, not %d", cmd.Name(), len(args))
	}
	return nil
}

func exactlyOne(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return model.Usagef("%s needs an argument", cmd.Name())
	}
	return oneAtMost(cmd, args)
}

// oneOf refuses flags that exclude each other.
func oneOf(flags *pflag.FlagSet, names ...string) error {
	given := slices.DeleteFunc(names, func(name string) bool { return !flags.Changed(name) })
	if len(given) > 1 {
		return model.Usagef("--%s exclude each other", strings.Join(given, " and --"))
	}
	return nil
}

// wrongFlag is an error of the command line's parser.
func wrongFlag(_ *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return model.Usagef("%v", err)
	}
	what := "a number"
	if wrong.GetFlag().Value.Type() == "bool" {
		what = "no value"
	}
	return model.Usagef("--%s takes %s, not %q", wrong.GetFlag().Name, what, wrong.GetValue())
}
