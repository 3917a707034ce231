package housetest_test

import (
	"os/exec"
	"strings"
	"testing"
)

// PROGRAM in a value stands for a program that leaves a marker, FILE for a file
// that whoever obeys the setting would write.
const (
	program = "PROGRAM"
	file    = "FILE"
)

// settings are the traps that are settings of git: each at a value that it takes
// and that would change what git prints, does or runs.
func settings() map[string]string {
	return map[string]string{
		"diff.external": program, "diff.trap.command": program, "diff.trap.textconv": program, "diff.trap.cachetextconv": "true", "diff.trap.binary": "true",
		"diff.trap.xfuncname": "^(.*)$", "diff.trap.wordRegex": ".", "diff.algorithm": "patience", "diff.autoRefreshIndex": "true", "diff.colorMoved": "zebra",
		"diff.colorMovedWS": "ignore-all-space", "diff.context": "0", "diff.dirstat": "files,0", "diff.guitool": "trap", "diff.ignoreSubmodules": "all",
		"diff.indentHeuristic": "false", "diff.interHunkContext": "20", "diff.mnemonicPrefix": "true", "diff.noprefix": "true", "diff.orderFile": file,
		"diff.relative": "true", "diff.renameLimit": "1", "diff.renames": "copies", "diff.statGraphWidth": "1", "diff.submodule": "log", "diff.srcPrefix": "x/",
		"diff.dstPrefix": "y/", "diff.suppressBlankEmpty": "true", "diff.tool": "trap", "diff.wordRegex": ".", "diff.wsErrorHighlight": "all",

		"core.abbrev": "4", "core.alternateRefsCommand": program, "core.alternateRefsPrefixes": "refs/x", "core.askPass": program, "core.autocrlf": "input",
		"core.bigFileThreshold": "1", "core.checkRoundtripEncoding": "UTF-16", "core.checkStat": "minimal", "core.commentChar": ";", "core.commitGraph": "false",
		"core.compression": "0", "core.createObject": "rename", "core.deltaBaseCacheLimit": "1", "core.editor": program, "core.eol": "crlf", "core.fileMode": "false",
		"core.filesRefLockTimeout": "0", "core.fsmonitor": program, "core.fsmonitorHookVersion": "1", "core.fsync": "none", "core.fsyncMethod": "batch",
		"core.fsyncObjectFiles": "false", "core.gitProxy": program, "core.hideDotFiles": "true", "core.hooksPath": "HOOKS",
		"core.ignoreStat": "true", "core.logAllRefUpdates": "always", "core.looseCompression": "9", "core.multiPackIndex": "false", "core.notesRef": "refs/notes/x",
		"core.packedGitLimit": "1m", "core.packedGitWindowSize": "1m", "core.packedRefsTimeout": "0", "core.pager": program, "core.precomposeUnicode": "true",
		"core.preferSymlinkRefs": "true", "core.preloadIndex": "false", "core.protectHFS": "true", "core.protectNTFS": "true", "core.quotePath": "false",
		"core.restrictinheritedhandles": "true", "core.safecrlf": "true", "core.sharedRepository": "0666", "core.sparseCheckout": "false",
		"core.sparseCheckoutCone": "false", "core.splitIndex": "true", "core.sshCommand": program, "core.symlinks": "false", "core.trustctime": "false",
		"core.unsetenvvars": "HOME", "core.untrackedCache": "true", "core.useReplaceRefs": "true", "core.warnAmbiguousRefs": "false", "core.whitespace": "tab-in-indent,-trailing-space",

		"apply.ignoreWhitespace": "change", "apply.whitespace": "error-all",
		"status.aheadBehind": "false", "status.branch": "true", "status.displayCommentPrefix": "true", "status.relativePaths": "true", "status.renameLimit": "1",
		"status.renames": "copies", "status.short": "true", "status.showStash": "true", "status.showUntrackedFiles": "no", "status.submoduleSummary": "true",
		"merge.trap.driver": program + " %A", "merge.trap.name": "trap", "merge.trap.recursive": "trap", "merge.autoStash": "true", "merge.branchdesc": "true",
		"merge.conflictStyle": "zdiff3", "merge.default": "trap", "merge.defaultToUpstream": "true", "merge.directoryRenames": "true", "merge.ff": "only", "merge.guitool": "trap",
		"merge.log": "20", "merge.renameLimit": "1", "merge.renames": "false", "merge.renormalize": "true", "merge.stat": "false", "merge.suppressDest": "*",
		"merge.tool": "trap", "merge.verbosity": "5", "merge.verifySignatures": "true",

		"color.ui": "always", "color.diff": "always", "color.status": "always", "color.branch": "always", "color.interactive": "always", "color.pager": "true",
		"color.diff.old": "ul red", "column.ui": "always", "pager.diff": program, "pager.status": program, "pager.log": program, "pager.config": program,
		"alias.diff": "!" + program, "alias.status": "!" + program, "alias.rev-parse": "!" + program, "alias.config": "!" + program, "alias.cat-file": "!" + program,
		"alias.update-ref": "!" + program, "alias.hash-object": "!" + program, "alias.st": "!" + program, "interactive.diffFilter": program, "sequence.editor": program,
		"credential.helper": "!" + program, "credential.https://example.invalid.helper": "!" + program, "ssh.variant": "simple", "protocol.allow": "always", "protocol.ext.allow": "always",
		"url.ext::" + program + " .insteadOf": "https://example.invalid/", "remote.origin.proxy": "http://127.0.0.1:9", "remote.origin.uploadpack": program,
		"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none", "uploadpack.packObjectsHook": program, "submodule.sub.update": "!" + program,
		"gpg.program": program, "gpg.ssh.program": program, "gpg.x509.program": program, "gpg.ssh.defaultKeyCommand": program, "commit.gpgSign": "true", "tag.gpgSign": "true",
		"push.gpgSign": "if-asked", "log.showSignature": "true", "user.signingKey": "x", "user.useConfigOnly": "true", "commit.template": file, "commit.verbose": "true",
		"difftool.trap.cmd": program, "mergetool.trap.cmd": program, "man.viewer": "trap", "man.trap.cmd": program, "web.browser": "trap", "browser.trap.cmd": program,
		"trailer.x.command": program, "trailer.x.cmd": program, "filter.trap.clean": program, "filter.trap.smudge": program, "filter.trap.process": program, "filter.trap.required": "true",
		"trace2.normalTarget": file, "trace2.perfTarget": file, "trace2.eventTarget": file, "trace2.envVars": "HOME", "trace2.configParams": "*",
		"gc.auto": "1", "gc.autoDetach": "false", "gc.pruneExpire": "now", "maintenance.auto": "true", "fetch.writeCommitGraph": "true", "index.version": "4", "index.sparse": "true",
		"index.threads": "1", "feature.manyFiles": "true", "feature.experimental": "true", "pack.packSizeLimit": "1m", "pack.compression": "0", "pack.indexVersion": "1",
		"i18n.commitEncoding": "UTF-16", "i18n.logOutputEncoding": "UTF-16", "log.date": "relative", "log.decorate": "full", "format.pretty": "oneline", "grep.lineNumber": "true",
		"submodule.recurse": "true", "submodule.fetchJobs": "9", "init.defaultBranch": "strange", "init.templateDir": "HOOKS", "help.autoCorrect": "1", "core.trapUnknown": program,
		"safe.bareRepository": "all", "rerere.enabled": "true", "branch.sort": "-committerdate", "versionsort.suffix": "x", "advice.detachedHead": "true",
	}
}

