package trial

// matrixRow is one kind of state that a rollback meets. user is what stands there
// before the turn, agent the turn's work; targets are staged.
type matrixRow struct {
	name, user, agent string
	targets           []string
	later             string // the user's work after the review, that must survive
	effect            bool   // the turn did something outside, which stays
	staged            bool   // the turn staged an entry, which goes back
}

// MatrixRows is how many kinds of state the matrix has: seed n is row n of them,
// seeds beyond are the rows again, in folders with odd names.
func MatrixRows() int { return len(matrixRows()) }

// MatrixRow is the name of a row, counted from 0.
func MatrixRow(n int) string { return matrixRows()[n].name }

func matrixRows() []matrixRow {
	return []matrixRow{
		{name: "clean", agent: "printf 'one\nTWO\nthree\n' > tracked", targets: []string{"tracked"}},
		{name: "staged", user: "printf 'one\ntwo\nthree\nstaged\n' > tracked; git add tracked",
			agent: "printf 'ONE\ntwo\nthree\nstaged\n' > tracked", targets: []string{"tracked"}},
		{name: "staged-by-turn", agent: "printf 'one\nTWO\nthree\n' > tracked; printf 'new\n' > new; git add tracked new", targets: []string{"tracked", "new"}, staged: true},
		{name: "unstaged", user: "printf 'one\ntwo\nthree\nunstaged\n' > tracked",
			agent: "printf 'ONE\ntwo\nthree\nunstaged\n' > tracked", targets: []string{"tracked"}},
		{name: "untracked", user: "printf 'material\n' > mine; chmod 600 mine", agent: "printf 'overwritten\n' > mine; printf 'made\n' > made", targets: []string{"mine", "made"}},
		{name: "ignored", user: "mkdir build; printf 'old\n' > build/out.o", agent: "printf 'new\n' > build/out.o; printf 'one\nTWO\nthree\n' > tracked", targets: []string{"tracked"}},
		{name: "deleted", agent: "rm tracked", targets: []string{"tracked"}},
		{name: "rename", agent: "mv other renamed; printf 'and more\n' >> renamed", targets: []string{"other", "renamed"}},
		{name: "symlink", agent: "rm link; ln -s other link; rm tracked; ln -s other tracked", targets: []string{"link", "tracked"}},
		{name: "mode", user: "chmod 640 tracked", agent: "chmod 755 tracked", targets: []string{"tracked"}},
		{name: "binary", agent: `printf '\0\377new' > binary`, targets: []string{"binary"}},
		{name: "edit-after-review", agent: "printf 'ONE\ntwo\nthree\n' > tracked", targets: []string{"tracked"}, later: "printf 'ONE\ntwo\nthree\nlater\n' > tracked"},
		{name: "external-effect", agent: "printf 'ONE\ntwo\nthree\n' > tracked", targets: []string{"tracked"}, effect: true},
	}
}

// matrixBase is what every row has beside its own: something staged, unstaged,
// untracked, ignored, stashed and in the reflog, none of which is ever a target.
const matrixBase = `printf 'one\ntwo\nthree\n' > tracked; printf 'other\nlines\nof\na\nfile\n' > other; printf '\0\1\2' > binary; ln -s tracked link
	printf 's\n' > user-staged; printf 'u\n' > user-unstaged; printf '*.o\n' > .gitignore
	git add -A; git commit -qm base; printf 'stashed\n' >> user-staged; git stash -q
	printf 'staged\n' >> user-staged; git add user-staged; printf 'unstaged\n' >> user-unstaged
	printf 'untracked\n' > user-untracked; chmod 600 user-untracked; printf 'built\n' > user-ignored.o`

// matrixFolders are where the rows after the first set are played. The last is no
// UTF-8: a file system that takes no such name plays without it.
func matrixFolders() []string {
	return []string{"", "with space", "-dash", `quo"te's`, "line\nbreak", "tab\tand$dollar", "a/b/c/d", "[glob]*", ":(top)", "\u00fc\u0301", "by\xffte"}
}

// matrixEvents are what the trace of a row must have.
func matrixEvents() []string {
	return []string{"turn.started", "turn.ended", "checkpoint.create", "rollback.staged", "checkpoint.diff", "rollback.stale",
		"rollback.confirmed", "rollback.started", "checkpoint.rollback", "rollback.verified", "rollback.undone"}
}
