package cli

import (
	"bytes"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"overturn/model"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man [VERB]",
		Short: "Print the manual page of overturn, or of one verb, in roff",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			page, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return model.Usagef("no manual page for %q", args).WithHint("see overturn --help")
			}
			// A fixed date keeps the page the same on every machine.
			date := time.Unix(0, 0).UTC()
			var roff bytes.Buffer
			if err := doc.GenMan(page, &doc.GenManHeader{Title: "OVERTURN", Section: "1", Date: &date}, &roff); err != nil {
				return model.Failf(err, "cannot write the manual page")
			}
			_, err = roff.WriteTo(a.stdout)
			return err
		},
	}
}
