package trial

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
)

// Paths is a list of paths as the program prints it: texts, and objects with
// path_b64 for names that are not UTF-8.
type Paths []string

// UnmarshalJSON reads both spellings.
func (p *Paths) UnmarshalJSON(data []byte) error {
	var list []any
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for _, entry := range list {
		if name, ok := entry.(string); ok {
			*p = append(*p, name)
			continue
		}
		object, _ := entry.(map[string]any)
		b64, _ := object["path_b64"].(string)
		raw, err := base64.StdEncoding.DecodeString(b64)
		if err != nil || len(raw) == 0 {
			return fmt.Errorf("%v is no path", entry)
		}
		*p = append(*p, string(raw))
	}
	return nil
}

// Noted is a path with the reason why it was not taken, touched or done.
type Noted struct{ Path, Reason string }

// Plan is overturn.plan/1, as far as a trial reads it.
type Plan struct {
	Fingerprint string
	Targets     []struct{ Path, Op, Method, Owner, Verdict, Reason string }
	Kept        []Noted
}

// Domain is one kind of state that a report names.
type Domain struct {
	Domain  string
	Covered bool
	Note    string
}

// Effect is something that a turn did outside the files.
type Effect struct{ Domain, Summary, Reversible string }

// Result is overturn.rollback/1, as far as a trial reads it.
type Result struct {
	ID, Outcome, Fingerprint, Safety, Undo string
	Verified                               bool
	Restored, Created, Deleted, Merged     Paths
	Kept, Skipped                          []Noted
	Residual                               []Effect
	Domains                                []Domain
}

// Written are all paths that the result says were written.
func (r Result) Written() []string {
	return slices.Concat([]string(r.Restored), []string(r.Created), []string(r.Deleted), []string(r.Merged))
}
