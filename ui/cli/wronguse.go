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
func wrongFlag(cmd *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var odd *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return model.Usagef("%s no flag -%s", has(cmd), unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return model.Usagef("%s no flag --%s", has(cmd), unknown.GetSpecifiedName())
	case errors.As(err, &odd):
		return model.Usagef("%q is no flag", odd.GetSpecifiedFlag())
	case errors.As(err, &bare):
		return model.Usagef("--%s needs a value", bare.GetFlag().Name)
	case errors.As(err, &wrong) && wrong.GetFlag().Value.Type() == "bool":
		return model.Usagef("--%s takes no value, not %q", wrong.GetFlag().Name, wrong.GetValue())
	case errors.As(err, &wrong):
		return model.Usagef("--%s takes a number, not %q", wrong.GetFlag().Name, wrong.GetValue())
	}
	return model.Usagef("%v", err)
}

// has begins what is said of something that a verb, or the program, does not have.
func has(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "there is"
	}
	return cmd.Name() + " has"
}

// noVerb refuses what comes where a verb is looked for.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := model.Usagef("%s no verb %q", has(cmd), args[0])
	if len(args[0]) < 4 { // a few letters are near to everything
		return err
	}
	cmd.SuggestionsMinimumDistance = 2
	near := cmd.SuggestionsFor(args[0])
	for i, name := range near {
		near[i] = cmd.CommandPath() + " " + name
	}
	if len(near) > 0 {
		return err.WithHint("did you mean: %s?", strings.Join(near, ", "))
	}
	return err
}

// newHelp is the verb help: that of the verb that args name.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Help about a verb",
		RunE: func(cmd *cobra.Command, args []string) error {
			verb, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = noVerb(verb, rest)
			}
			if err != nil {
				return model.Usagef("%v", err).WithHint("`%s --help` lists what there is", verb.CommandPath())
			}
			verb.InitDefaultHelpFlag()
			return verb.Help()
		},
	}
}
