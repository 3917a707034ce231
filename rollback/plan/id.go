package plan

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"overturn/model"
)

// BlobID is git's id of a version's bytes in a repository of the given object
// format ("sha1" or "sha256"), "" where nothing stands.
func BlobID(format string, v Version) string {
	if v.State.Kind != model.KindFile && v.State.Kind != model.KindLink {
		return ""
	}
	var h hash.Hash
	if format == "sha256" {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	h.Write([]byte("blob " + strconv.Itoa(len(v.Content)) + "\x00"))
	h.Write(v.Content)
	return hex.EncodeToString(h.Sum(nil))
}
