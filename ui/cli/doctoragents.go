package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"overturn/gitops"
	"overturn/review/agents"
	"overturn/rollback/doctor"
)

// examineAgents says of each agent on this machine whether its hooks record here:
// that they are in place, trusted, and call a program that is there. One that is not
// enabled is no fault: that is the user's to choose.
func (a *app) examineAgents(ctx context.Context, repo *gitops.Repo) []doctor.Finding {
	var findings []doctor.Finding
	last := a.lastTurns(ctx, repo)
	for _, in := range installers() {
		row, err := a.agentRow(repo, in)
		check := "agent " + in.name
		switch {
		case err != nil:
			findings = append(findings, doctor.Failed(check, err, "mend the file that is named, then overturn enable "+in.name))
			continue
		case !row.Installed && !in.Found(a.host(repo.Root)):
			continue
		case !row.Installed:
			findings = append(findings, doctor.Finding{Check: check, OK: true, Detail: join("not enabled: its turns are not recorded here", row.Note)})
			continue
		}
		f := doctor.Finding{Check: check, OK: true, Detail: fmt.Sprintf("hooks in %s (%s)", row.Path, strings.Join(row.Hooks, " "))}
		if turn := last[in.name]; turn != nil {
			f.Detail += ", last turn " + turn.at.Local().Format("2006-01-02 15:04:05")
		} else {
			f.Detail += ", no turn recorded yet"
		}
		if gone := goneProgram(row.Path, in.name); gone != "" {
			f.OK, f.Detail, f.Repair = false, fmt.Sprintf("hooks in %s call %s, which is not there", row.Path, gone), "overturn enable "+in.name
		} else if row.Trusted == "no" {
			f.OK, f.Detail, f.Repair = false, f.Detail+"; the agent does not trust them", row.Note
		}
		findings = append(findings, f)
	}
	return findings
}

// goneProgram is the program that the hooks in a settings file call and that cannot
// be run, "" when they can.
func goneProgram(path, agent string) string {
	src, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for _, program := range agents.HookPrograms(src, agent) {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}
