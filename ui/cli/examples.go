package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are calls that the help of a verb shows, by the verb's words; each can be
// typed as it stands.
var examples = map[string]string{
	"enable":             "overturn enable\noverturn enable codex --where user\noverturn enable --git-hooks",
	"disable":            "overturn disable\noverturn disable codex",
	"hook":               `echo '{"event": "turn-start", "thread": "mine", "turn_id": "1", "prompt": "make it faster"}' | overturn hook generic`,
	"turn start":         "overturn turn start --thread mine --prompt 'make it faster'",
	"turn end":           "overturn turn end --thread mine\noverturn turn end --thread mine --state failed",
	"turn touch":         "overturn turn touch --thread mine src/app.go",
	"turn effect":        "overturn turn effect --thread mine --domain publication --summary 'pushed main' --reversible no",
	"run":                "overturn run -- make generate\noverturn run --thread mine -- sh -c 'sed -i s/a/b/ *.txt'",
	"review":             "overturn review\noverturn review working\noverturn review 2..5 --thread mine",
	"turns":              "overturn turns --limit 5\noverturn turns --reverted",
	"show":               "overturn show 3\noverturn show 3 --thread mine --json",
	"diff":               "overturn diff latest\noverturn diff 2..5 --stat -- src\noverturn diff branch=main --exact",
	"stage":              "overturn stage latest -- src/app.go\noverturn stage 3 --hunk 2 -- src/app.go\noverturn stage 3 --lines 10-12,-4-5 -- src/app.go",
	"unstage":            "overturn unstage\noverturn unstage src/app.go",
	"plan":               "overturn plan\noverturn plan --patch",
	"rollback":           "overturn rollback\noverturn rollback --expect FINGERPRINT --why 'breaks the build'",
	"revert":             "overturn revert --to 3 --plan\noverturn revert --to 3 --expect FINGERPRINT\noverturn revert --to 0 --keep-conversation",
	"comments":           "overturn comments\noverturn comments --prompt\noverturn comments --hand-over",
	"comments add":       "overturn comments add src/app.go:10-12 'close the file when this fails'",
	"history":            "overturn history\noverturn history ID --patch",
	"undo":               "overturn undo\noverturn undo ID",
	"recover":            "overturn recover --unwind\noverturn recover --finish",
	"checkpoint list":    "overturn checkpoint list --thread mine\noverturn checkpoint list --remote",
	"checkpoint prune":   "overturn checkpoint prune --dry-run\noverturn checkpoint prune --older-than 30d --keep 20",
	"checkpoint migrate": "overturn checkpoint migrate --dry-run",
	"sync push":          "overturn sync push --dry-run --show\noverturn sync push origin --yes",
	"sync fetch":         "overturn sync fetch\noverturn sync fetch ID",
	"trace":              "overturn trace --follow",
	"doctor":             "overturn doctor\noverturn doctor --trial --seeds 3",
	"config set":         "overturn config set review.theme paper\noverturn config set retention.older_than 30d",
	"pager":              "git diff | overturn pager",
	"demo":               "overturn demo\noverturn demo --no-tui --dir shop",
	"completion":         "source <(overturn completion bash)",
	"man":                "overturn man rollback | man -l -",
	"checkpoint show":    "overturn checkpoint show ID --json",
	"comments edit":      "overturn comments edit ID 'close the file, whatever fails'",
	"comments delete":    "overturn comments delete ID",
	"config get":         "overturn config get review.theme",
	"config unset":       "overturn config unset review.theme",
}

// addExamples gives the verbs their examples.
func addExamples(root *cobra.Command) {
	for words, lines := range examples {
		if cmd, rest, err := root.Find(strings.Fields(words)); err == nil && len(rest) == 0 {
			cmd.Example = "  " + strings.ReplaceAll(lines, "\n", "\n  ")
		}
	}
}
