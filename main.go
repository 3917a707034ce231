// Command overturn is a terminal review for work done by coding agents: it
// records each turn of an agent as a hidden git snapshot, shows what changed,
// and takes back exactly the paths and hunks that the developer does not want.
package main

import (
	"os"

	"overturn/ui/cli"
	"overturn/ui/quiet"
)

func main() {
	quiet.Restore()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
