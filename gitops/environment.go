package gitops

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Identity is overturn's own: snapshots and records are never signed with the
// user's name, and need none.
const (
	IdentityName  = "overturn"
	IdentityEmail = "overturn@localhost"
)

// keptVariables are the GIT_ variables of the caller that reach a child: they say
// where the user's own configuration, programs and keys are, and who is trusted,
// but not which repository is meant.
func keptVariables() map[string]bool {
	return map[string]bool{
		"GIT_CONFIG_GLOBAL": true, "GIT_CONFIG_SYSTEM": true, "GIT_CONFIG_NOSYSTEM": true,
		"GIT_EXEC_PATH": true, "GIT_TEMPLATE_DIR": true, "GIT_SSH": true, "GIT_SSH_COMMAND": true, "GIT_SSH_VARIANT": true,
		"GIT_SSL_CAINFO": true, "GIT_SSL_CAPATH": true, "GIT_SSL_CERT": true, "GIT_SSL_KEY": true, "GIT_SSL_NO_VERIFY": true,
		"GIT_PROXY_COMMAND": true, "GIT_HTTP_PROXY_AUTHMETHOD": true, "GIT_TEST_ASSUME_DIFFERENT_OWNER": true,
	}
}

// baseEnvironment is the caller's environment without what would lead git to
// another repository, make it ask, or change what it prints.
func baseEnvironment(environ []string) []string {
	kept := keptVariables()
	env := make([]string, 0, len(environ)+48)
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case strings.HasPrefix(name, "GIT_") && !kept[name]:
		case name == "LANGUAGE" || name == "LANG" || strings.HasPrefix(name, "LC_"):
		case name == "PAGER" || name == "LESS" || name == "LV" || name == "SSH_ASKPASS":
		default:
			env = append(env, entry)
		}
	}
	env = append(env,
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0", // E-02: a refresh must not break the user's rebase
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_PAGER=cat", "PAGER=cat",
		"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", // over trace2.* of the settings: a guest leaves no tracks
		"GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_AUTHOR_NAME="+IdentityName, "GIT_AUTHOR_EMAIL="+IdentityEmail,
		"GIT_COMMITTER_NAME="+IdentityName, "GIT_COMMITTER_EMAIL="+IdentityEmail,
	)
	if runtime.GOOS == "linux" {
		// glibc gives each object's zlib state back to the kernel and faults it in
		// again; off, a burst of 1,000 files takes a third (research/performance, 2).
		env = append(env, "MALLOC_TRIM_THRESHOLD_=1000000000", "MALLOC_TOP_PAD_=67108864", "MALLOC_MMAP_THRESHOLD_=1000000000")
	}
	return env
}

// pinnedConfig is what every child is told over the user's configuration, as
// pairs. It travels in the environment, so that children of git obey it too.
func pinnedConfig() []string {
	return []string{
		"core.hooksPath", os.DevNull, "core.fsmonitor", "false", "core.pager", "cat", "core.logAllRefUpdates", "false",
		"core.fsync", "committed,index,reference", "core.quotePath", "true", "core.splitIndex", "false",
		"gc.auto", "0", "maintenance.auto", "false", "commit.gpgSign", "false", "tag.gpgSign", "false", "push.gpgSign", "false",
		"log.showSignature", "false", "submodule.recurse", "false", "status.showUntrackedFiles", "all", "status.relativePaths", "false", "color.ui", "false",
		"diff.noprefix", "false", "diff.mnemonicPrefix", "false", "diff.srcPrefix", "a/", "diff.dstPrefix", "b/",
		"diff.algorithm", "myers", "diff.renames", "false", "diff.context", "3", "diff.interHunkContext", "0",
		"diff.indentHeuristic", "true", "diff.suppressBlankEmpty", "false", "diff.ignoreSubmodules", "none",
		"diff.submodule", "short", "diff.wsErrorHighlight", "none", "diff.relative", "false", "diff.colorMoved", "no",
		"diff.orderFile", os.DevNull, "diff.autoRefreshIndex", "false", "diff.statGraphWidth", "0",
	}
}

// GitProgram is the absolute path of the git that is asked, for those who play the
// user's own. A relative entry of PATH is passed over: it leads into the work tree.
func GitProgram(env Env) (string, error) { return lookGit(env) }

// childEnvironment is what one git child of r sees.
func (r *Repo) childEnvironment(opts CommandOptions) []string {
	env := baseEnvironment(r.env.Environ)
	env = append(env, "GIT_DIR="+r.GitDir, "GIT_WORK_TREE="+r.Root)
	if !opts.NoLiteralPathspecs {
		env = append(env, "GIT_LITERAL_PATHSPECS=1")
	}
	if opts.Network {
		env = append(env, r.networkEnvironment()...)
	} else {
		// Git before 2.45 does not know GIT_NO_LAZY_FETCH: a promisor remote would be
		// asked in the middle of a read. No transport has this name.
		env = append(env, "GIT_ALLOW_PROTOCOL=none")
	}
	pairs := pinnedConfig()
	for i := 0; i < len(pairs); i += 2 {
		n := strconv.Itoa(i / 2)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+pairs[i], "GIT_CONFIG_VALUE_"+n+"="+pairs[i+1])
	}
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(pairs)/2))
	return append(env, opts.Env...)
}
