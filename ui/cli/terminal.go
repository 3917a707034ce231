package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"overturn/model"
)

// isTerminal tells whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// interactive tells whether a verb may ask: it shows on stdout and reads stdin.
func (a *app) interactive() bool {
	return !a.json && isTerminal(a.stdin) && isTerminal(a.stdout)
}

// ask prints question on the terminal and tells whether the answer is exactly
// want. Anything else, an empty line and the end of input among it, is no.
func (a *app) ask(question, want string) (bool, error) {
	fmt.Fprintf(a.stderr, "%s ", question)
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, model.Failf(err, "cannot read the answer")
	}
	return strings.TrimSpace(line) == want, nil
}
