package ignore

import "strings"

// Stack holds all rules of a work tree, read folder by folder as names ask for them.
type Stack struct {
	// Outer are the lists from outside the tree, weakest first: core.excludesFile,
	// then info/exclude.
	Outer []Rules
	// Read returns the rules that the folder itself holds; plain as in Parse.
	Read func(dir string) (rules Rules, plain bool)

	folders map[string]folder
}

type folder struct {
	rules   Rules
	plain   bool
	ignored bool
}

// Ignored tells whether git ignores the path; isDir says that a folder stands
// there (a link to one is none). plain is false where git must be asked.
func (s *Stack) Ignored(path string, isDir bool) (ignored, plain bool) {
	up := parent(path)
	at := s.folder(up)
	if !at.plain || at.ignored {
		return at.ignored, at.plain
	}
	for dir := up; ; dir = parent(dir) {
		rules := s.folders[dir].rules
		if ignored, found := rules.last(path, isDir); found {
			return ignored, true
		}
		if dir == "" {
			break
		}
	}
	for i := len(s.Outer) - 1; i >= 0; i-- {
		if ignored, found := s.Outer[i].last(path, isDir); found {
			return ignored, true
		}
	}
	return false, true
}

// folder is what is known of a folder: below one that is ignored nothing is asked
// any more, as git does not descend into it.
func (s *Stack) folder(dir string) folder {
	if known, ok := s.folders[dir]; ok {
		return known
	}
	var f folder
	if f.plain = true; dir != "" {
		f.ignored, f.plain = s.Ignored(dir, true)
	}
	if f.plain && !f.ignored {
		f.rules, f.plain = s.Read(dir)
	}
	if s.folders == nil {
		s.folders = map[string]folder{}
	}
	s.folders[dir] = f
	return f
}

func parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }
