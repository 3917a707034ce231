package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
	"overturn/ui"
	"overturn/ui/view"
)

func (s *screen) Stage(ctx context.Context, r ui.StageRequest) ([]view.Staged, error) {
	request := rollback.StageRequest{Scope: r.Scope, Hunks: r.Hunks, Method: model.TakeOut}
	if r.Discard {
		request.Method, request.Discard = model.Restore, true
	}
	for _, p := range r.Paths {
		request.Paths = append(request.Paths, rollback.PathArg{Path: p, Folder: !r.Named})
	}
	for _, l := range r.Lines {
		request.Lines = append(request.Lines, rollback.LineRange(l))
	}
	plan, err := s.writer.Stage(ctx, request)
	if err != nil {
		return nil, err
	}
	if err := allKept(r, plan); err != nil {
		return nil, err
	}
	return s.stagedRows(ctx)
}

// allKept says why a folder was staged and nothing of it is.
func allKept(r ui.StageRequest, plan *model.Plan) error {
	below := func(p model.Path) bool {
		return slices.ContainsFunc(r.Paths, func(folder model.Path) bool { return p.Under(folder) })
	}
	if r.Named || slices.ContainsFunc(plan.Targets, func(t model.Target) bool { return below(t.Path) }) {
		return nil
	}
	for _, k := range plan.Kept {
		if below(k.Path) {
			return model.Refusedf("nothing here is staged: %s is kept, %s", patch.Quote(k.Path), k.Reason).WithHint("X on a file names it")
		}
	}
	return nil
}

func (s *screen) Unstage(ctx context.Context, paths []model.Path) ([]view.Staged, error) {
	if _, err := s.writer.Unstage(ctx, paths); err != nil {
		return nil, err
	}
	return s.stagedRows(ctx)
}

func (s *screen) stagedRows(ctx context.Context) ([]view.Staged, error) {
	staged, err := s.writer.Staged(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]view.Staged, len(staged))
	for i, p := range staged {
		rows[i] = view.Staged(p)
	}
	return rows, nil
}

func (s *screen) Execute(ctx context.Context, c ui.Confirmed, progress func(done, of int)) (*model.Result, error) {
	return s.writer.Execute(ctx, rollback.ExecuteOptions{Expect: c.Fingerprint, Partial: c.Partial, Why: c.Why, Progress: progress})
}

func (s *screen) Declined(plan *model.Plan) { s.writer.Declined(plan) }

func (s *screen) History(ctx context.Context) ([]model.HistoryEntry, error) {
	return s.writer.History(ctx)
}

func (s *screen) HistoryPatch(ctx context.Context, id model.ID) ([]byte, error) {
	return s.writer.HistoryPatch(ctx, id)
}

func (s *screen) Undo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error) {
	return s.writer.Undo(ctx, id, rollback.ExecuteOptions{Progress: progress})
}

func (s *screen) Redo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error) {
	return s.writer.Redo(ctx, id, rollback.ExecuteOptions{Progress: progress})
}

func (s *screen) Watch(ctx context.Context) error { return s.watch.wait(ctx) }

// child is a program that the screen hands its terminal to.
type child struct{ *exec.Cmd }

func (c child) SetStdin(r io.Reader)  { c.Stdin = r }
func (c child) SetStdout(w io.Writer) { c.Stdout = w }
func (c child) SetStderr(w io.Writer) { c.Stderr = w }

// Editor is the command of the user's editor.
func (s *screen) Editor(ctx context.Context, p model.Path, line int) (ui.Command, bool, error) {
	editor := s.app.editor(ctx, s.repo)
	file := filepath.Join(s.repo.Root, filepath.FromSlash(string(p)))
	if _, err := os.Stat(file); err != nil {
		return nil, false, model.Errorf(model.CodeFailed, "%s is not on disk any more", p).WithHint("there is nothing to edit")
	}
	name := strings.Fields(editor)[0]
	at, foreground := editorLine(filepath.Base(name), file, line)
	// The setting is a shell command line, as git takes it.
	cmd := exec.Command("sh", append([]string{"-c", editor + ` "$@"`, name}, at...)...)
	cmd.Dir = s.repo.Root
	return child{cmd}, foreground, nil
}

// editorLine is the arguments that open file at line, and whether the editor runs
// in the terminal. An editor that is not known gets the file alone.
func editorLine(editor, file string, line int) (args []string, foreground bool) {
	n := strconv.Itoa(line)
	switch editor {
	case "code", "codium", "cursor", "windsurf":
		return []string{"--goto", file + ":" + n}, false
	case "subl", "zed":
		return []string{file + ":" + n}, false
	case "gvim", "mvim", "gedit", "kate":
		return []string{"+" + n, file}, false
	case "hx", "helix":
		return []string{file + ":" + n}, true
	case "vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne":
		return []string{"+" + n, file}, true
	}
	return []string{file}, true
}
