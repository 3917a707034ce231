package model

import (
	"slices"
	"strings"
)

// Advice is what to think of before turns with such effects are taken back, "" for
// nothing: what was published, migrated or sent stays as it is when the files go back,
// and the two may then no longer fit each other.
func Advice(effects []Effect) string {
	var domains []string
	for _, e := range effects {
		stays := e.Reversible == ReversibleNo || e.Domain == DomainDatabases && e.Reversible != ReversibleYes
		if name := string(e.Domain); stays && !slices.Contains(domains, name) {
			domains = append(domains, name)
		}
	}
	if len(domains) == 0 {
		return ""
	}
	return "what was done to " + strings.Join(domains, ", ") + " stays: a forward correction (new changes on top) may be safer than taking the files back"
}
