package worktree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"overturn/model"
)

// StateOf is the state that writing c leaves: what State will read back. A
// link's mode is git's "120000", since a link has no permissions of its own.
func StateOf(c Content) model.FileState {
	sum := sha256.Sum256(c.Data)
	mode := "120000"
	if c.Kind == model.KindFile {
		mode = fmt.Sprintf("%06o", 0o100000|c.Perm&0o777)
	}
	return model.FileState{Kind: c.Kind, Mode: mode, Size: int64(len(c.Data)), SHA256: hex.EncodeToString(sum[:])}
}
