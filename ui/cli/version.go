package cli

import (
	"bufio"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			version, commit := buildVersion()
			wire := struct {
				Version string `json:"version"`
				Commit  string `json:"commit"`
			}{version, commit}
			return a.emit("overturn.version/1", wire, func(w *bufio.Writer) {
				fmt.Fprintf(w, "overturn %s", version)
				if commit != "" {
					fmt.Fprintf(w, " (%s)", commit)
				}
				w.WriteByte('\n')
			})
		},
	}
}

// buildVersion reads what the Go tool stamped into the binary.
func buildVersion() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", ""
	}
	version = info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			commit = setting.Value
		}
	}
	return version, commit
}
