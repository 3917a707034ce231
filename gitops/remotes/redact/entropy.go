package redact

import (
	"bytes"
	"math"
)

// The shape of what looks drawn by lot.
const (
	chanceLength = 24   // bytes: shorter ones are names far more often
	chanceShare  = 0.86 // of the entropy that its length allows. Drawn from 62 letters: 0.90 and more
	wordShare    = 0.5  // of bytes in words, over which it is a name or a path
	blobLength   = 1 << 10
	blobEntropy  = 3 // bits a byte; a ruler drawn with dashes has less
)

// entropy is Shannon's, in bits a byte (C. E. Shannon, 1948).
func entropy(b []byte) float64 {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(b))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// chances adds the runs of base64's letters that are blobs, and, where chance is wanted,
// those that look drawn by lot.
func (r *Redactor) chances(spans []span, text []byte, chance bool) []span {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && isCode(text[i]) {
			i++
		}
		if i-start < chanceLength {
			continue
		}
		end := i
		for i < len(text) && text[i] == '=' {
			i++ // padding
		}
		run := text[start:end]
		switch {
		case end-start >= blobLength && chance && entropy(run) > blobEntropy:
			spans = r.chanced(spans, text, span{start: start, end: i, rule: ruleBlob, rank: rankEntropy})
		case end-start < blobLength && chance && byLot(run) && !isPublic(text, start, end):
			spans = r.chanced(spans, text, span{start: start, end: i, rule: ruleEntropy, rank: rankEntropy})
		}
	}
	return spans
}

// chanced adds s unless the user said that such a thing stays.
func (r *Redactor) chanced(spans []span, text []byte, s span) []span {
	for _, re := range r.allow {
		if re.Match(text[s.start:s.end]) {
			return spans
		}
	}
	return append(spans, s)
}

func isCode(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '-' }

// byLot says whether run looks drawn by lot: letters of both cases and digits, as much
// entropy as its length allows, and no words in it. Digests and ids in hexadecimal are
// of one case.
func byLot(run []byte) bool {
	var lower, upper, digits bool
	for _, c := range run {
		lower = lower || 'a' <= c && c <= 'z'
		upper = upper || 'A' <= c && c <= 'Z'
		digits = digits || '0' <= c && c <= '9'
	}
	if !lower || !upper || !digits {
		return false
	}
	if inOrder(run) {
		return false
	}
	most := math.Log2(math.Min(float64(len(run)), 62))
	return entropy(run) >= chanceShare*most && float64(wordBytes(run)) < wordShare*float64(len(run))
}

// inOrder says whether half of the bytes follow the one before them, as in an alphabet.
func inOrder(run []byte) bool {
	n := 0
	for i := 1; i < len(run); i++ {
		if run[i] == run[i-1]+1 {
			n++
		}
	}
	return 2*n > len(run)
}

// wordBytes counts the bytes of run in words: four letters and more of one case, or
// with a capital before them.
func wordBytes(run []byte) int {
	words := 0
	for i := 0; i < len(run); {
		start := i
		if 'A' <= run[i] && run[i] <= 'Z' {
			i++
		}
		for i < len(run) && 'a' <= run[i] && run[i] <= 'z' {
			i++
		}
		if i-start >= 4 {
			words += i - start
		}
		if i == start {
			i++
		}
	}
	return words
}

// isPublic knows what looks drawn by lot and is for everybody to see: digests of package
// managers and of git, public keys of ssh, the ids by which a transcript of an agent ties
// a tool's result to its call.
func isPublic(text []byte, start, end int) bool {
	run := text[start:end]
	for _, prefix := range [...]string{"AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "sha1-", "sha256-", "sha384-", "sha512-"} {
		if bytes.HasPrefix(run, []byte(prefix)) {
			return true
		}
	}
	for _, prefix := range [...]string{"toolu_", "msg_", "req_", "call_", "chatcmpl-", "resp_", "fc_", "rs_", "ses_", "prt_", "refs/overturn/", "refs/heads/overturn/"} {
		if bytes.HasPrefix(run, []byte(prefix)) {
			return true
		}
	}
	before := text[max(0, start-7):start]
	return bytes.HasSuffix(before, []byte("SHA256:")) || bytes.HasSuffix(before, []byte(" h1:")) || bytes.HasSuffix(before, []byte("\"h1:"))
}
