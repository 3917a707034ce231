package objects

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

var errCommit = errors.New("the commit cannot be parsed")

// parseCommit reads the header and the message. Unknown headers, and the lines
// that continue them (signatures), are passed over.
func parseCommit(data []byte) (Commit, error) {
	var c Commit
	head, message, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		head = bytes.TrimSuffix(data, []byte{'\n'})
	}
	c.Message = string(message)
	for _, line := range strings.Split(string(head), "\n") {
		key, value, _ := strings.Cut(line, " ")
		var err error
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author, err = parseSignature(value)
		case "committer":
			c.Committer, err = parseSignature(value)
		}
		if err != nil {
			return Commit{}, err
		}
	}
	if c.Tree == "" {
		return Commit{}, errCommit
	}
	return c, nil
}

// parseSignature reads "Name <email> seconds zone"; a broken date is the year 1970.
func parseSignature(s string) (Signature, error) {
	open, end := strings.IndexByte(s, '<'), strings.LastIndexByte(s, '>')
	if open < 0 || end < open {
		return Signature{}, errCommit
	}
	sig := Signature{Name: strings.TrimSpace(s[:open]), Email: s[open+1 : end], When: time.Unix(0, 0).UTC()}
	words := strings.Fields(s[end+1:])
	if len(words) != 2 {
		return sig, nil
	}
	seconds, err1 := strconv.ParseInt(words[0], 10, 64)
	zone, err2 := strconv.Atoi(words[1])
	if err1 == nil && err2 == nil {
		offset := (zone/100*60 + zone%100) * 60
		sig.When = time.Unix(seconds, 0).UTC()
		if offset != 0 {
			sig.When = sig.When.In(time.FixedZone("", offset))
		}
	}
	return sig, nil
}

// encodeCommit is the inverse: the same commit gives the same bytes everywhere.
func encodeCommit(c Commit) []byte {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "tree %s\n", c.Tree)
	for _, parent := range c.Parents {
		fmt.Fprintf(&buf, "parent %s\n", parent)
	}
	fmt.Fprintf(&buf, "author %s\ncommitter %s\n\n", c.Author.encode(), c.Committer.encode())
	buf.WriteString(c.Message)
	return buf.Bytes()
}

// encode leaves out what would end the line or a part of it; git refuses times
// before 1970, which become 1970.
func (s Signature) encode() string {
	clean := strings.NewReplacer("<", "", ">", "", "\n", "", "\x00", "")
	_, offset := s.When.Zone()
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return fmt.Sprintf("%s <%s> %d %c%02d%02d", clean.Replace(s.Name), clean.Replace(s.Email), max(s.When.Unix(), 0), sign, offset/3600, offset/60%60)
}
