package sheet

import (
	"bytes"
	"strconv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
)

// Patch is a patch by its lines.
type Patch struct {
	text  []byte
	ends  []uint32 // where each line ends, its line feed included
	roles []uint8  // of each line
}

// NewPatch indexes a patch of at most 4 GiB.
func NewPatch(text []byte) *Patch {
	p := &Patch{text: text}
	old, now := 0, 0 // lines that the hunk still holds
	for from := 0; from < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
			end = from + i + 1
		}
		line := text[from:end]
		role := themes.Muted
		switch {
		case old > 0 || now > 0:
			role = body(line[0], &old, &now)
		case bytes.HasPrefix(line, []byte("@@ ")):
			role = themes.Hunk
			old, now = counts(line)
		case bytes.HasPrefix(line, []byte("diff ")):
			role = themes.Strong
		}
		p.ends, p.roles = append(p.ends, uint32(end)), append(p.roles, uint8(role))
		from = end
	}
	return p
}

func body(sign byte, old, now *int) themes.Role {
	switch sign {
	case '-':
		*old--
		return themes.Del
	case '+':
		*now--
		return themes.Add
	case '\\':
		return themes.Muted
	}
	*old--
	*now--
	return themes.Text
}

// counts reads the numbers of lines from a hunk's header.
func counts(line []byte) (old, now int) {
	fields := bytes.Fields(line)
	if len(fields) < 3 {
		return 0, 0
	}
	count := func(f []byte) int {
		if _, n, ok := bytes.Cut(f, []byte(",")); ok {
			v, _ := strconv.Atoi(string(n))
			return v
		}
		return 1
	}
	return count(fields[1]), count(fields[2])
}

// Len is the number of lines.
func (p *Patch) Len() int { return len(p.ends) }

// Line is line i without its line feed.
func (p *Patch) Line(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return bytes.TrimSuffix(p.text[from:p.ends[i]], []byte("\n"))
}

// signed tells whether lines of a role are lines of a file behind their sign.
func signed(r themes.Role) bool { return r == themes.Add || r == themes.Del || r == themes.Text }

func (p *Patch) draw(out *frame.Row, st *style.Table, i int, g style.Ground, left int) {
	role := themes.Role(p.roles[i])
	if role == themes.Hunk && g == style.Plain {
		g = style.OnHunk
	}
	base := st.On(role, g)
	out.Text(base, " ")
	text := p.Line(i)
	if len(text) > 0 && signed(role) { // the sign is none of the file's columns: its tabs begin behind it
		out.Text(base, string(text[:1]))
		text = text[1:]
	}
	out.Content(frame.Content{Text: text, Left: left, Width: out.Room(), Tab: 4,
		Base: base, Mark: st.On(themes.Escape, g), Over: st.On(themes.Overflow, g)})
	out.End(base)
}
