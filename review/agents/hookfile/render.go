package hookfile

import (
	"encoding/json"
	"strconv"
	"strings"
)

// pair is one member of an object that is to be rendered, in order.
type pair struct {
	key   string
	value any // string, int, []pair, []any
}

// render lays v out below a line that is indented by indent.
func render(v any, st style, indent string) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case int:
		return strconv.Itoa(v)
	case []pair:
		parts := make([]string, len(v))
		for i, p := range v {
			parts[i] = quote(p.key) + ": " + render(p.value, st, indent+st.unit)
		}
		return bracket("{", "}", parts, st, indent)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = render(item, st, indent+st.unit)
		}
		return bracket("[", "]", parts, st, indent)
	}
	return "null"
}

func bracket(open, closing string, parts []string, st style, indent string) string {
	if st.compact {
		return open + strings.Join(parts, ", ") + closing
	}
	inner := st.newline + indent + st.unit
	return open + inner + strings.Join(parts, ","+inner) + st.newline + indent + closing
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
