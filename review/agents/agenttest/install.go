package agenttest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"overturn/review/agents"
)

// Host is a machine that has nothing but a home folder and a work tree, both
// below a temporary folder. env adds to HOME.
func Host(t testing.TB, env map[string]string) agents.Host {
	t.Helper()
	dir := t.TempDir()
	home, root := filepath.Join(dir, "home"), filepath.Join(dir, "repo")
	for _, d := range []string{home, root} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return agents.Host{Root: root,
		Getenv: func(k string) string {
			if v, ok := env[k]; ok {
				return v
			}
			if k == "HOME" {
				return home
			}
			return ""
		},
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
}

// Installer runs the contract of putting hooks in place.
func Installer(t *testing.T, a agents.Agent) {
	in, ok := a.(agents.Installer)
	if !ok {
		t.Fatalf("%s is no installer", a.Name())
	}
	command := agents.HookCommand("/opt/my tools/overturn", a.Name(), true)
	if !agents.IsHookCommand(command, a.Name()) || agents.IsHookCommand(command, a.Name()+"x") || agents.IsHookCommand("say hook "+a.Name(), a.Name()) {
		t.Fatalf("our command line %q is not told from others", command)
	}
	h := Host(t, nil)
	if in.Found(h) {
		t.Error("found on a machine that has nothing")
	}
	seen := map[agents.Where]bool{}
	for i, s := range in.Files(h) {
		seen[s.Where] = true
		s = in.Files(Host(t, nil))[i] // a machine of its own
		t.Run(string(s.Where), func(t *testing.T) {
			fresh(t, in, s, command)
			kept(t, a, in, s, command)
			between(t, a, in, s, command)
			linked(t, in, s, command)
			broken(t, in, s, command)
		})
	}
	if !seen[in.Default()] || !seen[agents.User] || !seen[agents.Project] {
		t.Errorf("places: %v, default %s", seen, in.Default())
	}
}

// fresh: a file that was not there goes again, and the folder that was made for it.
func fresh(t *testing.T, in agents.Installer, s agents.Settings, command string) {
	done, err := agents.Enable(in, s, command)
	if err != nil || !done.Written || done.MadeFolder == "" {
		t.Fatalf("enable: %+v, %v", done, err)
	}
	events, err := agents.Installed(in, s)
	if err != nil || len(events) < 6 {
		t.Fatalf("installed: %q, %v", events, err)
	}
	again, err := agents.Enable(in, s, command)
	if err != nil || again.Written {
		t.Errorf("enable twice: %+v, %v", again, err)
	}
	off, err := agents.Disable(in, s, done.MadeFolder)
	if err != nil || !off.Written || !off.Removed {
		t.Fatalf("disable: %+v, %v", off, err)
	}
	if _, err := os.Stat(done.MadeFolder); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
	if off, err = agents.Disable(in, s, done.MadeFolder); err != nil || off.Written {
		t.Errorf("disable twice: %+v, %v", off, err)
	}
}

// linked: a settings file kept elsewhere is changed there, and stays a link.
func linked(t *testing.T, in agents.Installer, s agents.Settings, command string) {
	if runtime.GOOS == "windows" {
		return
	}
	real := filepath.Join(t.TempDir(), "dotfiles.json")
	put(t, real, []byte("{}"), 0o644)
	if err := os.Remove(s.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, s.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Enable(in, s, command); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(s.Path); err != nil || info.Mode()&os.ModeSymlink == 0 || !bytes.Contains(read(t, real), []byte(" hook ")) {
		t.Errorf("the link: %v %v", info, err)
	}
	if _, err := agents.Disable(in, s); err != nil || string(read(t, real)) != "{}" {
		t.Errorf("came back as %q, %v", read(t, real), err)
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Enable(in, s, command); err == nil {
		t.Error("a link that leads nowhere was followed")
	}
	if err := os.Remove(s.Path); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path string, src []byte, perm os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, src, perm); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
