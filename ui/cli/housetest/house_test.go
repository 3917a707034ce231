package housetest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestHostileHouses: settings at every level, variables, hooks and programs that
// would change, misdirect or run something: nothing runs, and every verb says what
// it says in the clean house.
func TestHostileHouses(t *testing.T) {
	y := newYard(t)
	clean := y.build("clean")
	want := clean.take()
	left := clean.leftBehind()
	for _, c := range []struct {
		name string
		set  []func(*house)
	}{
		{"clean again", nil}, // what differs in the others is theirs
		{"settings of the user", []func(*house){globalSettings}},
		{"settings of the repository", []func(*house){repositorySettings}},
		{"settings of the work tree, hooks and submodules", []func(*house){workTreeSettings, hooksAndSubmodules}},
		{"settings of the system, and included", []func(*house){systemSettings, includedSettings}},
		{"settings of the caller's git", []func(*house){callerSettings}},
		{"attributes", []func(*house){attributes}},
		{"programs in variables and in the folder, in a foreign place", []func(*house){programVariables, programsInTheFolder, foreignPlace}},
	} {
		t.Run(c.name, func(t *testing.T) {
			y.t = t
			h := y.build(c.name, c.set...)
			h.entered(want)
			if now := h.leftBehind(); now != left {
				t.Errorf("the work tree and the index are\n%s\nand were\n%s", apart(now, left), apart(left, now))
			}
		})
	}
	y.t = t
}

// configFile writes all traps in the syntax of a configuration file, behind what
// is there.
func (h *house) configFile(name string) {
	h.t.Helper()
	all := settings()
	keys := make([]string, 0, len(all))
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	old, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		h.t.Fatal(err)
	}
	var b strings.Builder
	b.Write(old)
	for _, key := range keys {
		value := h.setting(key, all[key])
		key = strings.ReplaceAll(key, program, h.trap("config-url"))
		section, rest, _ := strings.Cut(key, ".")
		if i := strings.LastIndex(rest, "."); i >= 0 {
			section, rest = fmt.Sprintf("%s %q", section, rest[:i]), rest[i+1:]
		}
		fmt.Fprintf(&b, "[%s]\n\t%s = %q\n", section, rest, value)
	}
	h.write(name, b.String())
}

func globalSettings(h *house)     { h.configFile(filepath.Join(h.home(), ".gitconfig")) }
func repositorySettings(h *house) { h.configFile(h.in(".git/config")) }

func workTreeSettings(h *house) {
	h.git("config", "extensions.worktreeConfig", "true")
	h.configFile(h.in(".git/config.worktree"))
}

func systemSettings(h *house) {
	h.configFile(filepath.Join(h.place(), "etc"))
	h.env = append(h.env, "GIT_CONFIG_SYSTEM="+filepath.Join(h.place(), "etc"), "GIT_CONFIG_NOSYSTEM=0")
}

func includedSettings(h *house) {
	inc := filepath.Join(h.home(), "more")
	h.configFile(inc)
	h.write(filepath.Join(h.home(), ".config/git/config"), "[include]\n\tpath = ~/more\n[includeIf \"gitdir:**\"]\n\tpath = "+inc+"\n[includeIf \"onbranch:**\"]\n\tpath = "+inc+"\n")
}

// callerSettings: overturn is called by an alias or a hook of git, with -c.
func callerSettings(h *house) {
	n, quoted := 0, ""
	for key, value := range settings() {
		value = h.setting(key, value)
		h.env = append(h.env, "GIT_CONFIG_KEY_"+strconv.Itoa(n)+"="+key, "GIT_CONFIG_VALUE_"+strconv.Itoa(n)+"="+value)
		quoted += " '" + key + "'='" + value + "'"
		n++
	}
	h.env = append(h.env, "GIT_CONFIG_COUNT="+strconv.Itoa(n), "GIT_CONFIG_PARAMETERS="+quoted[1:])
}

