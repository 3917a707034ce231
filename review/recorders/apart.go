package recorders

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"overturn/model"
)

// unnamed stands for the repository of a record that does not tell it.
const unnamed = "-"

// apart tells records into threads: those of one name and one repository are one thread,
// by number. No record is left out, whatever they tell: of two that have one number the
// newer is in the thread, and the other in a thread beside it, since nothing says whether
// the turn was taken back and its number used again, or the repository was copied. Of
// several threads of one name the one whose repository was first keeps the bare name.
func apart(rows []recordRow) map[model.ThreadID][]recordRow {
	byName := map[string][]recordRow{}
	for _, row := range rows {
		byName[row.Thread] = append(byName[row.Thread], row)
	}
	threads := map[model.ThreadID][]recordRow{}
	var beside []thread
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		list := threadsOf(byName[name])
		threads[model.ThreadID(remotePrefix+name)] = list[0].rows
		beside = append(beside, list[1:]...)
	}
	for _, t := range beside {
		threads[besideID(threads, t)] = t.rows
	}
	return threads
}

// thread is the records of one thread, and the id that tells it from others of its name.
type thread struct {
	rows []recordRow
	mark string
}

// threadsOf are the threads of the records of one name, that of the bare name first.
func threadsOf(rows []recordRow) []thread {
	byRepository := map[string][]recordRow{}
	for _, row := range rows {
		byRepository[row.Repository] = append(byRepository[row.Repository], row)
	}
	joinOlder(byRepository)
	repositories := slices.SortedFunc(maps.Keys(byRepository), func(a, b string) int {
		return byAge(slices.MinFunc(byRepository[a], byAge), slices.MinFunc(byRepository[b], byAge))
	})
	var list []thread
	for _, repository := range repositories {
		for i, rows := range layers(byRepository[repository]) {
			t := thread{rows, repository}
			if i > 0 || repository == unnamed {
				t.mark = string(rows[0].ID)
			}
			list = append(list, t)
		}
	}
	return list
}

func byAge(a, b recordRow) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) }

// joinOlder gives the records that tell no repository, as older ones do not, to the one
// whose records go on where they end. Where they may be of several, they stay apart.
func joinOlder(byRepository map[string][]recordRow) {
	older := byRepository[unnamed]
	if len(older) == 0 || len(layers(older)) > 1 {
		return
	}
	byTurn := func(a, b recordRow) int { return cmp.Compare(a.Turn, b.Turn) }
	next := slices.MaxFunc(older, byTurn).Turn + 1
	var goesOn []string
	for repository, rows := range byRepository {
		if repository != unnamed && slices.MinFunc(rows, byTurn).Turn == next {
			goesOn = append(goesOn, repository)
		}
	}
	if len(goesOn) == 1 {
		byRepository[goesOn[0]] = append(byRepository[goesOn[0]], older...)
		delete(byRepository, unnamed)
	}
}

// layers are rows by number, each number once in each: in the first the newest record of
// every number, in the next the newest of those that are left, and so on.
func layers(rows []recordRow) [][]recordRow {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b recordRow) int { return cmp.Or(cmp.Compare(a.Turn, b.Turn), byAge(b, a)) })
	var list [][]recordRow
	depth := 0
	for i, row := range rows {
		if depth++; i == 0 || rows[i-1].Turn != row.Turn {
			depth = 0
		}
		if depth == len(list) {
			list = append(list, nil)
		}
		list[depth] = append(list[depth], row)
	}
	return list
}

// shortID is how many characters of an id tell threads of one name apart. They are the
// last ones: the first tell the time, and are alike for what was made on one day.
const shortID = 6

// besideID names a thread whose name another one has: by the end of its mark, by more of
// it where two ends are alike.
func besideID(taken map[model.ThreadID][]recordRow, t thread) model.ThreadID {
	for n := shortID; ; n++ {
		end := t.mark[max(0, len(t.mark)-n):] + strings.Repeat("~", max(0, n-len(t.mark)))
		id := model.ThreadID(remotePrefix + t.rows[0].Thread + "@" + end)
		if taken[id] == nil {
			return id
		}
	}
}
