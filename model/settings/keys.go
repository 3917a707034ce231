package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Definition is one setting that there is.
type Definition struct {
	Key      string   // as `config` names it
	Path     []string // the names that lead to its value in a file
	Env      string   // the variable that lies over the files, "" when there is none
	Personal bool     // of the user's file alone: what comes with a repository cannot set it
	Spelt    string   // how a value is spelt
	Help     string
	encode   func(string) (any, error)
}

// Encode is a value that was typed as it stands in a file.
func (d Definition) Encode(value string) (any, error) { return d.encode(value) }

// KeyPrefix begins the names of the settings of keys: what follows is an intent.
const KeyPrefix = "keys."

// Definitions lists the settings in order of the keys; of the block "keys" one that
// stands for all.
func Definitions() []Definition {
	return []Definition{
		{"agents.tell", []string{"agents", "tell"}, "OVERTURN_AGENTS_TELL", true, "off, rollbacks", "agents are told with their next prompt what was taken back of their turns", encodeWith(parseTell)},
		{"capture.anywhere", []string{"capture", "anywhere"}, "OVERTURN_CAPTURE_ANYWHERE", false, "true, false", "record in a home, or a folder of the system, too", encodeBool},
		{"capture.max_file_size", []string{"capture", "max_file_size"}, "OVERTURN_CAPTURE_MAX_FILE_SIZE", false, "bytes; 10k, 5m, 1g", "larger files are left out of snapshots", encodeSize},
		{"checkpoints.mirrors", []string{"checkpoints", "mirrors"}, "OVERTURN_CHECKPOINTS_MIRRORS", false, "types with commas between", "where records are written too", encodeTypes},
		{"checkpoints.primary", []string{"checkpoints", "primary", "type"}, "OVERTURN_CHECKPOINTS_PRIMARY", false, "git-refs, git-branch", "where records are kept and read", encodeWord},
		{"checkpoints.remote", []string{"checkpoints", "remote"}, "OVERTURN_CHECKPOINTS_REMOTE", false, "name of a remote", "the remote that records are exchanged with", encodeWord},
		{KeyPrefix + "INTENT", []string{"keys"}, "", true, "keys with spaces between; none", "the keys of an intent in the review; `config keys` lists them", encodeKeys},
		{"redaction.allow", []string{"redaction", "allow"}, "", true, "a regular expression; in the file a list", "what it matches whole is no secret, and leaves with records", encodeAllow},
		{"redaction.patterns", []string{"redaction", "patterns"}, "", false, "NAME=REGEXP; in the file an object", "what is taken out of records that leave, beside what the rules find", encodePattern},
		{"retention.keep", []string{"retention", "keep"}, "OVERTURN_RETENTION_KEEP", false, "number of turns", "prune leaves as many turns of each thread", encodeWith(parseKeep)},
		{"retention.older_than", []string{"retention", "older_than"}, "OVERTURN_RETENTION_OLDER_THAN", false, "30d, 4w, 36h", "prune takes what is older", encodeAge},
		{"retention.unreviewed", []string{"retention", "unreviewed"}, "OVERTURN_RETENTION_UNREVIEWED", false, "30d, 4w, 36h", "prune leaves what nobody looked at for so long", encodeAge},
		{"review.mouse", []string{"review", "mouse"}, "OVERTURN_NO_MOUSE", true, "true, false", "the review takes the mouse", encodeBool},
		{"review.sync", []string{"review", "sync"}, "OVERTURN_NO_SYNC", true, "auto, on, off", "frames are sent as synchronised output; auto: where the terminal knows it", encodeWith(parseSync)},
		{"review.theme", []string{"review", "theme"}, "OVERTURN_THEME", true, "auto, light, dark, or a name of `overturn themes`", "the colours of the review", encodeWord},
		{"sharing.snapshots", []string{"sharing", "snapshots"}, envShareSnapshots, true, "true, false", "records take the contents of files along to remotes", encodeBool},
	}
}

// Define finds the definition of a key; of one that begins with KeyPrefix, for the
// intent that follows.
func Define(key string) (Definition, bool) {
	for _, d := range Definitions() {
		if intent, ok := strings.CutPrefix(key, KeyPrefix); ok && d.Path[0] == "keys" && intent != "" {
			d.Key, d.Path = key, []string{"keys", intent}
			return d, true
		}
		if d.Key == key && d.Path[0] != "keys" {
			return d, true
		}
	}
	return Definition{}, false
}

func encodeBool(s string) (any, error) {
	switch strings.ToLower(s) {
	case "on", "yes":
		return true, nil
	case "off", "no":
		return false, nil
	}
	b, err := strconv.ParseBool(s)
	if err != nil {
		return nil, fmt.Errorf("%q is neither true nor false", s)
	}
	return b, nil
}

func encodeSize(s string) (any, error) {
	n, err := ParseSize(s)
	if err == nil && strconv.FormatInt(n, 10) == s {
		return n, nil
	}
	return s, err
}

func encodeAge(s string) (any, error) {
	_, err := ParseAge(s)
	return s, err
}

func encodeWith[T any](parse func(string) (T, error)) func(string) (any, error) {
	return func(s string) (any, error) { return parse(s) }
}

func encodeWord(s string) (any, error) {
	if s == "" {
		return nil, fmt.Errorf("the value is empty: unset takes a setting away")
	}
	return s, nil
}

func encodeTypes(s string) (any, error) {
	list := []map[string]string{}
	for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		list = append(list, map[string]string{"type": name})
	}
	return list, nil
}

// NoKey, as the value of an intent, leaves it without a key.
const NoKey = "none"

func encodeKeys(s string) (any, error) {
	keys := strings.Fields(s)
	switch {
	case len(keys) == 0:
		return nil, fmt.Errorf("no key is named: %s leaves the intent without one", NoKey)
	case len(keys) == 1 && keys[0] != NoKey:
		return keys[0], nil
	case slices.Contains(keys, NoKey):
		return []string{}, nil
	}
	return keys, nil
}