// notTraps are the settings of the five families that cannot be set without
// changing what is right, with the reason.
func notTraps() map[string]string {
	return map[string]string{
		"core.attributesFile":          "names the conversions of git add; set in the house of attributes",
		"core.excludesFile":            "says what git ignores, which is never touched",
		"core.bare":                    "says what the repository is: without a work tree it is refused",
		"core.ignoreCase":              "says what the file system does; doctor says where it is wrong",
		"core.worktree":                "refused where it leads out (gitops TestWorkTreeAtAnotherPlace)",
		"core.repositoryFormatVersion": "says how the repository is read",
	}
}

// TestSettingsAreAll: no setting of the families that this git knows is missing.
func TestSettingsAreAll(t *testing.T) {
	out, err := exec.Command("git", "help", "-c").Output()
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for key := range settings() {
		have[strings.ToLower(key)] = true
	}
	for key := range notTraps() {
		have[strings.ToLower(key)] = true
	}
	known := 0
	for _, key := range strings.Fields(string(out)) {
		family, _, _ := strings.Cut(key, ".")
		switch family {
		case "diff", "core", "apply", "status", "merge":
			known++
			if key = strings.NewReplacer("<driver>", "trap").Replace(key); !have[strings.ToLower(key)] {
				t.Errorf("git knows %s: set a trap with it", key)
			}
		}
	}
	if known < 100 {
		t.Errorf("git told of %d settings only", known)
	}
}

// setting is a trap's value in a house.
func (y *yard) setting(key, value string) string {
	name := "config-" + strings.NewReplacer(".", "-", "/", "-", ":", "-", " ", "-").Replace(key)
	if strings.Contains(value, program) {
		value = strings.ReplaceAll(value, program, y.trap(name))
	}
	return strings.NewReplacer(file, y.markers()+"/"+name, "HOOKS", y.hooks()).Replace(value)
}

// hooks is a folder with every hook that git has, each a trap.
func (y *yard) hooks() string {
	for _, name := range []string{"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg",
		"post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive", "post-update",
		"reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate", "fsmonitor-watchman", "post-index-change"} {
		y.trap(name)
	}
	return y.traps()
}
