// Package settings reads overturn's settings in layers.
package settings

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

// The kinds of checkpoint store.
const (
	BackendRefs   = "git-refs"
	BackendBranch = "git-branch"
	BackendFiles  = "files"
)

// Value is one setting as `config` shows it.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin Origin `json:"origin"`
	Where  string `json:"where"` // file or variable, "" for a default
}

// Settings are the values in force.
type Settings struct {
	MaxFileSize int64 // capture.max_file_size, bytes
	Checkpoints Checkpoints
	Values      []Value // every setting, by key
}

// Checkpoints is where checkpoint records go.
type Checkpoints struct {
	Primary string
	Mirrors []string
	Remote  string
}

// Load reads the layers.
func Load(root, userDir string, getenv func(string) string) (Settings, error) {
	return Settings{}, nil
}

// UserDir is the user's configuration folder.
func UserDir(getenv func(string) string) string { return "" }
