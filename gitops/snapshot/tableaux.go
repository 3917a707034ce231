package snapshot

import (
	"encoding/binary"

	"overturn/model"
)

// aux is what the table keeps beside its records.
type aux struct {
	Index      []int64 // stamp of the index file
	IndexTree  string
	IndexLoose bool // IndexTree is held by no snapshot yet
	Unmerged   []Unmerged
	Staged     []model.Noted
	StagedMore int
	HeadCommit string
	HeadTree   string
	Ignore     string // stamps of the ignore files outside the tree
	Program    string // the git that package ignore agreed with
	Attrs      attrState
	RawSum     []byte // of what RawTree lists
	RawTree    string // as the anchor holds it
	Root       string
}

// visit names every field once, for writing and for reading.
func (a *aux) visit(c *auxCoder) {
	auxList(c, &a.Index, func(n *int64) { c.number(n) })
	c.text(&a.IndexTree)
	c.flag(&a.IndexLoose)
	auxList(c, &a.Unmerged, func(u *Unmerged) {
		path, stage, mode := string(u.Path), int64(u.Stage), int64(u.Mode)
		c.text(&path)
		c.number(&stage)
		c.number(&mode)
		c.text(&u.OID)
		u.Path, u.Stage, u.Mode = model.Path(path), int(stage), uint32(mode)
	})
	auxList(c, &a.Staged, func(n *model.Noted) {
		path := string(n.Path)
		c.text(&path)
		c.text(&n.Reason)
		n.Path = model.Path(path)
	})
	more := int64(a.StagedMore)
	c.number(&more)
	a.StagedMore = int(more)
	c.text(&a.HeadCommit)
	c.text(&a.HeadTree)
	c.text(&a.Ignore)
	c.text(&a.Program)
	c.text(&a.Attrs.Sources)
	c.flag(&a.Attrs.Active)
	auxList(c, &a.Attrs.Filters, c.text)
	c.text(&a.Attrs.Drivers)
	sum := string(a.RawSum)
	c.text(&sum)
	if a.RawSum = []byte(sum); sum == "" {
		a.RawSum = nil
	}
	c.text(&a.RawTree)
	c.text(&a.Root)
}

func (a *aux) encode() []byte {
	c := auxCoder{b: make([]byte, 0, 1<<10)}
	a.visit(&c)
	return c.b
}

// decodeAux reads what encode wrote, and nothing beside it.
func decodeAux(b []byte) (aux, bool) {
	var a aux
	c := auxCoder{b: b, reads: true}
	a.visit(&c)
	return a, !c.bad && len(c.b) == 0
}

// auxCoder appends fields to b, or reads them off it: numbers as varints, texts
// and lists behind their length.
type auxCoder struct {
	b          []byte
	reads, bad bool
}

func (c *auxCoder) number(n *int64) {
	if !c.reads {
		c.b = binary.AppendVarint(c.b, *n)
		return
	}
	v, size := binary.Varint(c.b)
	if size <= 0 {
		c.b, c.bad, v, size = nil, true, 0, 0
	}
	*n, c.b = v, c.b[size:]
}

func (c *auxCoder) flag(v *bool) {
	n := int64(0)
	if *v {
		n = 1
	}
	c.number(&n)
	*v = n == 1
}

func (c *auxCoder) text(s *string) {
	n := int64(len(*s))
	c.number(&n)
	if !c.reads {
		c.b = append(c.b, *s...)
		return
	}
	if n < 0 || n > int64(len(c.b)) {
		c.b, c.bad, n = nil, true, 0
	}
	*s, c.b = string(c.b[:n]), c.b[n:]
}

func auxList[T any](c *auxCoder, list *[]T, each func(*T)) {
	n := int64(len(*list))
	c.number(&n)
	if c.reads {
		if n < 0 || n > int64(len(c.b)) { // an item is a byte at least
			c.b, c.bad, n = nil, true, 0
		}
		*list = nil
		if n > 0 {
			*list = make([]T, n)
		}
	}
	for i := range *list {
		each(&(*list)[i])
	}
}
