package outgoing

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"overturn/model/durable"
)

// cacheHeader begins the cache; a file with another one is none.
const cacheHeader = "overturn.outgoing/1"

// cacheLimit is how many commits are remembered, of about 100 bytes each. Over it only
// those that this run used stay.
const cacheLimit = 1 << 17

// someRemote stands for the rules of what rests on commits of a remote.
const someRemote = "remote"

// entry is what a commit became, under which rules.
type entry struct {
	out, rules string
	used       bool
}

// cache is the file that remembers commits: a line each of commit, result and rules. What
// a commit became under other rules is kept too: a remote may have that.
type cache struct {
	entries map[string][]entry
	lines   int
	dirty   bool
}

// readCache reads what it can: a line that is damaged is a commit that is not known.
func readCache(file string) *cache {
	c := &cache{entries: map[string][]entry{}}
	if file == "" {
		return c
	}
	data, err := durable.ReadFile(file)
	if err != nil {
		return c
	}
	header, lines, _ := strings.Cut(string(data), "\n")
	if header != cacheHeader {
		return c
	}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 3 && len(words[0]) == len(words[1]) && strings.HasSuffix(line, "\n") {
			c.add(words[0], entry{out: words[1], rules: words[2]})
		}
	}
	c.dirty = false
	return c
}

// find is what oid became by an entry that is wanted, "" where there is none.
func (c *cache) find(oid string, wanted func(entry) bool) string {
	list := c.entries[oid]
	for i, e := range list {
		if wanted(e) {
			list[i].used = true
			return e.out
		}
	}
	return ""
}

// add adds an entry, in the place of one of the same rules; each remote has its own.
func (c *cache) add(oid string, e entry) {
	list := c.entries[oid]
	at := slices.IndexFunc(list, func(old entry) bool {
		return old.rules == e.rules && (e.rules != someRemote || old.out == e.out)
	})
	switch {
	case at < 0:
		c.entries[oid] = append(list, e)
		c.lines++
	case list[at].out != e.out:
		list[at] = e
	default:
		return
	}
	c.dirty = true
}

// save writes what was added, whole. Of two processes the later one is remembered, or
// neither: it holds no lock, and what is not remembered is worked out again.
func (c *cache) save(file string) {
	if !c.dirty || file == "" {
		return
	}
	var out bytes.Buffer
	out.WriteString(cacheHeader + "\n")
	for _, oid := range slices.Sorted(maps.Keys(c.entries)) {
		for _, e := range c.entries[oid] {
			if e.used || c.lines <= cacheLimit {
				fmt.Fprintf(&out, "%s %s %s\n", oid, e.out, e.rules)
			}
		}
	}
	durable.SweepTemps(file)
	c.dirty = durable.ReplaceFile(file, out.Bytes(), 0o600) != nil
}
