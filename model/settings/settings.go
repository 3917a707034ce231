package settings

import (
	"errors"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"overturn/model"
)

// Origin says which layer a value came from.
type Origin string

// The layers, weakest first.
const (
	OriginDefault Origin = "default"
	OriginUser    Origin = "user"
	OriginProject Origin = "project"
	OriginLocal   Origin = "local"
	OriginEnv     Origin = "environment"
)

// The defaults of CONTRACT, section 4.
const (
	DefaultMaxFileSize int64 = 100 << 20
	DefaultPrimary           = "git-refs"
)

// Value is one setting as `config` shows it.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin Origin `json:"origin"`
	Where  string `json:"where,omitempty"` // file or variable, "" for a default
}

// Settings are the values in force.
type Settings struct {
	MaxFileSize int64 // capture.max_file_size in bytes: larger files are left out
	Anywhere    bool  // capture.anywhere: record in a home too, or a folder of the system
	Checkpoints Checkpoints
	Retention   Retention
	Review      Review
	Tell        Tell // agents.tell: what agents are told without being asked for
	// ShareSnapshots has records take the contents of the work tree along to remotes.
	ShareSnapshots bool
	Redaction      Redaction
	Values         []Value // every setting, in order of the keys
}

// Checkpoints says which backends keep checkpoint records, by their type names,
// and which remote they are exchanged with ("" when none is named).
type Checkpoints struct {
	Primary string
	Mirrors []string
	Remote  string
	// Offered: Remote is from a file that may have come with the repository. It is a
	// proposal, and the user's word decides.
	Offered bool
}

// draft is Settings with the origin of each part.
type draft struct {
	size         int64
	sizeFrom     source
	anywhere     bool
	anywhereFrom source
	checkpoints  Checkpoints
	blockFrom    source
	mirrorsFrom  source
	remoteFrom   source
	retention
	personal
	sharing
	redaction
}

type source struct {
	origin Origin
	where  string
}

// File is a settings file that is read when it is there.
type File struct {
	Origin Origin
	Path   string
}

// Files are the files of the layers, weakest first. root is the top of the work tree,
// "" outside of one; userDir as UserDir has it.
func Files(root, userDir string) []File {
	var list []File
	if userDir != "" {
		list = append(list, File{OriginUser, filepath.Join(userDir, "settings.json")})
	}
	if root != "" {
		list = append(list, File{OriginProject, filepath.Join(root, ".overturn", "settings.json")},
			File{OriginLocal, filepath.Join(root, ".overturn", "settings.local.json")})
	}
	return list
}

// Load reads all layers, of root and userDir as Files has them. With an error (code CodeFailed, one message for each broken layer) the
// settings are those of the layers that are whole.
func Load(root, userDir string, getenv func(string) string) (Settings, error) {
	d := draft{size: DefaultMaxFileSize, checkpoints: Checkpoints{Primary: DefaultPrimary}}
	none := source{origin: OriginDefault}
	d.sizeFrom, d.blockFrom, d.mirrorsFrom, d.remoteFrom = none, none, none, none
	d.retention, d.personal, d.anywhereFrom = defaultRetention(), defaultReview(), none
	d.sharing.snapshots.from, d.redaction.patterns.from, d.redaction.allow.from = none, none, none
	var broken []error
	for _, f := range Files(root, userDir) {
		if err := d.file(source{f.Origin, f.Path}); err != nil {
			broken = append(broken, err)
		}
	}
	if err := d.environment(getenv); err != nil {
		broken = append(broken, err)
	}
	return d.settings(), joined(broken)
}

// joined keeps one error as it is: its message and hint are for people.
func joined(broken []error) error {
	if len(broken) < 2 {
		return errors.Join(broken...)
	}
	return &model.Error{Code: model.CodeFailed, Message: "several settings are broken", Hint: model.HintOf(broken[0]), Err: errors.Join(broken...)}
}

