package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/settings"
	"overturn/rollback/doctor"
)

func newDoctor(a *app) *cobra.Command {
	var t trialRun
	cmd := &cobra.Command{
		Use:   "doctor [--trial [--seeds N] [--minutes M] [--keep DIR]]",
		Short: "Check that all is well here, and say what repairs what is not",
		Long: `Look over git, the repository, overturn's own state, the hooks of each agent and the
file system, and say of each whether it is as it should be, and what repairs it.
Nothing is repaired, and nothing of yours is written.

With --trial, prove on this machine and file system that a rollback loses nothing:
the recovery matrix, races and crashes are played in disposable repositories with
this program and your git, and counted. --keep leaves the repositories, with a
script of what was done and the hashes after each phase.

Exit code 0 when all is as it should be, 1 when something is not.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := t.check(cmd.Flags().Changed); err != nil {
				return err
			}
			if t.on {
				return a.trial(cmd.Context(), t)
			}
			return a.doctor(cmd.Context())
		},
	}
	t.flags(cmd.Flags())
	return cmd
}

// doctor prints overturn.doctor/1. Without a repository it says what can be said of
// the machine, and then that there is none.
func (a *app) doctor(ctx context.Context) error {
	findings, missing := a.examine(ctx)
	if err := a.emitFindings(findings, nil); err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	return verdict(findings)
}

// verdict is the error of findings that are not all good.
func verdict(findings []doctor.Finding) error {
	bad := 0
	for _, f := range findings {
		if !f.OK {
			bad++
		}
	}
	if bad == 0 {
		return nil
	}
	return model.Errorf(model.CodeFailed, "%d of %d checks are not as they should be", bad, len(findings)).
		WithHint("each says what repairs it")
}

// examine makes every check. missing is why there is no repository to look at.
func (a *app) examine(ctx context.Context) (findings []doctor.Finding, missing error) {
	if version, err := gitops.Version(ctx, a.env); err != nil {
		findings = append(findings, doctor.Failed("git", err, "install git 2.31 or newer"))
	} else {
		findings = append(findings, doctor.Finding{Check: "git", OK: true, Detail: version})
	}
	repo, err := gitops.Find(ctx, a.dir, a.env)
	if err != nil {
		return append(findings, doctor.Failed("repository", err, "go to a repository")), err
	}
	set, err := settings.Load(repo.Root, a.userDir(), a.env.Getenv)
	if err != nil {
		findings = append(findings, doctor.Failed("settings", err, "mend the file that is named"))
	} else if list := a.problems(repo.Root, set); len(list) > 0 {
		findings = append(findings, doctor.Finding{Check: "settings", Detail: told(list), Repair: "`overturn config edit --where LAYER` opens the file of a layer; `overturn config path` names them"})
	} else {
		findings = append(findings, doctor.Finding{Check: "settings", OK: true, Detail: "can be read"})
	}
	findings = append(findings, a.examineAgents(ctx, repo)...)
	e, err := a.wireWith(repo, set)
	if err != nil {
		return append(findings, doctor.Failed("engines", err, "mend what is named")), nil
	}
	engine, err := e.writing()
	if err != nil {
		return append(findings, doctor.Failed("work-tree", err, "see that you may read "+repo.Root)), nil
	}
	return append(findings, doctor.Examine(ctx, doctor.Deps{
		Repo: repo, Objects: e.objects, Refs: e.refs, Snapshots: e.snapshots, Ledger: e.ledger, Records: e.records, Queue: queue.Open(e.repo, e.refs, a.env.Clock), Rollback: engine,
		Clock: a.env.Clock,
	})...), ctx.Err()
}

// emitFindings prints findings, and what a trial measured.
func (a *app) emitFindings(findings []doctor.Finding, measured *measures) error {
	wire := struct {
		Findings []doctor.Finding `json:"findings"`
		Trial    *measures        `json:"trial,omitempty"`
	}{model.NotNil(findings), measured}
	return a.emit("overturn.doctor/1", wire, func(w *bufio.Writer) {
		for _, f := range findings {
			word := "ok  "
			if !f.OK {
				word = "BAD "
			}
			fmt.Fprintf(w, "%s %-20s %s\n", word, f.Check, safe(unfolded(f.Detail)))
			if f.Repair != "" {
				fmt.Fprintf(w, "     to repair: %s\n", safe(f.Repair))
			}
		}
		if measured != nil {
			measured.text(w)
		}
	})
}

// unfolded is a text of several lines, as git's words are, on one.
func unfolded(text string) string {
	var parts []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}
