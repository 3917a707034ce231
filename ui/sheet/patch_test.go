package sheet_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/sheet"
	"overturn/ui/style"
)

// A tab of a line is as wide behind its sign as it is in the file, on all three kinds of
// lines; what is no line of a file begins where it begins.
func TestTabsBeginBehindTheSign(t *testing.T) {
	var s sheet.Sheet
	s.Set(nil, sheet.NewPatch([]byte("--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n \tsame\n-\tgone\n+\tcame\n \n  ab\tcd\n")), nil)
	f := frame.New(40, 8)
	s.Draw(f.All(), style.New(themes.Mono(), termenv.Ascii), false)
	var rows []string
	for y := range f.H {
		row := ""
		for _, part := range f.Parts(y) {
			row += ansi.Strip(string(part.Text))
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	want := []string{" --- a/x", " +++ b/x", " @@ -1,4 +1,4 @@", "      same", " -    gone", " +    came", "", "   ab cd"}
	if got := strings.Join(rows, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the patch is shown as\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
