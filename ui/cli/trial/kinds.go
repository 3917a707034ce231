package trial

// Kind is a named sort of rounds.
type Kind struct {
	Name  string
	Round Round
}

// Kinds are all sorts of rounds, in the order in which a trial plays them.
func Kinds() []Kind {
	return []Kind{{"matrix", Matrix}}
}