// attributes give every file a driver of each kind but filter, which is git's own
// conversion.
func attributes(h *house) {
	const line = "* diff=trap merge=trap whitespace=trailing-space conflict-marker-size=3 export-subst export-ignore -delta\n"
	h.write(filepath.Join(h.home(), ".config/git/attributes"), line)
	h.write(filepath.Join(h.home(), "attributes"), line)
	h.git("config", "core.attributesFile", filepath.Join(h.home(), "attributes"))
	h.write(h.in(".git/info/attributes"), line)
	globalSettings(h)
}

// hooksAndSubmodules: hooks where git looks for them, and settings of the
// repositories inside, which git enters to look at a submodule.
func hooksAndSubmodules(h *house) {
	hooks := h.hooks()
	for _, gitDir := range []string{h.in(".git"), h.in(".git/modules/sub"), h.in("nested/.git")} {
		h.must(os.RemoveAll(filepath.Join(gitDir, "hooks")))
		h.must(os.Symlink(hooks, filepath.Join(gitDir, "hooks")))
	}
	h.configFile(h.in(".git/modules/sub/config"))
	h.configFile(h.in("nested/.git/config"))
	h.write(h.in(".git/modules/sub/info/attributes"), "* diff=trap merge=trap\n")
	h.write(h.in("nested/.git/info/attributes"), "* diff=trap merge=trap filter=trap\n")
}

func programVariables(h *house) {
	for _, name := range []string{"GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_EDITOR", "VISUAL", "EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_ASKPASS", "SSH_ASKPASS",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "SHELL", "BROWSER", "MANPAGER", "GIT_MAN_VIEWER", "GIT_WEB_BROWSER"} {
		h.env = append(h.env, name+"="+h.trap("env-"+name))
	}
	for _, name := range []string{"GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE_PACKET", "GIT_TRACE_PACK_ACCESS", "GIT_TRACE_PERFORMANCE", "GIT_TRACE_REFS", "GIT_TRACE_FSMONITOR",
		"GIT_TRACE_SHALLOW", "GIT_TRACE_CURL", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE2_PERF", "GIT_REDIRECT_STDOUT", "GIT_REDIRECT_STDERR", "BASH_ENV", "ENV"} {
		h.env = append(h.env, name+"="+h.markers()+"/env-"+name)
	}
	h.env = append(h.env, "GIT_TEMPLATE_DIR="+h.hooks(), "GIT_DIFF_OPTS=-u0", "GIT_FLUSH=0", "GIT_LITERAL_PATHSPECS=0", "GIT_GLOB_PATHSPECS=1", "GIT_ICASE_PATHSPECS=1",
		"GIT_OPTIONAL_LOCKS=1", "GIT_DEFAULT_HASH=sha256", "GIT_REPLACE_REF_BASE=refs/x", "GIT_ATTR_SOURCE=main", "GIT_INDEX_VERSION=4", "GIT_MERGE_VERBOSITY=5",
		"GIT_REFLOG_ACTION=x", "GIT_QUARANTINE_PATH=/x", "GIT_PUSH_OPTION_COUNT=1", "GIT_ALLOW_PROTOCOL=ext", "GIT_NO_LAZY_FETCH=0", "LESS=x", "LV=x", "LESSOPEN=|"+h.trap("lessopen"))
}

// programsInTheFolder: PATH leads into the work tree, where git and sh lie.
func programsInTheFolder(h *house) {
	h.env = append(h.env, "PATH=.::"+os.Getenv("PATH")+":")
}

// foreignPlace: another language, another time zone, no terminal to speak of, no
// identity, nothing of a user.
func foreignPlace(h *house) {
	h.env = append(h.env, "LANG=de_DE.UTF-8", "LC_ALL=tr_TR.UTF-8", "LC_MESSAGES=ja_JP.UTF-8", "LANGUAGE=fr:de", "TZ=Asia/Kathmandu", "COLUMNS=9", "LINES=2", "TERM=unheard-of",
		"POSIXLY_CORRECT=1", "CDPATH=/", "GREP_OPTIONS=-v", "CLICOLOR_FORCE=1", "FORCE_COLOR=3", "COLORTERM=truecolor", "IFS=/", "USER=", "LOGNAME=", "EMAIL=", "HOSTNAME=")
}
