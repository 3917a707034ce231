package trial

// Kind is a named sort of rounds.
type Kind struct {
	Name  string
	Round Round
	// Each is how many rounds one seed plays, 1 when 0.
	Each int
}

// Kinds are all sorts of rounds, in the order in which a trial plays them.
func Kinds() []Kind {
	return []Kind{{Name: "matrix", Round: Matrix}, {Name: "races", Round: Races, Each: RacesEach}, {Name: "crashes", Round: Crashes}}
}
