package cli

import (
	"path/filepath"

	"overturn/review/recorders"
)

// newBook puts the threads of other programs beside ours. Nothing is read before it is
// asked for.
func (a *app) newBook(e *engines) *recorders.Book {
	return recorders.NewBook(e.ledger,
		recorders.NewT3(e.repo, e.objects, e.refs, a.t3Home(), a.env.Clock),
		recorders.NewEntire(e.repo, e.objects, e.refs, a.env.Clock),
		recorders.NewElsewhere(e.objects, e.records, e.ledger, filepath.Join(e.repo.CommonDir, "overturn", "records"), a.env.Clock),
	)
}

// t3Home is T3 Code's own folder: where its variable says, else in the user's home.
func (a *app) t3Home() string {
	if home := a.env.Getenv("T3CODE_HOME"); filepath.IsAbs(home) {
		return home
	}
	if home := a.env.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".t3")
	}
	return ""
}
