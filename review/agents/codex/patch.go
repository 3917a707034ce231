package codex

import "strings"

// maxPatchPaths bounds what one patch may name.
const maxPatchPaths = 10_000

// PatchPaths lists the paths that a patch in Codex's own format adds, updates,
// deletes or moves, in order, each once. Lines of content start with a blank, +,
// - or @, so a header is told by its first column. Text outside the patch, and a
// patch that is cut short, are read as far as they go.
func PatchPaths(text string) []string {
	var list []string
	seen := map[string]bool{}
	inside := false
	for len(text) > 0 && len(list) < maxPatchPaths {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimRight(line, "\r")
		switch strings.TrimSpace(line) {
		case "*** Begin Patch":
			inside = true
			continue
		case "*** End Patch":
			inside = false
			continue
		}
		if p := header(line); inside && p != "" && !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}

func header(line string) string {
	rest, ok := strings.CutPrefix(line, "*** ")
	if !ok {
		return ""
	}
	verb, path, ok := strings.Cut(rest, ": ")
	if !ok {
		return ""
	}
	switch verb {
	case "Add File", "Update File", "Delete File", "Move to":
		return strings.TrimSpace(path)
	}
	return ""
}
