package cli

import (
	"context"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/settings"
	"overturn/ui/pager"
)

func newPager(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "pager",
		Short: "Show a patch or another text that comes on standard input",
		Long: `Show a patch or another text that comes on standard input: git diff | overturn pager.
It reads only. Without a terminal on stdout the text is passed on as it is. For git's
own use: git config core.pager "overturn pager".`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.page(cmd.Context()) },
	}
}

func (a *app) page(ctx context.Context) error {
	if isTerminal(a.stdin) {
		return model.Usagef("nothing comes on standard input").WithHint("git diff | overturn pager")
	}
	if !isTerminal(a.stdout) {
		if _, err := io.Copy(a.stdout, a.stdin); err != nil {
			return model.Failf(err, "the text cannot be passed on")
		}
		return nil
	}
	if runtime.GOOS == "windows" {
		return model.Usagef("the pager does not run on this system yet")
	}
	keys, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return model.Failf(err, "no terminal to read keys from").WithHint("less shows the text without one")
	}
	defer keys.Close()
	set, _ := settings.Load("", a.userDir(), a.env.Getenv) // what is broken there does not keep a text from being read
	return pager.Run(ctx, pager.Options{Text: a.stdin, In: keys, Out: a.stdout.(*os.File), Getenv: a.terminalEnv,
		Theme: set.Review.Theme, NoSync: set.Review.Sync == settings.SyncOff, Keys: bound(set)})
}
