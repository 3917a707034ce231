package recorders

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/model"
)

// rowsOf reads rows "THREAD TURN REPOSITORY", each a minute newer than the last; the end of
// a row's id is its number from 1 on.
func rowsOf(list ...string) []recordRow {
	var rows []recordRow
	for i, spelt := range list {
		row := recordRow{ID: model.ID(fmt.Sprintf("01kvbjcwya4yw6j5m9gp%06d", i+1)), At: time.Date(2026, 11, 30, 9, i, 0, 0, time.UTC)}
		fmt.Sscan(spelt, &row.Thread, &row.Turn, &row.Repository)
		rows = append(rows, row)
	}
	return rows
}

func TestThreadsOfOneNameStayApart(t *testing.T) {
	const a, b, nearB = "01kvbjcwya4yw6j5m9gpaaaaaa", "01kvbjcwya4yw6j5m9gpbbbbbb", "01kvbjcwya4yw6j5m9gqbbbbbb"
	cases := []struct {
		what string
		rows []recordRow
		want string // THREAD: TURN/END OF THE RECORD'S ID …
	}{
		{"one repository", rowsOf("T 2 "+a, "T 1 "+a, "U 1 "+a), "T: 1/2 2/1; U: 1/3"},
		{"two repositories", rowsOf("T 1 "+a, "T 1 "+b, "T 2 "+b), "T: 1/1; T@bbbbbb: 1/2 2/3"},
		{"no number in common", rowsOf("T 1 "+a, "T 2 "+b), "T: 1/1; T@bbbbbb: 2/2"},
		{"ids that end alike", rowsOf("T 1 "+a, "T 1 "+b, "T 1 "+nearB), "T: 1/1; T@bbbbbb: 1/2; T@qbbbbbb: 1/3"},
		{"a name that is taken", rowsOf("T 1 "+a, "T 1 "+b, "T@bbbbbb 1 "+a), "T: 1/1; T@bbbbbb: 1/3; T@pbbbbbb: 1/2"},
		{"every end is taken", append(rowsOf("T 1 "+a, "T 1 "+b), takenEnds("T", b)...), "T: 1/1; T@" + b + "~: 1/2"},
		{"used again, or a copy", rowsOf("T 1 "+a, "T 2 "+a, "T 3 "+a, "T 2 "+a), "T: 1/1 2/4 3/3; T@000002: 2/2"},
		{"no repository, all used again", rowsOf("T 1 -", "T 1 -", "T 2 -", "T 1 -"), "T: 1/4 2/3; T@000001: 1/1; T@000002: 1/2"},
		{"no repository beside one", rowsOf("T 1 "+a, "T 1 -"), "T: 1/1; T@000002: 1/2"},
		{"an upgrade on the way", rowsOf("T 1 -", "T 2 -", "T 3 "+a, "T 1 "+b), "T: 1/1 2/2 3/3; T@bbbbbb: 1/4"},
		{"an upgrade of one of two", rowsOf("T 1 -", "T 1 -", "T 2 "+a), "T: 1/2; T@000001: 1/1; T@aaaaaa: 2/3"},
		{"two upgrades", rowsOf("T 1 -", "T 2 "+a, "T 2 "+b), "T: 1/1; T@aaaaaa: 2/2; T@bbbbbb: 2/3"},
	}
	for _, c := range cases {
		for range 4 { // the order in which records are listed decides nothing
			rand.Shuffle(len(c.rows), func(i, j int) { c.rows[i], c.rows[j] = c.rows[j], c.rows[i] })
			if got := spellApart(apart(c.rows)); got != c.want {
				t.Errorf("%s: %s\nwant %s", c.what, got, c.want)
			}
		}
	}
}

// takenEnds are threads that have the names of every end of id.
func takenEnds(name, id string) []recordRow {
	var rows []recordRow
	for n := shortID; n <= len(id); n++ {
		rows = append(rows, recordRow{ID: "hidden", Thread: name + "@" + id[len(id)-n:], Turn: 1, Repository: unnamed})
	}
	return rows
}

func spellApart(threads map[model.ThreadID][]recordRow) string {
	var list []string
	for _, id := range slices.Sorted(maps.Keys(threads)) {
		line := strings.TrimPrefix(string(id), remotePrefix) + ":"
		for _, row := range threads[id] {
			line += fmt.Sprintf(" %d/%s", row.Turn, strings.TrimLeft(string(row.ID[len(row.ID)-6:]), "0"))
		}
		if threads[id][0].ID != "hidden" {
			list = append(list, line)
		}
	}
	return strings.Join(list, "; ")
}
