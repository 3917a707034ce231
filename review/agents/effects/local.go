package effects

import (
	"path"
	"strings"

	"overturn/model"
)

// Unclassified are the commands of a command line of which it is not known what they
// do: scripts, programs and tasks of the project, and whatever this room has no word for.
// They come masked, each once, in order, with "; " between; "" where there are none. A
// command that Of names is not among them, and neither is one that is known to work
// on files of the work tree alone.
func Unclassified(c Command) string {
	r := &reader{c: c, seen: map[string]bool{}}
	r.dir = c.Cwd
	if r.dir == "" {
		r.dir = c.Root
	}
	r.line(c.Text, 0)
	return clean(strings.Join(r.unknown, "; "))
}

// OfUnclassified is the effect that commands of which nothing is known are listed as.
func OfUnclassified(commands string, failed bool) model.Effect {
	summary := clean("unclassified command: " + commands)
	if failed {
		summary += " (failed)"
	}
	return model.Effect{Domain: model.DomainOther, Summary: summary, Reversible: model.ReversibleUnknown,
		Compensation: "look what it does beyond the files: overturn does not know"}
}

// local tells a command that, by what it is, works on the files that it is given and on
// nothing else, or only looks. What runs text of the project is not local, but for
// compilers, checkers and tests of a language, which are run all day.
func local(program string, args []string) bool {
	list := operands(args)
	verb := at(list, 0)
	switch {
	case strings.ContainsAny(program, "/$*?"):
		return false
	case oneOf(program, builtins), oneOf(program, tools), oneOf(program, viewers):
		return true
	case hasFlag(args, "--version", "--help", "-h") && len(list) == 0:
		return true
	}
	switch program {
	case "git":
		return true // what changes more than files, the classifier knows
	case "go":
		return oneOf(verb, "build test vet fmt list doc env version mod tool work help clean") && !(verb == "tool" && len(list) > 1)
	case "cargo", "rustc":
		return program == "rustc" || oneOf(verb, "build test check clippy fmt doc tree metadata bench clean")
	case "npm", "pnpm", "yarn", "bun":
		return oneOf(verb, "ls list outdated view info why audit search pack root prefix bin explain help test t")
	case "npx", "pnpx", "bunx":
		return oneOf(path.Base(verb), checkers)
	case "python", "python3", "py":
		return moduleOf(args) != "" && oneOf(moduleOf(args), "pytest unittest mypy compileall json.tool py_compile black ruff flake8 pylint venv")
	case "pip", "pip2", "pip3", "uv", "poetry", "gem", "brew", "apt", "apt-get", "apt-cache", "dpkg":
		return oneOf(verb, "list show freeze search check info outdated config lock policy tree help")
	case "docker", "podman", "docker-compose", "kubectl", "helm", "gh", "glab", "aws", "gcloud", "az", "terraform", "systemctl", "service", "crontab", "tmux",
		"curl", "wget", "http", "https", "psql", "mysql", "sqlite3", "redis-cli", "mongosh", "duckdb", "npm-check", "kill", "pkill":
		return true // what of them writes, the classifier knows
	case "find":
		return true // what it runs is taken apart beside it
	case "source", ".":
		return path.Base(at(list, 0)) == "activate"
	}
	return oneOf(program, checkers)
}

// moduleOf is the module of python -m MODULE.
func moduleOf(args []string) string {
	for i, a := range args {
		if a == "-m" && i+1 < len(args) {
			return args[i+1]
		}
		if !strings.HasPrefix(a, "-") {
			break
		}
	}
	return ""
}

// builtins are words of shells that reach no further than the shell.
const builtins = "cd pwd echo printf true false : test [ [[ exit return export set unset read local declare typeset readonly let shift pushd popd dirs " +
	"ulimit umask alias unalias getopts wait jobs fg bg trap type hash history break continue shopt for case select function in"

// tools work on the files that they are given; where these lie outside the work tree,
// that is told apart.
const tools = "mkdir rmdir rm mv cp ln touch chmod chown chgrp install tee truncate split csplit shred unlink mktemp mkfifo sed tr patch tar gzip gunzip zip unzip bzip2 bunzip2 " +
	"xz unxz zstd dos2unix unix2dos iconv rename rsync dd base64 indent"

// viewers only look.
const viewers = "ls dir cat tac head tail less more grep egrep fgrep zgrep rg ag ack fd fdfind tree wc sort uniq cut awk gawk diff cmp comm join paste column nl od xxd hexdump file stat du df " +
	"basename dirname realpath readlink date cal sleep printenv which whereis uname whoami id groups ps pgrep top htop lsof free uptime yes seq expr bc jq yq xmllint " +
	"md5sum sha1sum sha256sum sha512sum shasum cksum sum strings nm objdump readelf ldd man info help tput stty clear nproc lscpu lsblk arch locale getconf cloc tokei scc " +
	"bat batcat exa eza delta difft fold fmt rev shuf numfmt dig nslookup host ping traceroute ss netstat journalctl dmesg env"

// checkers compile, check, format and test what is in the work tree.
const checkers = "gofmt goimports staticcheck golangci-lint gopls govulncheck tsc tsc-watch eslint prettier jest vitest mocha ava biome stylelint pytest mypy pyright ruff black isort flake8 pylint tox " +
	"rustfmt gcc g++ cc c++ clang clang++ clang-format clang-tidy ld ar as javac jar kotlinc scalac ghc hlint shellcheck shfmt rubocop phpunit phpstan swiftc swiftformat swiftlint " +
	"clippy-driver protoc sqlfluff hadolint yamllint markdownlint actionlint jsonlint xcodebuild cmake ninja ctest valgrind gdb lldb"
