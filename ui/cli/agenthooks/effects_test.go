package agenthooks_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
)

// effectTurn is one turn of Claude Code that leaves effects of many kinds behind, and
// writes a.txt and a file outside of the work tree.
func effectTurn(t *testing.T) *replay {
	r := newReplay(t, "claude-code")
	outside := filepath.Join(t.TempDir(), "shared.conf")
	r.fire(r.claude("UserPromptSubmit", "S", "p1", `,"prompt":"ship it"`))
	for i, input := range []string{
		`"tool_name":"Edit","tool_input":{"file_path":"` + r.repo.Path("a.txt") + `"}`,
		`"tool_name":"Write","tool_input":{"file_path":"` + outside + `"}`,
		`"tool_name":"Bash","tool_input":{"command":"git push https://me:hunter2@example.invalid/x main"}`,
		`"tool_name":"Bash","tool_input":{"command":"npm install left-pad && npx prisma migrate deploy"}`,
		`"tool_name":"Bash","tool_input":{"command":"./deploy.sh --token hunter2 prod; go test ./..."}`,
		`"tool_name":"Bash","tool_input":{"command":"./deploy.sh --token hunter2 prod"}`,
		`"tool_name":"mcp__slack__post_message","tool_input":{"text":"hunter2"}`,
	} {
		r.fire(r.claude("PostToolUse", "S", "p1", fmt.Sprintf(`,"tool_use_id":"c%d",%s`, i, input)))
	}
	r.fire(r.claude("Stop", "S", "p1", ""))
	r.env = append(r.env, "OUTSIDE="+outside)
	return r
}

// TestEffectsAreTold: card, plan and result name every effect by its domain, whether it can
// be reversed and what makes up for it; what is unknown is told as unknown, and where
// something stays that cannot be reversed, that going forward may be safer.
func TestEffectsAreTold(t *testing.T) {
	t.Parallel()
	r := effectTurn(t)
	outside := strings.TrimPrefix(r.env[len(r.env)-1], "OUTSIDE=")
	want := []string{
		"outside: wrote " + outside + " (unknown; put the file back by hand)",
		"publication: git push https://***@example.invalid/x main (no; git revert the commits that were pushed to https://***@example.invalid/x main and push that; others may have fetched them)",
		"packages: npm install left-pad (yes; once package-lock.json is back as it was: npm ci)",
		"databases: npx prisma migrate deploy (unknown; run the opposite migration, or restore the database from a backup; a forward correction may be safer)",
		"other: unclassified command: deploy.sh --token *** prod (unknown; look what it does beyond the files: overturn does not know)",
		"messages: called mcp__slack__post_message (no; send a correction)",
	}
	const advice = "what was done to publication, databases, messages stays: a forward correction (new changes on top) may be safer than taking the files back"
	var turn struct{ Effects []model.Effect }
	r.json(&turn, "show", "1")
	r.holds("the card", turn.Effects, want)

	r.ok("stage", "1", "--", "a.txt")
	var plan model.Plan
	r.json(&plan, "plan")
	r.holds("the plan", plan.Effects, want)
	if plan.Reversible != model.ReversibleNo || plan.Advice != advice {
		t.Errorf("the plan: reversible %q, advice %q", plan.Reversible, plan.Advice)
	}
	texts := map[string]string{"show": r.ok("show", "1"), "plan": r.ok("plan")}
	var result struct {
		ID       string
		Residual []model.Effect
		Advice   string
	}
	r.json(&result, "rollback", "--expect", plan.Fingerprint)
	r.holds("the result", result.Residual, want)
	if result.Advice != advice {
		t.Errorf("the result advises %q", result.Advice)
	}
	texts["history"] = r.ok("history", result.ID)
	for name, text := range texts {
		for _, line := range []string{advice, "publication: git push https://***@example.invalid/x main (reversible: no)", "unclassified command: deploy.sh --token *** prod (reversible: unknown)",
			"to make up for it: once package-lock.json is back as it was: npm ci"} {
			if !strings.Contains(text, line) {
				t.Errorf("%s does not say %q:\n%s", name, line, text)
			}
		}
	}
	for name, text := range texts {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s tells a secret:\n%s", name, text)
		}
	}
}

// holds compares effects with their words.
func (r *replay) holds(where string, effects []model.Effect, want []string) {
	r.t.Helper()
	var got []string
	for _, e := range effects {
		got = append(got, fmt.Sprintf("%s: %s (%s; %s)", e.Domain, e.Summary, e.Reversible, e.Compensation))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		r.t.Errorf("%s:\n%s\nwant\n%s", where, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTurnWithoutEffects: commands that look, build and test leave none, so that nothing
// is said to be in doubt.
func TestTurnWithoutEffects(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "claude-code")
	r.fire(r.claude("UserPromptSubmit", "S", "p1", `,"prompt":"go"`))
	for i, command := range []string{"go test ./... 2>&1 | tail -3", "git status && git diff", "rg -n x . | head", "npm test", "curl -s https://example.invalid"} {
		r.fire(r.claude("PostToolUse", "S", "p1", fmt.Sprintf(`,"tool_use_id":"c%d","tool_name":"Bash","tool_input":{"command":%q}`, i, command)))
	}
	r.fire(r.claude("PostToolUse", "S", "p1", `,"tool_use_id":"w","tool_name":"Write","tool_input":{"file_path":"`+r.repo.Path("b.txt")+`"}`))
	r.fire(r.claude("Stop", "S", "p1", ""))
	r.wants("completed ready b.txt=agent")
	var plan model.Plan
	r.ok("stage", "1")
	r.json(&plan, "plan")
	if plan.Reversible != model.ReversibleYes || plan.Advice != "" || len(plan.Effects) != 0 {
		t.Errorf("the plan: %q %q %+v", plan.Reversible, plan.Advice, plan.Effects)
	}
}
