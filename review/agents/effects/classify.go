package effects

import (
	"strings"

	"overturn/model"
)

// classify looks at a program and its first words. The zero verdict says that
// nothing is known to happen outside the files.
func classify(program string, args []string) verdict {
	for _, table := range []func(string, []string) verdict{git, packages, publication, containers, databases, processes, network, credentials} {
		if v := table(program, args); v.domain != "" {
			return v
		}
	}
	return verdict{}
}

func yes(d model.Domain, compensation string) verdict {
	return verdict{domain: d, reversible: model.ReversibleYes, compensation: compensation}
}

func no(d model.Domain, compensation string) verdict {
	return verdict{domain: d, reversible: model.ReversibleNo, compensation: compensation}
}

func maybe(d model.Domain, compensation string) verdict {
	return verdict{domain: d, reversible: model.ReversibleUnknown, compensation: compensation}
}

// at is the n-th operand, "" where there is none.
func at(list []string, n int) string {
	if n < len(list) {
		return list[n]
	}
	return ""
}

// oneOf tells whether word is among those of the list, which is set off by blanks.
func oneOf(word, list string) bool {
	if word == "" {
		return false
	}
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}

func git(program string, args []string) verdict {
	if program != "git" {
		return verdict{}
	}
	list := operands(args, "-C", "-c", "--git-dir", "--work-tree", "--namespace")
	verb, next := at(list, 0), at(list, 1)
	if hasFlag(args, "--dry-run", "--help") || verb == "push" && hasFlag(args, "-n") {
		return verdict{}
	}
	switch verb {
	case "push":
		return no(model.DomainPublication, pushHint(args, list))
	case "lfs":
		if next == "push" {
			return no(model.DomainPublication, "have the objects removed on the server; others may have fetched them")
		}
	case "commit", "merge", "rebase", "cherry-pick", "revert", "reset", "pull", "am", "update-ref", "filter-branch", "filter-repo", "notes", "replace":
		return yes(model.DomainCommits, "find the commit before in git reflog")
	case "tag":
		if len(list) > 1 {
			return yes(model.DomainCommits, "delete the tag, or make it again")
		}
	case "branch":
		if len(list) > 1 {
			return yes(model.DomainCommits, "git reflog names the commits that were checked out here, git fsck --lost-found the others until they are collected")
		}
	case "stash":
		if !oneOf(next, "list show") {
			return yes(model.DomainCommits, "git stash list; git fsck names dropped ones")
		}
	case "submodule":
		if oneOf(next, "add update deinit sync") {
			return maybe(model.DomainSubmodules, "set the submodule back by hand")
		}
	case "config":
		return gitConfig(args, list)
	case "remote":
		if oneOf(next, "add remove rm rename set-url set-branches") {
			return yes(model.DomainOther, "set the remote back by hand: git remote -v lists them")
		}
	case "worktree":
		if oneOf(next, "add remove move prune") {
			return maybe(model.DomainOther, "git worktree list")
		}
	case "clone", "init":
		return yes(model.DomainOther, "a new repository: not covered by snapshots; remove it by hand")
	case "gc", "prune":
		return no(model.DomainOther, "")
	case "clean":
		if hasFlag(args, "-x", "-X", "-fdx", "-xdf", "-fx", "-dfx", "-fxd", "-xfd", "-ffdx", "-fdX", "-fX") {
			return no(model.DomainIgnored, "ignored files are not in any snapshot")
		}
	case "credential":
		return verdict{domain: model.DomainCredentials, reversible: model.ReversibleUnknown, bare: 3}
	}
	return verdict{}
}

// gitConfig is what git config writes: settings are in no snapshot.
func gitConfig(args, list []string) verdict {
	writes := len(list) > 2 && list[1] != "get" && list[1] != "list" || hasFlag(args, "--unset", "--unset-all", "--add", "--replace-all", "--edit", "-e", "--remove-section", "--rename-section") ||
		oneOf(at(list, 1), "set unset remove-section rename-section edit")
	switch {
	case !writes || hasFlag(args, "--get", "--get-all", "--get-regexp", "--list", "-l", "-f", "--file"):
		return verdict{}
	case hasFlag(args, "--global", "--system"):
		return verdict{domain: model.DomainOutside, reversible: model.ReversibleYes, compensation: "set it back by hand with git config --global", bare: 3}
	}
	return verdict{domain: model.DomainOther, reversible: model.ReversibleYes, compensation: "set it back by hand with git config", bare: 3}
}

