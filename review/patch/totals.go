package patch

import "bytes"

// Totals counts the lines that a patch of our own puts in and takes out, without
// keeping any: of a large plan the rows that Parse makes weigh more than the patch.
// Where the patch breaks off, what came before counts.
func Totals(patch []byte) (added, removed int) {
	p := parser{rest: patch}
	for p.next() {
		if !bytes.HasPrefix(p.line, []byte("@@ ")) {
			continue
		}
		h, ok := parseHeader(string(p.line))
		if !ok {
			return added, removed
		}
		err := p.rows(h, func(l PatchLine) {
			switch l.Kind {
			case '+':
				added++
			case '-':
				removed++
			}
		})
		if err != nil {
			return added, removed
		}
	}
	return added, removed
}
