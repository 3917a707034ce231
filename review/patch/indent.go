package patch

import "cmp"

// The indent heuristic of `git diff`: where a group can stand in several places,
// take the one that splits the text best by its indentation and blank lines. The
// method and its weights are Michael Haggerty's, fitted to human ratings
// (github.com/mhagger/diff-slider-tools).
const (
	maxIndent  = 200 // columns beyond which indentation makes no difference
	maxBlanks  = 20  // blank lines looked at in a row
	maxSliding = 100 // lines that a group is moved by this

	weightIndent     = 60
	weightBlank      = -30 // each blank line around the split
	weightBlankAfter = 6   // each of them after it

	penaltyFileStart     = 1
	penaltyFileEnd       = 21
	penaltyIndent        = -4 // indented more than the line before
	penaltyIndentBlank   = 10 // the same, with blank lines
	penaltyOutdent       = 24 // less than the line before and the one after
	penaltyOutdentBlank  = 17
	penaltyDedent        = 23 // less than the line before only
	penaltyDedentBlank   = 17
	onlyWhiteSpace       = -1
	indentWidthOfTabStop = 8
)

// split is what surrounds the border before a line.
type split struct {
	fileEnd                bool
	indent                 int // of the line, or onlyWhiteSpace
	blanksBefore, blanks   int
	indentBefore, indentAt int // of the nearest lines with text before and after
}

// score is how bad a split is.
type score struct{ indent, penalty int }

func (s score) compare(t score) int {
	return weightIndent*cmp.Compare(s.indent, t.indent) + s.penalty - t.penalty
}

// bestEnd is the end, from earliest to g.end, at which the group of the given size
// splits the text best; the later of equals.
func bestEnd(g *group, size, earliest int) int {
	best, at := score{}, -1
	for end := max(earliest, g.end-size-1, g.end-maxSliding); end <= g.end; end++ {
		var s score
		s.add(splitAt(g.side.text, end))
		s.add(splitAt(g.side.text, end-size))
		if at < 0 || s.compare(best) <= 0 {
			best, at = s, end
		}
	}
	return at
}

func splitAt(t Text, line int) split {
	s := split{indent: onlyWhiteSpace, fileEnd: line >= t.Lines()}
	if !s.fileEnd {
		s.indent = indentOf(t.raw(line))
	}
	s.indentBefore, s.blanksBefore = nearestText(t, line-1, -1)
	s.indentAt, s.blanks = nearestText(t, line+1, 1)
	return s
}

// nearestText walks over blank lines to the indentation of one with text.
func nearestText(t Text, line, step int) (indent, blanks int) {
	for ; line >= 0 && line < t.Lines(); line += step {
		if indent := indentOf(t.raw(line)); indent != onlyWhiteSpace {
			return indent, blanks
		}
		if blanks++; blanks == maxBlanks {
			return 0, blanks
		}
	}
	return onlyWhiteSpace, blanks
}

func indentOf(line []byte) int {
	indent := 0
	for _, c := range line {
		switch {
		case c == ' ':
			indent++
		case c == '\t':
			indent += indentWidthOfTabStop - indent%indentWidthOfTabStop
		case !isSpace(c):
			return indent
		}
		if indent >= maxIndent {
			return maxIndent
		}
	}
	return onlyWhiteSpace
}

func (s *score) add(x split) {
	if x.indentBefore == onlyWhiteSpace && x.blanksBefore == 0 {
		s.penalty += penaltyFileStart
	}
	if x.fileEnd {
		s.penalty += penaltyFileEnd
	}
	after, indent := 0, x.indent
	if indent == onlyWhiteSpace {
		after, indent = 1+x.blanks, x.indentAt
	}
	blanks := x.blanksBefore + after
	s.penalty += weightBlank*blanks + weightBlankAfter*after
	s.indent += indent
	if indent != onlyWhiteSpace && x.indentBefore != onlyWhiteSpace {
		s.penalty += relativePenalty(indent, x, blanks > 0)
	}
}

func relativePenalty(indent int, x split, blank bool) int {
	pick := func(without, with int) int {
		if blank {
			return with
		}
		return without
	}
	switch {
	case indent > x.indentBefore:
		return pick(penaltyIndent, penaltyIndentBlank)
	case indent == x.indentBefore:
		return 0
	case x.indentAt > indent:
		return pick(penaltyOutdent, penaltyOutdentBlank)
	default:
		return pick(penaltyDedent, penaltyDedentBlank)
	}
}
