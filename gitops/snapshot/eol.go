package snapshot

import "bytes"

// conversion is what git does to a file between work tree and object store.
type conversion uint8

const (
	convUnasked conversion = iota
	convNone               // the bytes as they are
	convIdle               // as they are; but a filter is named that is not set up now
	convText               // CRLF to LF
	convAuto               // convText, where the content is text
	convGit                // filter, ident or encoding: git itself must do it
	convGitAuto            // convGit, and convAuto after that
)

func (v conversion) converts() bool { return v > convIdle }
func (v conversion) byGit() bool    { return v == convGit || v == convGitAuto }

// textStats counts what git's convert.c (gather_stats) counts.
type textStats struct {
	nul, lonecr, lonelf, crlf int
	printable, nonprintable   int
}

func gather(b []byte) textStats {
	var s textStats
	for i := 0; i < len(b); i++ {
		switch ch := b[i]; {
		case ch == '\r' && i+1 < len(b) && b[i+1] == '\n':
			s.crlf++
			i++
		case ch == '\r':
			s.lonecr++
		case ch == '\n':
			s.lonelf++
		case ch == 127:
			s.nonprintable++
		case ch >= 32, ch == '\b', ch == '\t', ch == '\033', ch == '\014':
			s.printable++
		default:
			if ch == 0 {
				s.nul++
			}
			s.nonprintable++
		}
	}
	if len(b) > 0 && b[len(b)-1] == '\032' {
		s.nonprintable--
	}
	return s
}

// binary is convert.c's convert_is_binary.
func (s textStats) binary() bool {
	return s.lonecr > 0 || s.nul > 0 || s.printable>>7 < s.nonprintable
}

// cleanEOL is what git add would store for the bytes on disk (convert.c,
// crlf_to_git). indexed gives what the index holds at the path; it is asked only
// where it matters: text that is found to be text, and was stored with CRLF,
// keeps it.
func (v conversion) cleanEOL(data []byte, indexed func() []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	s := gather(data)
	if s.crlf == 0 {
		return data
	}
	if v == convAuto {
		if s.binary() {
			return data
		}
		if storedCRLF(indexed()) {
			return data
		}
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// storedCRLF is convert.c's has_crlf_in_index.
func storedCRLF(blob []byte) bool {
	if bytes.IndexByte(blob, '\r') < 0 {
		return false
	}
	s := gather(blob)
	return !s.binary() && s.crlf > 0
}
