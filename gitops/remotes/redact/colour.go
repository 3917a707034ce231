package redact

// uncoloured is text without the control sequences of terminals (ECMA-48), each replaced.
func uncoloured(text []byte, instead string) view {
	v := view{text: make([]byte, 0, len(text)), at: make([]int32, 0, len(text)+1)}
	for i := 0; i < len(text); {
		size := sequence(text[i:])
		meaning := []byte(instead)
		if size == 0 {
			meaning, size = text[i:i+1], 1
		}
		for _, c := range meaning {
			v.text, v.at = append(v.text, c), append(v.at, int32(i))
		}
		i += size
	}
	v.at = append(v.at, int32(len(text)))
	return v
}

// sequence is how long the control sequence at the start of text is, 0 where none is. One
// without an end is its first byte.
func sequence(text []byte) int {
	switch {
	case text[0] != '\x1b':
		return 0
	case len(text) < 2:
		return 1
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text) && text[i] >= 0x20 && text[i] < 0x7f; i++ {
			if text[i] >= 0x40 {
				return i + 1
			}
		}
		return 1
	case ']':
		for i := 2; i < len(text) && text[i] != '\n'; i++ {
			if text[i] == '\a' {
				return i + 1
			}
			if text[i] == '\x1b' && i+1 < len(text) && text[i+1] == '\\' {
				return i + 2
			}
		}
		return 1
	}
	return 1
}
