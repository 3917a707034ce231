package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/anchor"
	"overturn/model/durable"
	"overturn/review/agents"
	"overturn/review/comments"
	"overturn/review/patch"
	"overturn/rollback/journal"
)

// answer is all that the user has to say to the agent of one thread.
type answer struct {
	thread  model.ThreadID // "" where no turn is recorded
	agent   string
	placed  []comments.Placed // all comments, by file and line
	open    []comments.Placed // those that were not told yet
	back    []model.TakenBack // that were not told yet, oldest first
	waiting *comments.HandOver
}

func (e *engines) comments() *comments.Store {
	return comments.New(comments.Deps{Repo: e.repo, Clock: e.app.env.Clock, IDs: e.app.ids, Trace: e.trace})
}

// answering gathers the comments of this work tree, with where they stand now, and
// what was taken back since the newest turn of the thread ("": the newest thread).
func (e *engines) answering(ctx context.Context, thread model.ThreadID) (*answer, error) {
	store := e.comments()
	all, err := store.List()
	if err != nil {
		return nil, err
	}
	a := &answer{}
	if a.waiting, err = store.Waiting(); err != nil {
		return nil, err
	}
	if a.placed, err = e.place(all); err != nil {
		return nil, err
	}
	for _, p := range a.placed {
		if p.Told == nil {
			a.open = append(a.open, p)
		}
	}
	if a.thread = thread; thread == "" {
		if a.thread, err = e.newestThread(ctx); err != nil && model.CodeOf(err) != model.CodeNoRepository {
			return nil, err
		}
	}
	if a.thread != "" {
		a.back, err = e.takenBack(ctx, a, store)
	}
	return a, err
}

// placeLimit is the largest file that is searched for a comment's lines, in bytes.
const placeLimit = 32 << 20

// place finds each comment's lines in its file on disk, and sorts by file and line.
func (e *engines) place(all []model.Comment) ([]comments.Placed, error) {
	if len(all) == 0 {
		return nil, nil
	}
	tree, err := worktree.Open(e.repo.Root)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	texts := map[model.Path]anchor.Lines{}
	var placed []comments.Placed
	for _, c := range all {
		text, seen := texts[c.Path]
		if !seen {
			data, state, err := tree.Read(c.Path, placeLimit)
			switch {
			case err == nil && state.Kind == model.KindAbsent:
			case err == nil && state.Kind == model.KindFile && !patch.IsBinary(data):
				text = patch.NewText(data)
			default: // it is there, and has no lines
				text = patch.NewText(nil)
			}
			texts[c.Path] = text
		}
		placed = append(placed, comments.Place(c, text))
	}
	slices.SortStableFunc(placed, func(a, b comments.Placed) int {
		lineA, _ := a.Lines()
		lineB, _ := b.Lines()
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(lineA, lineB))
	})
	return placed, nil
}

// takenBack lists the rollbacks that stand, since the newest turn of a's thread began,
// of which no agent was told; it also learns the thread's agent.
func (e *engines) takenBack(ctx context.Context, a *answer, store *comments.Store) ([]model.TakenBack, error) {
	turns, err := e.book.Briefs(ctx, a.thread, 1)
	if err != nil || len(turns) == 0 {
		return nil, err
	}
	newest := turns[len(turns)-1]
	a.agent = newest.Agent
	told, err := store.ToldBack()
	if err != nil {
		return nil, err
	}
	list, err := e.takenBackSince(ctx, "", newest.StartedAt)
	return slices.DeleteFunc(list, func(b model.TakenBack) bool { return told[b.ID] }), err
}

// takenBackSince lists the rollbacks that stand and began at since or later, oldest
// first: those of changes of the thread's turns, or with "" all.
func (e *engines) takenBackSince(ctx context.Context, thread model.ThreadID, since time.Time) ([]model.TakenBack, error) {
	engine, err := e.writing()
	if err != nil {
		return nil, err
	}
	entries, err := engine.History(ctx)
	if err != nil {
		return nil, err
	}
	var list []model.TakenBack
	for _, h := range entries { // newest first
		ended := h.Outcome == model.OutcomeComplete || h.Outcome == model.OutcomePartial
		if !ended || h.Forgotten || h.UndoneBy != "" || h.Kind == journal.KindUndo || h.At.Before(since) {
			continue
		}
		if thread != "" && !slices.Contains(h.Threads, thread) {
			continue
		}
		back := model.TakenBack{ID: h.ID, At: h.At, Paths: h.Paths, Why: whyOf(entries, h)}
		// A patch that is lost leaves the paths and the reason.
		back.Patch, _ = engine.HistoryPatch(ctx, h.ID)
		list = append(list, back)
	}
	slices.Reverse(list)
	return list, ctx.Err()
}

// whyOf is why h was taken back; a redo has the reason of what was undone.
func whyOf(entries []model.HistoryEntry, h model.HistoryEntry) string {
	for h.Why == "" && h.Kind == journal.KindRedo {
		undoneBy := func(id model.ID) int {
			return slices.IndexFunc(entries, func(o model.HistoryEntry) bool { return o.UndoneBy == id })
		}
		undo := undoneBy(h.ID)
		if undo < 0 {
			return ""
		}
		first := undoneBy(entries[undo].ID)
		if first < 0 {
			return ""
		}
		h = entries[first]
	}
	return h.Why
}

// prompt is all that was not told yet as one text, "" where there is nothing.
func (a *answer) prompt() string { return comments.Prompt(a.open, a.back, comments.Whole()) }

// restName is the file in the state folder with the whole of a hand-over that is too
// long for a hook.
const restName = "handover.md"

// handOver lets what was not told yet wait for the next prompt of the thread.
func (e *engines) handOver(ctx context.Context, a *answer) (comments.HandOver, error) {
	var none comments.HandOver
	switch {
	case len(a.open)+len(a.back) == 0:
		return none, model.Usagef("there is nothing to hand over: no comment that was not told, and nothing taken back since the latest turn began").
			WithHint("c in the review, or `overturn comments add`, writes one")
	case a.thread == "":
		return none, model.Errorf(model.CodeNoRepository, "no turn is recorded here: there is no agent to hand it to").
			WithHint("`overturn comments --prompt` prints it, to be pasted")
	}
	if ok, why := canTell(a.agent); !ok {
		return none, model.Refusedf("%s cannot be told with its next prompt, nothing was handed over: %s", safe(a.agent), why).
			WithHint("`overturn comments --prompt` prints it, to be pasted")
	}
	rest := filepath.Join(e.repo.StateDir(), restName)
	text, whole := comments.HookText(a.open, a.back, rest)
	if !whole {
		if err := errors.Join(e.repo.EnsureStateDir(), durable.ReplaceFile(rest, []byte(a.prompt()), 0o600)); err != nil {
			return none, model.Failf(err, "the hand-over cannot be written")
		}
	}
	h := comments.HandOver{Thread: a.thread, Agent: a.agent, Text: text}
	for _, p := range a.open {
		h.Comments = append(h.Comments, p.ID)
	}
	for _, b := range a.back {
		h.TakenBack = append(h.TakenBack, b.ID)
	}
	return e.comments().Ask(ctx, h)
}

func canTell(agent string) (ok bool, why string) {
	adapter, err := agentSet().Get(agent)
	if err != nil {
		return false, "it is not an agent that overturn knows"
	}
	return agents.CanTell(adapter)
}
