package highlight_test

import (
	"os/exec"
	"strings"
	"testing"
)

// What is linked is paid for at every start, a hook's too. Chroma's own collection
// of lexers parses hundreds of files then, and its styles and formatters have no
// use here.
func TestOnlyTheCoreIsLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "overturn").Output()
	if err != nil {
		t.Fatal(err)
	}
	core := false
	for _, name := range strings.Fields(string(out)) {
		core = core || name == "github.com/alecthomas/chroma/v2"
		if strings.HasPrefix(name, "github.com/alecthomas/chroma/v2/") {
			t.Errorf("%s is linked", name)
		}
	}
	if !core {
		t.Errorf("chroma is not linked at all: this test looks at the wrong program")
	}
}
