// Package trail is the places that the user jumped from, to go back to and forth again,
// as a browser keeps pages.
//
// Invariants: at most Most places are kept, the oldest go first; going back and forth
// never ends at the place where it began. A crash leaves nothing behind.
package trail

// Most is how many places are kept in either direction.
const Most = 100

// Trail is a row of places with the user at one of them. The zero value is empty.
type Trail[T comparable] struct {
	back, ahead []T // the nearest last
}

// Leave says that the user jumps away from here; what was ahead is given up.
func (t *Trail[T]) Leave(here T) {
	t.ahead = nil
	push(&t.back, here)
}

// Back is the place to go back to from here, if there is one.
func (t *Trail[T]) Back(here T) (T, bool) { return step(&t.back, &t.ahead, here) }

// Ahead is the place that Back came from.
func (t *Trail[T]) Ahead(here T) (T, bool) { return step(&t.ahead, &t.back, here) }

func step[T comparable](from, to *[]T, here T) (T, bool) {
	for n := len(*from); n > 0; n = len(*from) {
		place := (*from)[n-1]
		*from = (*from)[:n-1]
		if place != here {
			push(to, here)
			return place, true
		}
	}
	var none T
	return none, false
}

func push[T comparable](list *[]T, place T) {
	if n := len(*list); n > 0 && (*list)[n-1] == place {
		return
	}
	if *list = append(*list, place); len(*list) > Most {
		*list = append([]T(nil), (*list)[1:]...)
	}
}