func packages(program string, args []string) verdict {
	list := operands(args)
	verb := at(list, 0)
	hit := false
	switch program {
	case "npm", "pnpm", "yarn", "bun":
		hit = oneOf(verb, "install i ci add remove rm uninstall un update up upgrade link dedupe dlx") || program == "yarn" && len(args) == 0 ||
			verb == "global" && oneOf(at(list, 1), "add remove upgrade")
	case "pip", "pip2", "pip3", "pipx", "uv", "poetry", "conda", "mamba", "pdm":
		hit = oneOf(verb, "install uninstall add remove update upgrade sync") || program == "uv" && oneOf(verb, "pip tool python") && oneOf(at(list, 1), "install uninstall sync upgrade") ||
			program == "poetry" && verb == "self" && oneOf(at(list, 1), "add remove update")
	case "python", "python3":
		hit = hasFlag(args, "-m") && (oneOf("pip", strings.Join(list, " ")) && (oneOf("install", strings.Join(list, " ")) || oneOf("uninstall", strings.Join(list, " "))))
	case "go":
		hit = oneOf(verb, "get install")
	case "cargo":
		hit = oneOf(verb, "add remove install uninstall update")
	case "gem", "bundle", "bundler", "composer":
		hit = oneOf(verb, "install uninstall update add remove require") || program == "composer" && verb == "global" && oneOf(at(list, 1), "require remove update")
	case "apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "apk", "brew", "snap", "flatpak", "port", "choco", "winget", "scoop", "nix-env":
		hit = oneOf(verb, "install remove purge upgrade dist-upgrade full-upgrade autoremove add del uninstall reinstall update tap") && verb != "update" || program == "nix-env"
	case "pacman", "dpkg", "rpm":
		for _, a := range args {
			hit = hit || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:2], "SRUire") && a != "-r"
		}
	case "rustup", "nvm", "asdf", "mise", "pyenv", "volta", "corepack":
		hit = oneOf(verb, "install uninstall update use enable default")
	}
	if hit {
		return yes(model.DomainPackages, packageHint(program, args))
	}
	return verdict{}
}

func publication(program string, args []string) verdict {
	list := operands(args, "-R", "--repo", "-X", "--method", "-H", "-f", "-F")
	verb, next := at(list, 0), at(list, 1)
	if hasFlag(args, "--dry-run") {
		return verdict{}
	}
	switch program {
	case "npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv", "flit", "hatch", "vsce", "pdm":
		if oneOf(verb, "publish unpublish yank deprecate dist-tag") || verb == "npm" && next == "publish" {
			return no(model.DomainPublication, "publish a corrected version; most registries keep what was published")
		}
	case "gem":
		if oneOf(verb, "push yank") {
			return no(model.DomainPublication, "publish a corrected version")
		}
	case "twine":
		if verb == "upload" {
			return no(model.DomainPublication, "publish a corrected version")
		}
	case "docker", "podman", "buildah", "skopeo", "crane", "helm", "oras":
		if verb == "push" || oneOf(program, "skopeo crane") && verb == "copy" || oneOf(verb, "image manifest") && next == "push" {
			return no(model.DomainPublication, "push the former image under the same tag")
		}
	case "gh", "glab", "hub":
		return forge(args, verb, next)
	case "vercel", "netlify", "fly", "flyctl", "firebase", "wrangler", "serverless", "heroku", "eas", "railway":
		if oneOf("deploy", strings.Join(list, " ")) || oneOf(verb, "publish launch") || program == "vercel" && len(list) == 0 {
			return maybe(model.DomainPublication, "deploy the former version")
		}
	case "terraform", "tofu", "pulumi", "cdk", "ansible-playbook":
		if oneOf(verb, "apply destroy import up deploy down") || program == "ansible-playbook" {
			return maybe(model.DomainOther, "apply the former configuration")
		}
	}
	return verdict{}
}

// forge is what gh and its kin do on the server.
func forge(args []string, verb, next string) verdict {
	switch verb {
	case "pr", "mr", "issue":
		if oneOf(next, "comment review note") {
			return no(model.DomainMessages, "edit or delete the comment; it was sent to its readers")
		}
		if oneOf(next, "create merge close reopen edit delete ready lock transfer new update approve") {
			return maybe(model.DomainPublication, "undo it on the server by hand")
		}
	case "release", "repo", "gist", "workflow", "run", "secret", "variable", "label":
		if oneOf(next, "create delete edit upload archive rename fork sync run rerun cancel set remove enable disable delete-asset") {
			return maybe(model.DomainPublication, "undo it on the server by hand")
		}
	case "auth", "ssh-key", "gpg-key":
		if !oneOf(next, "status list token") {
			return verdict{domain: model.DomainCredentials, reversible: model.ReversibleUnknown, bare: 3}
		}
	case "api":
		if hasFlag(args, "-X", "--method", "-f", "-F", "--field", "--raw-field", "--input") && !oneOf("GET", strings.Join(args, " ")) {
			return maybe(model.DomainNetwork, "undo the request by hand")
		}
	}
	return verdict{}
}
