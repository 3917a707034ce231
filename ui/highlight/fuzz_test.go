package highlight_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"overturn/ui/highlight"
	"overturn/ui/view"
)

// Whatever stands in a file of whatever name, its runs lie within its lines.
func FuzzColour(f *testing.F) {
	for _, seed := range []struct{ name, text string }{
		{"a.go", "package a // \xff\r\n`é\x00二`\n"}, {"a.md", "---\na: b\n---\n```go\nx\n```\n\n- *a* `b`\n"},
		{"a.php", "<p><?php echo <<<A\nx\nA;\n?></p>"}, {"a.html", "<script>a<b</script><style>p{}</style>"},
		{"Dockerfile", "FROM a\nRUN [\"x\", 1]\n"}, {"a.vim", "python << E\nx\nE\n"}, {"run", "#!/bin/sh\necho \"$(x\n"},
		{"a.py", "f'{a!r:>{b}}'\n\"\"\"\n"}, {"a.rb", "<<~A\n#{x}\nA\n"}, {"a.tsx", "<A b={c}>{`${d}`}</A>"},
		{"a.yaml", "a: |\n  b\n- &c *d\n"}, {"a.toml", "[[a]]\n\"b\" = '''\n"}, {"a.json", "{\"a\": [1e9, \"\\u00e9"},
	} {
		f.Add(seed.name, seed.text)
	}
	h := highlight.New()
	f.Fuzz(func(t *testing.T, name, s string) {
		l := text(strings.Split(s, "\n"))
		doc := document(name, l, l)
		doc.File.Key = ""
		j, _ := h.Begin(doc)
		if j == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		c, _, err := j.Step(ctx)
		if err != nil {
			t.Logf("%s: %v", name, err) // a lexer that gives up is no harm
		}
		for _, side := range []view.Coloured{c.Old, c.New} {
			sound(t, side, l)
		}
	})
}
