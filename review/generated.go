package review

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/remarks"
)

// generatedAttribute is how a project says itself which files nobody writes by hand.
const generatedAttribute = "linguist-generated"

// Folded says why nobody reads f line by line, or "": what the project's attributes
// say holds; else its name, else a generator's note at the top of its text, as it is
// or, where it is gone, as it was.
func (e *Engine) Folded(ctx context.Context, f *File, old, now []byte) (string, error) {
	switch value, err := e.attribute(ctx, f.Path); {
	case err != nil:
		return "", err
	case value == "set", value == "true":
		return remarks.Generated + ", by " + generatedAttribute, nil
	case value == "unset", value == "false":
		return "", nil
	}
	if why := remarks.ByName(f.Path); why != "" {
		return why, nil
	}
	if f.New.Kind == model.KindAbsent {
		now = old
	}
	return remarks.ByHeader(now), nil
}

// attribute asks git for generatedAttribute of a path, where a file that git reads
// attributes from names it at all: mostly there is none, and no git is run.
func (e *Engine) attribute(ctx context.Context, p model.Path) (string, error) {
	if !e.namesAttribute(p) {
		return "unspecified", nil
	}
	out, err := e.deps.Repo.GitInput(ctx, append([]byte(p), 0), "check-attr", "--stdin", "-z", generatedAttribute)
	if err != nil {
		return "", model.Failf(err, "cannot ask git for attributes")
	}
	if fields := bytes.Split(out, []byte{0}); len(fields) >= 3 {
		return string(fields[2]), nil
	}
	return "unspecified", nil
}

func (e *Engine) namesAttribute(p model.Path) bool {
	files := []string{filepath.Join(e.deps.Repo.CommonDir, "info", "attributes")}
	if users, ok := e.deps.Repo.Config("core.attributesfile"); ok && filepath.IsAbs(users) {
		files = append(files, users)
	}
	for dir := string(p); dir != "."; {
		dir = path.Dir(dir)
		files = append(files, filepath.Join(e.deps.Repo.Root, filepath.FromSlash(dir), ".gitattributes"))
	}
	for _, file := range files {
		if text, err := gitops.ReadFile(file); err == nil && strings.Contains(string(text), generatedAttribute) {
			return true
		}
	}
	return false
}

// Texts is the bytes of f on both sides, for those who only look for something in
// them. Both are read at once: what is packed has to be inflated.
func (e *Engine) Texts(ctx context.Context, cs *ChangeSet, f *File) (old, now []byte, err error) {
	var before error
	var wait sync.WaitGroup
	wait.Go(func() { old, before = e.text(ctx, cs, f, BaseSide) })
	now, err = e.text(ctx, cs, f, TargetSide)
	wait.Wait()
	if before != nil {
		err = before
	}
	if err != nil {
		return nil, nil, err
	}
	return old, now, nil
}
