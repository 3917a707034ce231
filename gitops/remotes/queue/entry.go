package queue

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"overturn/gitops/checkpoint"
)

// Entry is one ref that waits. The maps are by the key of a remote.
type Entry struct {
	Ref    string             `json:"ref"`
	To     []string           `json:"to,omitempty"` // remotes that it waits for; none: all in use
	Sent   map[string]string  `json:"sent,omitempty"`
	Failed map[string]Failure `json:"failed,omitempty"`
}

// Failure is the last push of a ref that did not land.
type Failure struct {
	Reason string    `json:"reason"` // the remote's words, or ours
	At     time.Time `json:"at"`
	Tries  int       `json:"tries"`
}

// waitsFor tells whether value still has to go to a remote.
func (e *Entry) waitsFor(remote, value string) bool {
	return (len(e.To) == 0 || slices.Contains(e.To, remote)) && e.Sent[remote] != value
}

// line is the entry as the file has it.
func (e *Entry) line() ([]byte, error) { return json.Marshal(e) }

// pushable tells whether name is a ref that can be queued: one record, or the branch
// of records.
func pushable(name string) bool {
	if name == checkpoint.BranchRef {
		return true
	}
	_, err := checkpoint.ParseRef(name)
	return err == nil
}

// parsed is a file of the queue: its entries, and whether a rewrite would make it
// shorter or mend it.
type parsed struct {
	entries   []*Entry
	byRef     map[string]*Entry
	redundant bool // a ref had several lines
	damaged   int  // lines that say no ref
}

// parse reads the file. Its last line counts without a newline too: it is whole, or
// it is damaged.
func parse(data []byte) *parsed {
	p := &parsed{byRef: map[string]*Entry{}}
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			p.redundant = true
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil || !pushable(e.Ref) {
			p.damaged++
			continue
		}
		p.add(&e)
	}
	return p
}

// add joins e with what is known of its ref.
func (p *parsed) add(e *Entry) {
	known := p.byRef[e.Ref]
	if known == nil {
		p.byRef[e.Ref] = e
		p.entries = append(p.entries, e)
		return
	}
	p.redundant = true
	known.To = joinedTargets(known.To, e.To)
	for remote, value := range e.Sent {
		if known.Sent == nil {
			known.Sent = map[string]string{}
		}
		known.Sent[remote] = value
	}
	for remote, failure := range e.Failed {
		if known.Failed == nil {
			known.Failed = map[string]Failure{}
		}
		known.Failed[remote] = failure
	}
}

// joinedTargets are the remotes of two lines; none stands for all.
func joinedTargets(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for _, remote := range b {
		if !slices.Contains(a, remote) {
			a = append(a, remote)
		}
	}
	return a
}

// rotate moves entries for which last says so behind the others.
func (p *parsed) rotate(last func(*Entry) bool) {
	var front, back []*Entry
	for _, e := range p.entries {
		if last(e) {
			back = append(back, e)
		} else {
			front = append(front, e)
		}
	}
	p.entries = append(front, back...)
}

// lines is the file that holds the entries.
func (p *parsed) lines() ([]byte, error) {
	var out bytes.Buffer
	for _, e := range p.entries {
		line, err := e.line()
		if err != nil {
			return nil, err
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}
