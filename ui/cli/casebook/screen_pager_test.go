package casebook_test

import (
	"bytes"
	"testing"

	"overturn/ui/cli/clitest"
	"overturn/ui/uitest/ptytest"
)

// TestPagerOnATerminal: a patch comes through a pipe, keys from the terminal; git takes
// it as its own pager, colours and all; nothing of the content reaches the terminal.
func TestPagerOnATerminal(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.sh("seq 1 300 > long.txt; git add . && git commit -qm long; sed -i 's/^250$/changed \\x1b]0;owned\\x07/; s/^20$/twenty/' long.txt")
	for _, command := range []string{
		"git diff | " + clitest.Bin() + " pager",
		"git -c core.pager='" + clitest.Bin() + " pager' -c color.ui=always diff",
	} {
		s, err := ptytest.Start(ptytest.Options{Dir: b.dir, Width: 80, Height: 24, Env: b.terminalEnv()}, "sh", "-c", command)
		if err != nil {
			t.Fatal(err)
		}
		on := &onScreen{s, b}
		on.wait("a/long.txt b/long.txt", "+twenty", "line 1 of")
		on.press("]]", "changed ^[]0;owned^G")
		on.keys("q")
		if code, err := s.Exit(screenLimit); err != nil || code != 0 {
			t.Errorf("%s: exit %d, %v; the screen is\n%s", command, code, err, s.Text())
		}
		if bytes.Contains(s.Bytes(), []byte("owned\a")) {
			t.Error("the content drove the terminal")
		}
		s.Close()
	}
}