func (d *draft) settings() Settings {
	value := func(key, v string, from source) Value { return Value{key, v, from.origin, from.where} }
	s := Settings{MaxFileSize: d.size, Anywhere: d.anywhere, Checkpoints: d.checkpoints, Retention: d.retention.settings(), Review: d.personal.settings(), Tell: d.tell.value, ShareSnapshots: d.sharing.snapshots.value, Redaction: d.redaction.settings()}
	s.Checkpoints.Offered = d.checkpoints.Remote != "" && (d.remoteFrom.origin == OriginProject || d.remoteFrom.origin == OriginLocal)
	s.Values = append([]Value{
		value("agents.tell", string(d.tell.value), d.tell.from),
		value("capture.anywhere", strconv.FormatBool(d.anywhere), d.anywhereFrom),
		value("capture.max_file_size", strconv.FormatInt(d.size, 10), d.sizeFrom),
		value("checkpoints.mirrors", strings.Join(d.checkpoints.Mirrors, ","), d.mirrorsFrom),
		value("checkpoints.primary", d.checkpoints.Primary, d.blockFrom),
		value("checkpoints.remote", d.checkpoints.Remote, d.remoteFrom),
	}, d.personal.values()...)
	s.Values = append(s.Values, d.redaction.values()...)
	s.Values = append(s.Values,
		value("retention.keep", strconv.Itoa(d.keep.value), d.keep.from),
		value("retention.older_than", AgeText(d.olderThan.value), d.olderThan.from),
		value("retention.unreviewed", AgeText(d.unreviewed.value), d.unreviewed.from))
	s.Values = append(s.Values, d.personal.fixed()...)
	s.Values = append(s.Values, value("sharing.snapshots", strconv.FormatBool(d.sharing.snapshots.value), d.sharing.snapshots.from))
	return s
}

// environment lays the OVERTURN_… variables over the rest. A primary that is
// named there replaces the whole selection, mirrors too.
func (d *draft) environment(getenv func(string) string) error {
	next := *d
	if v := getenv("OVERTURN_CAPTURE_MAX_FILE_SIZE"); v != "" {
		size, err := ParseSize(v)
		if err != nil {
			return brokenVariable("OVERTURN_CAPTURE_MAX_FILE_SIZE", err)
		}
		next.size, next.sizeFrom = size, source{OriginEnv, "OVERTURN_CAPTURE_MAX_FILE_SIZE"}
	}
	if v := getenv("OVERTURN_CAPTURE_ANYWHERE"); v != "" {
		anywhere, err := strconv.ParseBool(v)
		if err != nil {
			return brokenVariable("OVERTURN_CAPTURE_ANYWHERE", err)
		}
		next.anywhere, next.anywhereFrom = anywhere, source{OriginEnv, "OVERTURN_CAPTURE_ANYWHERE"}
	}
	if v := getenv("OVERTURN_CHECKPOINTS_PRIMARY"); v != "" {
		next.blockFrom = source{OriginEnv, "OVERTURN_CHECKPOINTS_PRIMARY"}
		next.mirrorsFrom = next.blockFrom
		next.checkpoints.Primary, next.checkpoints.Mirrors = v, nil
	}
	if v := getenv("OVERTURN_CHECKPOINTS_MIRRORS"); v != "" {
		next.mirrorsFrom = source{OriginEnv, "OVERTURN_CHECKPOINTS_MIRRORS"}
		next.checkpoints.Mirrors = nil
		for _, name := range strings.Split(v, ",") {
			next.checkpoints.Mirrors = append(next.checkpoints.Mirrors, strings.TrimSpace(name))
		}
	}
	if v := getenv("OVERTURN_CHECKPOINTS_REMOTE"); v != "" {
		next.checkpoints.Remote, next.remoteFrom = v, source{OriginEnv, "OVERTURN_CHECKPOINTS_REMOTE"}
	}
	if err := next.personal.environment(getenv); err != nil {
		return err
	}
	if err := next.sharing.environment(getenv); err != nil {
		return err
	}
	if err := next.retention.environment(getenv); err != nil {
		return err
	}
	if err := next.checkpoints.check(); err != nil {
		return brokenVariable("OVERTURN_CHECKPOINTS_…", err)
	}
	*d = next
	return nil
}

// check holds a selection against itself: each type once, none without a name.
// Which types there are is the registry's to say.
func (c Checkpoints) check() error {
	seen := map[string]bool{}
	for i, name := range append([]string{c.Primary}, c.Mirrors...) {
		switch {
		case name == "" && i == 0:
			return errors.New("primary.type is missing")
		case name == "":
			return errors.New("a mirror has no type")
		case seen[name]:
			return errors.New(name + " is named twice")
		}
		seen[name] = true
	}
	return nil
}

func brokenVariable(name string, err error) error {
	return &model.Error{Code: model.CodeFailed, Message: "the environment variable " + name + " is broken", Hint: "correct it or unset it", Err: err}
}

// UserDir is the user's configuration folder: OVERTURN_HOME, else
// XDG_CONFIG_HOME/overturn, else ~/.config/overturn; on Windows below APPDATA. It
// is "" when the environment names no home.
func UserDir(getenv func(string) string) string {
	if dir := getenv("OVERTURN_HOME"); dir != "" {
		return dir
	}
	if runtime.GOOS == "windows" {
		if dir := getenv("APPDATA"); dir != "" {
			return filepath.Join(dir, "overturn")
		}
		return ""
	}
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "overturn")
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".config", "overturn")
	}
	return ""
}
