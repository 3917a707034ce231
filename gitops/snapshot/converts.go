package snapshot

import (
	"bytes"
	"context"

	"overturn/model"
)

// Converts tells for each path whether git would convert it between work tree
// and object store (line endings, filter, ident, encoding). The paths need not
// exist.
func (e *Engine) Converts(ctx context.Context, paths []model.Path) (map[model.Path]bool, error) {
	out := make(map[model.Path]bool, len(paths))
	if len(paths) == 0 {
		return out, nil
	}
	c := &capture{e: e, ctx: ctx, t: newTable()}
	var in bytes.Buffer
	for _, path := range paths {
		in.WriteString(string(path))
		in.WriteByte(0)
	}
	answers, err := c.askAttrs(in.Bytes(), len(paths))
	if err != nil {
		return nil, err
	}
	for i, path := range paths {
		out[path] = answers[i].converts()
	}
	return out, nil
}
