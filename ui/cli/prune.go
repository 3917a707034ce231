package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/settings"
	"overturn/rollback/prune"
)

func newCheckpointPrune(a *app) *cobra.Command {
	var rule model.PruneRule
	var older string
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Let go of old turns and rollbacks, and give their space back",
		Long: `Lets go of the snapshots and records of turns that are both older than
--older-than and not among the newest --keep of their thread, and of rollbacks
likewise. One of the two alone decides alone; without both, the settings
retention.older_than (90d) and retention.keep decide. The turns stay listed.

What is staged, an interrupted rollback, an open turn, the newest turn of a
work tree, and what undo and redo would take next always stay; a turn that nobody
has looked at stays for retention.unreviewed (7d) after its end.

The space of what nothing needs any more is left to git's gc, two weeks later
or, with --now, the next time it runs.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			keepNamed, olderNamed := cmd.Flags().Changed("keep"), cmd.Flags().Changed("older-than")
			if keepNamed && rule.Keep < 1 {
				return model.Usagef("--keep takes a number from 1 on")
			}
			if olderNamed {
				var err error
				if rule.OlderThan, err = settings.ParseAge(older); err != nil || rule.OlderThan == 0 {
					return model.Usagef("--older-than takes an age above nothing, not %q", older).WithHint("30d, 4w and 36h are ages")
				}
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			retention := e.settings.Retention
			if rule.Term = retention.Unreviewed; !keepNamed && !olderNamed {
				rule.Keep, rule.OlderThan = retention.Keep, retention.OlderThan
			}
			if rule.Keep == 0 && rule.OlderThan == 0 {
				return model.Usagef("nothing says what may go").WithHint("name --keep or --older-than, or set retention.older_than")
			}
			done, err := prune.Run(cmd.Context(), prune.Deps{
				Repo: e.repo, Objects: e.objects, Refs: e.refs, Records: e.records, Ledger: e.ledger, Clock: a.env.Clock,
			}, rule)
			if err != nil {
				return err
			}
			return a.emit("overturn.prune/1", done, func(w *bufio.Writer) { a.pruneLines(w, done) })
		},
	}
	cmd.Flags().IntVar(&rule.Keep, "keep", 0, "keep the newest `N` turns of each thread, and rollbacks of each work tree")
	cmd.Flags().StringVar(&older, "older-than", "", "take only what is older than `D` (30d, 4w, 36h)")
	cmd.Flags().BoolVar(&rule.DryRun, "dry-run", false, "tell what would go, and change nothing")
	cmd.Flags().BoolVar(&rule.Now, "now", false, "leave the space to the next git gc, not to one in two weeks")
	return cmd
}

// pruneLines tells what went, and what stays by its reasons.
func (a *app) pruneLines(w *bufio.Writer, p *model.Pruned) {
	verb := "removed"
	if p.DryRun {
		verb = "would be removed"
	}
	for _, ref := range p.Removed {
		fmt.Fprintf(w, "%s %s\n", verb, safe(ref))
	}
	for _, file := range p.Files {
		fmt.Fprintf(w, "%s %s\n", verb, safe(file))
	}
	counts := map[string]int{}
	for _, k := range p.Kept {
		counts[k.Reason]++
	}
	reasons := make([]string, 0, len(counts))
	for reason := range counts {
		reasons = append(reasons, reason)
	}
	slices.SortFunc(reasons, func(x, y string) int {
		if counts[x] != counts[y] {
			return counts[y] - counts[x]
		}
		return strings.Compare(x, y)
	})
	for _, reason := range reasons {
		each := ""
		if counts[reason] > 1 {
			each = ", each"
		}
		fmt.Fprintf(w, "kept %s%s because %s\n", count(counts[reason], "ref"), each, safe(reason))
	}
	fmt.Fprintf(w, "%s %s, %d kept\n", count(len(p.Removed), "ref"), verb, len(p.Kept))
	if p.Before > 0 {
		fmt.Fprintf(w, "snapshots take %s, before %s\n", bytesText(p.After), bytesText(p.Before))
	}
	if p.Until != nil {
		fmt.Fprintf(w, "git gc may take the rest from %s on; --now lets it at once\n", p.Until.Format(time.DateOnly))
	}
}

// bytesText is a number of bytes in the unit that suits it.
func bytesText(n int64) string {
	unit, units := float64(n), []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for ; unit >= 1024 && i < len(units)-1; i++ {
		unit /= 1024
	}
	if i == 0 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f %s", unit, units[i])
}
