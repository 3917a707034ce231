package settings

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"overturn/model/jsonc"
)

// Stranger is a name in a settings file that nobody obeys.
type Stranger struct {
	Where  string `json:"where"` // the file
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Strangers lists the names in the files of Files that are not obeyed: unknown ones, and
// personal ones in a file that may come with the repository. Files that are missing or
// broken have none. The block "checkpoints" is strict; Load refuses its unknown names.
func Strangers(root, userDir string) []Stranger {
	var list []Stranger
	for _, f := range Files(root, userDir) {
		data, err := readFile(f.Path)
		if err != nil {
			continue
		}
		var top map[string]json.RawMessage
		if jsonc.Unmarshal(data, &top) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(top)) {
			list = append(list, strangersOf(f, name, top[name])...)
		}
	}
	return list
}

// strangersOf looks at one block.
func strangersOf(f File, block string, value json.RawMessage) []Stranger {
	var known []Definition
	for _, d := range Definitions() {
		if d.Path[0] == block {
			known = append(known, d)
		}
	}
	switch {
	case len(known) == 0:
		return []Stranger{{f.Path, block, "there is no such block of settings; " + blocks()}}
	case f.Origin != OriginUser && !slices.ContainsFunc(known, func(d Definition) bool { return !d.Personal }):
		return []Stranger{{f.Path, block, "it is personal: only the user's own file sets it"}}
	case block == "keys" || block == "checkpoints":
		return nil
	}
	var inner map[string]json.RawMessage
	_ = json.Unmarshal(value, &inner) // what is no object, Load refuses
	var list []Stranger
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		at := slices.IndexFunc(known, func(d Definition) bool { return d.Path[1] == name })
		switch {
		case at < 0:
			list = append(list, Stranger{f.Path, block + "." + name, "there is no such setting; there are " + names(known)})
		case known[at].Personal && f.Origin != OriginUser:
			list = append(list, Stranger{f.Path, block + "." + name, "it is personal: only the user's own file sets it"})
		}
	}
	return list
}

func names(known []Definition) string {
	var list []string
	for _, d := range known {
		list = append(list, d.Key)
	}
	return strings.Join(list, ", ")
}

func blocks() string {
	var list []string
	for _, d := range Definitions() {
		if !slices.Contains(list, d.Path[0]) {
			list = append(list, d.Path[0])
		}
	}
	return "there are " + strings.Join(list, ", ")
}
