package model

import "fmt"

// Distinct is a list of effects to be read: those of the same words come once, where the
// first of them stood, with how often they are there.
func Distinct(effects []Effect) []Effect {
	var list []Effect
	times := map[Effect]int{}
	plain := func(e Effect) Effect {
		return Effect{Domain: e.Domain, Summary: e.Summary, Reversible: e.Reversible, Compensation: e.Compensation, Identity: e.Identity}
	}
	for _, e := range effects {
		if times[plain(e)]++; times[plain(e)] == 1 {
			list = append(list, e)
		}
	}
	for i, e := range list {
		if n := times[plain(e)]; n > 1 {
			list[i].Summary += fmt.Sprintf(" (%d times)", n)
		}
	}
	return list
}
