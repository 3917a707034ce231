// Command screen opens the review on made-up turns, to look at it while it is
// being built: go run ./docs/dev/screen
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"overturn/ui/quiet"

	"overturn/ui"
	"overturn/ui/uitest"
)

func main() {
	quiet.Restore()
	engine := uitest.Shop()
	if len(os.Args) > 1 && os.Args[1] == "empty" {
		engine = uitest.NewEngine()
	}
	began := time.Now()
	clock := func() time.Time { return uitest.Now().Add(time.Since(began)) }
	err := ui.Run(context.Background(), ui.Options{Engine: engine, Clock: clock, In: os.Stdin, Out: os.Stdout, Getenv: os.Getenv, Theme: os.Getenv("OVERTURN_THEME")})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
