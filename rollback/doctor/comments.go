package doctor

import "overturn/review/comments"

// comments looks at what the user has to say to the agent.
func (e *exam) comments() {
	const check = "comments"
	store := comments.New(comments.Deps{Repo: e.Repo, Clock: e.Clock})
	list, err := store.List()
	if err != nil {
		e.failed(check, err, "move the file away that it names: nothing else refers to it")
		return
	}
	waiting, err := store.Waiting()
	if err != nil {
		e.failed(check, err, "overturn comments --withdraw")
		return
	}
	text := count(len(list), "comment")
	if waiting != nil {
		text += ", a hand-over waits for the next prompt of " + waiting.Agent
	}
	e.good(check, "%s", text)
}
