package agents

import (
	"path/filepath"
	"strings"

	"overturn/model"
)

// Place sorts written, as an agent spells paths (absolute, or relative to cwd),
// into those inside root, relative to it, and those outside, absolute and clean.
// A path that leads into git's own folder counts as outside. Links in the
// spelling of root are seen through (/tmp on macOS); duplicates are dropped.
func Place(root, cwd string, written []string) (inside []model.Path, outside []string) {
	seen := map[string]bool{}
	for _, w := range written {
		if w == "" || strings.IndexByte(w, 0) >= 0 {
			continue
		}
		abs := w
		if !filepath.IsAbs(abs) {
			base := cwd
			if base == "" {
				base = root
			}
			abs = filepath.Join(base, abs)
		}
		abs = filepath.Clean(abs)
		if seen[abs] {
			continue
		}
		seen[abs] = true
		if p, ok := below(root, abs); ok {
			inside = append(inside, p)
		} else {
			outside = append(outside, abs)
		}
	}
	return inside, outside
}

func below(root, abs string) (model.Path, bool) {
	if p, ok := relative(root, abs); ok {
		return p, true
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	if p, ok := relative(real, abs); ok {
		return p, true
	}
	return relative(real, realPath(abs))
}

func relative(root, abs string) (model.Path, bool) {
	rel, err := filepath.Rel(root, abs)
	if err != nil {
		return "", false
	}
	p, err := model.ParsePath(filepath.ToSlash(rel))
	return p, err == nil
}

// realPath sees through links in the folders above abs, as far as they exist;
// the last part is kept: it may itself be a link that the agent replaced.
func realPath(abs string) string {
	rest := filepath.Base(abs)
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return abs
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
