package effects

import "strings"

// pushHint says how a push is made up for, by what was pushed where.
func pushHint(args []string, list []string) string {
	where := clean(strings.Join(maskWords("git", list[1:]), " "))
	if where != "" {
		where = " to " + where
	}
	switch {
	case hasFlag(args, "--delete", "-d") || len(list) > 2 && strings.HasPrefix(list[2], ":"):
		return "push what was deleted" + where + " again, from a clone that still has it"
	case hasFlag(args, "--force", "-f", "--force-with-lease", "--mirror") || len(list) > 2 && strings.HasPrefix(list[2], "+"):
		return "push what was there before" + where + " again, from a clone that still has it; others may have fetched what was pushed"
	}
	return "git revert the commits that were pushed" + where + " and push that; others may have fetched them"
}

// packageHint names the lock file of a package manager and the command that makes what
// is installed follow it again.
func packageHint(program string, args []string) string {
	if hasFlag(args, "-g", "--global", "--user") || program == "pipx" {
		return "it was installed for the user or the machine: uninstall it by hand"
	}
	if hint := programHint(program, operands(args)); hint != "" {
		return hint
	}
	switch program {
	case "npm":
		return lock("package-lock.json", "npm ci")
	case "pnpm":
		return lock("pnpm-lock.yaml", "pnpm install --frozen-lockfile")
	case "yarn":
		return lock("yarn.lock", "yarn install --immutable (yarn 1: --frozen-lockfile)")
	case "bun":
		return lock("bun.lock", "bun install --frozen-lockfile")
	case "uv":
		return lock("uv.lock", "uv sync --frozen")
	case "poetry":
		return lock("poetry.lock", "poetry sync (before 2.0: poetry install --sync)")
	case "pdm":
		return lock("pdm.lock", "pdm sync --clean")
	case "pipenv":
		return lock("Pipfile.lock", "pipenv sync")
	case "conda", "mamba":
		return lock("environment.yml", program+" env update --prune")
	case "pip", "pip2", "pip3", "python", "python3":
		return "pip keeps no lock file: pip uninstall what is new, or make the environment again from requirements.txt"
	case "go":
		return lock("go.mod and go.sum", "go mod download")
	case "cargo":
		return lock("Cargo.lock", "cargo fetch --locked")
	case "gem", "bundle", "bundler":
		return lock("Gemfile.lock", "bundle install && bundle clean")
	case "composer":
		return lock("composer.lock", "composer install")
	case "apt", "apt-get", "aptitude":
		return "apt-get remove what is new, install what is gone; /var/log/apt/history.log names both"
	case "dnf", "yum":
		return program + " history undo last"
	case "brew":
		return "brew uninstall, or install, what changed"
	}
	return "install or remove the packages that changed"
}

// programHint is the hint where programs of the user's or the machine's come and go, of
// which no lock file knows; "" where the manager works on the project.
func programHint(program string, list []string) string {
	verb, next := at(list, 0), at(list, 1)
	switch {
	case program == "go" && verb == "install":
		return "remove the program by hand from go env GOBIN, or the folder bin of go env GOPATH; go.mod is as it was"
	case program == "cargo" && oneOf(verb, "install uninstall"):
		return "cargo uninstall the program, or install it again"
	case program == "gem":
		return "gem uninstall what is new, or install it again"
	case program == "uv" && verb == "pip":
		return "uv pip keeps no lock file: uv pip uninstall what is new, or uv pip sync requirements.txt"
	case program == "uv" && oneOf(verb, "tool python"):
		return "uv " + verb + " uninstall what is new, or install it again"
	case oneOf(program, "yarn composer bun") && verb == "global":
		return program + " global remove what is new, or add it again"
	case program == "poetry" && verb == "self" && next != "":
		return "poetry self remove what is new, or add it again"
	}
	return ""
}

func lock(file, command string) string {
	return "once " + file + " is back as it was: " + command
}

// migrationHint is how a migration is made up for.
const migrationHint = "run the opposite migration, or restore the database from a backup; a forward correction may be safer"
