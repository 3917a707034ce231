package cli

import "strings"

// scopeHelp tells what a SCOPE is, for the help of each verb that takes one.
const scopeHelp = `SCOPE is what is compared:
  latest         the newest finished turn
  N              turn N, as "overturn turns" numbers them
  A..B           from the end of turn A to the end of turn B; 0 is before turn 1
  thread         all turns of the thread
  working        HEAD to what is on disk
  branch[=BASE]  where the branch left BASE to what is on disk`

// pathHelp tells what a PATH is.
const pathHelp = `PATH is a file, or a folder for all that the scope changed below it, taken
literally; ":/" at its start stands for the root of the repository.`

// scopeWord is a scope as a sentence names it.
func scopeWord(scope string) string {
	switch {
	case scope != "" && strings.Trim(scope, "0123456789") == "":
		return "turn " + scope
	case strings.Contains(scope, "..") && !strings.HasPrefix(scope, "branch"):
		return "turns " + scope
	}
	return scope
}
