package gitops

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"overturn/model/durable"
	"overturn/model/wire"
)

// factsVersion changes with the meaning of the file: another version is not read.
const factsVersion = 1

// settleTime is how old every file must be, when git is asked, for the answer to
// be kept: a file written while git read it, in the same tick of the file
// system's clock (4 to 10 ms), would keep its stamp.
const settleTime = 100 * time.Millisecond

// facts is what git said of a repository, and the stamps of all that it came from.
type facts struct {
	Version      int     `json:"version"`
	Top          text    `json:"top"` // the folder where .git was met
	Root         text    `json:"root"`
	GitDir       text    `json:"git_dir"`
	CommonDir    text    `json:"common_dir"`
	WorkTree     text    `json:"work_tree"`
	ObjectFormat string  `json:"object_format"`
	RefStorage   string  `json:"ref_storage"`
	Env          []text  `json:"env"`
	Config       []text  `json:"config"` // key, value, key, value …: as the keys of an object they would lose bytes
	Files        []stamp `json:"files"`
	Folders      []stamp `json:"folders"`
}

// text is bytes in JSON: as they are when they are UTF-8, in base64 otherwise.
type text string

const textMark = "\x00base64:"

// MarshalText is lossless for any bytes.
func (t text) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(t)) && !strings.HasPrefix(string(t), textMark) {
		return []byte(t), nil
	}
	return []byte(textMark + base64.StdEncoding.EncodeToString([]byte(t))), nil
}

// UnmarshalText is the inverse of MarshalText.
func (t *text) UnmarshalText(data []byte) error {
	coded, ok := strings.CutPrefix(string(data), textMark)
	if !ok {
		*t = text(data)
		return nil
	}
	raw, err := base64.StdEncoding.DecodeString(coded)
	*t = text(raw)
	return err
}

// factsEnv are the variables that decide which settings git reads and whom it trusts.
func factsEnv(getenv func(string) string) []text {
	names := []string{"HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "SUDO_UID"}
	values := make([]text, len(names))
	for i, name := range names {
		values[i] = text(getenv(name))
	}
	return values
}

func factsFile(gitDir string) string { return filepath.Join(gitDir, stateName, "facts.json") }

// encode is one line of JSON and one with its checksum: the file is written
// without a sync, so a crash may leave any bytes.
func (f *facts) encode() ([]byte, error) {
	line, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(append(line, '\n'), "%08x\n", crc32.ChecksumIEEE(line)), nil
}

// decodeFacts returns nil for anything that is not whole and of this version.
func decodeFacts(data []byte) *facts {
	line, sum, ok := bytes.Cut(data, []byte{'\n'})
	if !ok || string(sum) != fmt.Sprintf("%08x\n", crc32.ChecksumIEEE(line)) {
		return nil
	}
	var f facts
	if wire.Into(line, &f, readFacts) != nil || f.Version != factsVersion {
		return nil
	}
	return &f
}

// knownFacts returns the repository that the facts at place speak of, or nil when
// there are none or anything they came from has changed.
func knownFacts(start string, at place, env Env) *Repo {
	data, err := ReadFile(factsFile(at.gitDir))
	if err != nil {
		return nil
	}
	f := decodeFacts(data)
	if f == nil || string(f.Top) != at.top || string(f.GitDir) != at.gitDir || !within(start, string(f.Root)) || !f.stand(env) {
		return nil
	}
	config := make(map[string]string, len(f.Config)/2)
	for i := 0; i+1 < len(f.Config); i += 2 {
		config[string(f.Config[i])] = string(f.Config[i+1])
	}
	return &Repo{Root: string(f.Root), GitDir: string(f.GitDir), CommonDir: string(f.CommonDir), WorkTree: string(f.WorkTree),
		ObjectFormat: f.ObjectFormat, RefStorage: f.RefStorage, env: env, config: config}
}

// stand tells whether nothing moved. The folders must belong to the caller: git
// accepts these without looking at safe.directory, and nobody else can have
// written the facts there.
func (f *facts) stand(env Env) bool {
	now := factsEnv(env.Getenv)
	if len(f.Env) != len(now) || len(f.Folders) == 0 || len(f.Files) == 0 {
		return false
	}
	for i := range now {
		if f.Env[i] != now[i] {
			return false
		}
	}
	for _, old := range f.Folders {
		if s, err := stampDir(string(old.Path)); err != nil || s != old || !s.mine() {
			return false
		}
	}
	for _, old := range f.Files {
		if s, err := stampFile(string(old.Path)); err != nil || s != old {
			return false
		}
	}
	return true
}

// learn makes the facts of r, or nil when they cannot be kept: asked is the
// moment before git was asked.
func learn(r *Repo, at place, asked time.Time, entries []configEntry, execPath string) *facts {
	files, ok := configFiles(entries, r, execPath)
	if !ok || at.top == "" {
		return nil
	}
	f := &facts{Version: factsVersion, Top: text(at.top), Root: text(r.Root), GitDir: text(r.GitDir), CommonDir: text(r.CommonDir),
		WorkTree: text(r.WorkTree), ObjectFormat: r.ObjectFormat, RefStorage: r.RefStorage, Env: factsEnv(r.env.Getenv)}
	for k, v := range r.config {
		f.Config = append(f.Config, text(k), text(v))
	}
	if at.gitFile != "" {
		files = append(files, at.gitFile)
	}
	for _, path := range files {
		s, err := stampFile(path)
		if err != nil || s.newest() > asked.Add(-settleTime).UnixNano() {
			return nil
		}
		f.Files = append(f.Files, s)
	}
	for _, path := range unique([]string{at.top, r.Root, r.GitDir, r.CommonDir}) {
		s, err := stampDir(path)
		if err != nil || !s.mine() {
			return nil
		}
		f.Folders = append(f.Folders, s)
	}
	return f
}

// keepFacts replaces the facts file with what was learnt, when the state folder
// is there. Failing to keep costs the next Find two children, nothing else.
func (r *Repo) keepFacts() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending == nil {
		return
	}
	data, err := r.pending.encode()
	if err != nil {
		return
	}
	durable.Point("gitops.keepfacts.create")
	tmp, err := os.CreateTemp(r.StateDir(), "facts-*.tmp")
	if err != nil {
		return
	}
	durable.Point("gitops.keepfacts.write")
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		durable.Point("gitops.keepfacts.rename")
		err = durable.RenameOwn(tmp.Name(), factsFile(r.GitDir))
	}
	if err != nil {
		durable.Point("gitops.keepfacts.remove")
		os.Remove(tmp.Name())
		return
	}
	r.pending = nil
}
