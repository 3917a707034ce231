// Package cli holds the verbs of the command line.
package cli

import "io"

// Main runs one command line and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int { return 0 }
