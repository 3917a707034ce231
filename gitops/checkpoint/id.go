package checkpoint

import (
	"strings"

	"overturn/model"
)

// Kind is the spelling of an id, which says which backend made it.
type Kind int

// The kinds of id.
const (
	KindUnknown Kind = iota
	KindULID         // 26 lower-case characters; made by git-refs
	KindHex          // 12 lower-case hex digits; made by git-branch, or migrated from it
)

// HexLength is the length of an id of the git-branch backend.
const HexLength = 12

// RefPrefix is where the git-refs backend keeps one ref a checkpoint.
const RefPrefix = "refs/overturn/checkpoints/"

// BranchRef is the one branch of the git-branch backend.
const BranchRef = "refs/heads/overturn/checkpoints/v1"

// KindOf tells what kind of id s is; a spelling that is not exactly one of them,
// upper case included, is KindUnknown.
func KindOf(s string) Kind {
	if len(s) == HexLength && strings.Trim(s, "0123456789abcdef") == "" {
		return KindHex
	}
	if _, err := model.ParseID(s); err == nil {
		return KindULID
	}
	return KindUnknown
}

// Makes tells whether the backend of the given type makes ids of this kind: git-branch
// those of 12 hex digits, every other one ULIDs.
func Makes(backend string, id model.ID) bool {
	kind := KindOf(string(id))
	if backend == TypeBranch {
		return kind == KindHex
	}
	return kind == KindULID
}

// ParseID accepts an id of either kind (CodeUsage otherwise).
func ParseID(s string) (model.ID, error) {
	if KindOf(s) == KindUnknown {
		return "", model.Usagef("%q is not a checkpoint id", s).
			WithHint("ids are %d characters in lower case, older ones %d hex digits; `overturn checkpoint list` shows them", 26, HexLength)
	}
	return model.ID(s), nil
}

// RefName is the ref of a checkpoint in the git-refs backend. The shard is the
// last two characters: those of a ULID are random, its first ones are a clock.
func RefName(id model.ID) (string, error) {
	if _, err := ParseID(string(id)); err != nil {
		return "", err
	}
	return RefPrefix + id.Shard() + "/" + string(id), nil
}

// ParseRef is the strict inverse of RefName. It refuses (CodeUsage) another
// prefix, further path parts, a shard that is not the id's own, and every
// spelling of an id but the one that RefName uses.
func ParseRef(name string) (model.ID, error) {
	tail, ok := strings.CutPrefix(name, RefPrefix)
	shard, leaf, cut := strings.Cut(tail, "/")
	if !ok || !cut {
		return "", model.Usagef("%q is not the ref of a checkpoint", name)
	}
	id, err := ParseID(leaf)
	if err != nil {
		return "", model.Usagef("%q is not the ref of a checkpoint: its last part is not an id", name)
	}
	if shard != id.Shard() {
		return "", model.Usagef("%q is not the ref of a checkpoint: it lies in folder %q, not %q", name, shard, id.Shard())
	}
	return id, nil
}
