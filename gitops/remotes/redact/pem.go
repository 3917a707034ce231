package redact

import "bytes"

// privateKeys adds the private keys in PEM, with their frames (RFC 7468), those of
// OpenSSH and PGP too. One whose end or beginning was cut off goes as far as its lines
// look like a key's; numbers and signs in front of the lines do not hide it.
func privateKeys(spans []span, text []byte) []span {
	for at := 0; ; {
		frame, ok := nextFrame(text, at)
		if !ok {
			return spans
		}
		at = frame.end
		if !frame.opens {
			spans = append(spans, span{start: bodyBefore(text, frame.start), end: frame.end, rule: ruleKey, rank: rankNamed})
			continue
		}
		if last, ok := nextFrame(text, frame.end); ok && !last.opens && last.start-frame.end < keySize {
			at = last.end
		} else {
			at = bodyAfter(text, frame.end)
		}
		spans = append(spans, span{start: frame.start, end: at, rule: ruleKey, rank: rankNamed})
	}
}

// keySize is more than any private key takes, in bytes.
const keySize = 64 << 10

// frame is the first or the last line of a private key, without what stands around it.
type frame struct {
	start, end int
	opens      bool
}

func nextFrame(text []byte, at int) (frame, bool) {
	for {
		n := bytes.Index(text[at:], []byte("-----"))
		if n < 0 {
			return frame{}, false
		}
		f := frame{start: at + n}
		rest := text[f.start+5:]
		f.opens = bytes.HasPrefix(rest, []byte("BEGIN "))
		if closes := bytes.Index(rest[:min(len(rest), 100)], []byte("-----")); closes > 0 && (f.opens || bytes.HasPrefix(rest, []byte("END "))) {
			if label := rest[:closes]; bytes.Contains(label, []byte("PRIVATE KEY")) && bytes.IndexByte(label, '\n') < 0 {
				f.end = f.start + 5 + closes + 5
				return f, true
			}
		}
		at = f.start + 5
	}
}

// bodyAfter is the end of the lines behind a key's first that look like its body.
func bodyAfter(text []byte, at int) int {
	if end := lineEnd(text, at); longestCode(text[at:end]) >= bodyRun {
		at = end
	}
	for start := lineEnd(text, at) + 1; start < len(text); {
		end := lineEnd(text, start)
		line := text[start:end]
		if longestCode(line) < bodyRun && len(bytes.TrimSpace(line)) > 0 && !bytes.Contains(line, []byte(": ")) {
			break
		}
		if longestCode(line) >= bodyRun {
			at = end
		}
		start = end + 1
	}
	return at
}

// bodyBefore is the start of the lines before a key's last that look like its body.
func bodyBefore(text []byte, at int) int {
	start := lineStart(text, at)
	if longestCode(text[start:at]) >= bodyRun {
		at = start
	}
	for last := true; start > 0; last = false {
		end := start - 1
		start = lineStart(text, end)
		switch {
		case longestCode(text[start:end]) >= bodyRun:
			at = start
		case !last: // the last line of a body may be short, the others are not
			return at
		}
	}
	return at
}

// bodyRun is how many of base64's letters in a row a line of a key has, but its last.
const bodyRun = 32

func longestCode(line []byte) int {
	longest, run := 0, 0
	for _, c := range line {
		if isCode(c) || c == '=' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
