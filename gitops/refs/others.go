package refs

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// Others lists the refs of another program that are prefix or lie below it, in order
// of their names, for reading alone: Apply refuses them. A ref that cannot be read
// (an empty file after a crash, a symbolic one, a FIFO) is noted with the reason and
// hides no other. Where there are none it costs a look for a folder and one through
// packed-refs.
func (s *Store) Others(ctx context.Context, prefix string) ([]Ref, []model.RefNote, error) {
	prefix = strings.TrimSuffix(prefix, "/")
	found := map[string]string{}
	if s.repo.RefStorage != "files" {
		err := s.askList(ctx, found, prefix)
		return inOrder(found), nil, err
	}
	loose, broken, err := s.looseOthers(ctx, prefix)
	if err != nil {
		return nil, nil, err
	}
	data, err := s.repo.PackedRefsData()
	if err != nil {
		return nil, nil, err
	}
	lines, err := data.Bytes()
	if err != nil {
		return nil, nil, err
	}
	packedBelow(lines, prefix, found)
	for _, b := range broken { // a file that cannot be read hides the packed value: the newer one is lost
		delete(found, b.Ref)
	}
	for name, oid := range loose {
		found[name] = oid
	}
	return inOrder(found), broken, nil
}

// packedBelow looks for lines of the prefix instead of reading all of the file: it may
// hold 100,000 refs, none of them below it.
func packedBelow(data []byte, prefix string, found map[string]string) {
	for needle := []byte(" " + prefix); ; {
		at := bytes.Index(data, needle)
		if at < 0 {
			return
		}
		begin := bytes.LastIndexByte(data[:at], '\n') + 1
		line, rest, _ := bytes.Cut(data[begin:], []byte{'\n'})
		if oid, name, ok := strings.Cut(string(bytes.TrimSuffix(line, []byte{'\r'})), " "); ok && begin+len(oid) == at && below(name, prefix) {
			found[name] = oid
		}
		data = rest
	}
}

// looseOthers reads the files at and below prefix.
func (s *Store) looseOthers(ctx context.Context, prefix string) (map[string]string, []model.RefNote, error) {
	found, root := map[string]string{}, s.path(prefix)
	var broken []model.RefNote
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := prefix + filepath.ToSlash(strings.TrimPrefix(path, root))
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && d.IsDir(), strings.HasSuffix(name, ".lock"):
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && d != nil && d.IsDir():
			broken = append(broken, model.RefNote{Ref: name, Reason: "its folder cannot be read"})
			return fs.SkipDir
		case err != nil:
			return err
		}
		oid, why := s.otherValue(path)
		if why != "" {
			broken = append(broken, model.RefNote{Ref: name, Reason: why})
		} else if oid != "" {
			found[name] = oid
		}
		return nil
	})
	if err != nil {
		return nil, nil, model.Failf(err, "cannot list refs below %s", prefix)
	}
	return found, broken, nil
}

// longestRef bounds what is read of a file that should hold an object id.
const longestRef = 4096

// otherValue is the object id in a file, or why there is none; neither where the file
// went meanwhile.
func (s *Store) otherValue(path string) (oid, why string) {
	data, err := gitops.ReadUpTo(path, longestRef)
	value := strings.TrimRight(string(data), " \t\r\n")
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", ""
	case err != nil:
		return "", "it cannot be read"
	case value == "":
		return "", "it is empty: its writer was cut short, or it is no ref"
	case strings.HasPrefix(value, "ref:"):
		return "", "it is a symbolic ref"
	case !s.repo.IsOID(value):
		return "", "it does not hold an object id"
	}
	return value, ""
}

func inOrder(found map[string]string) []Ref {
	list := make([]Ref, 0, len(found))
	for name, oid := range found {
		list = append(list, Ref{name, oid})
	}
	slices.SortFunc(list, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	return list
}
