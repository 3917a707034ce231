package objects

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"

	"overturn/model"
)

// newHash is the hash of the repository's object ids.
func (s *Store) newHash() hash.Hash {
	if s.repo.ObjectFormat == "sha256" {
		return sha256.New()
	}
	return sha1.New()
}

// header is what git hashes, and stores, before the bytes of an object.
func header(typ string, size int64) []byte {
	b := make([]byte, 0, 32)
	b = append(append(b, typ...), ' ')
	return append(strconv.AppendInt(b, size, 10), 0)
}

// Hash is the id that an object has in this repository; nothing is stored.
func (s *Store) Hash(typ string, data []byte) string {
	h := s.newHash()
	h.Write(header(typ, int64(len(data))))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// EmptyTree is the id of the empty tree in this repository.
func (s *Store) EmptyTree() string { return s.Hash(TypeTree, nil) }

// rawID turns an id into bytes and refuses what is none.
func (s *Store) rawID(oid string) ([]byte, error) {
	if !s.repo.IsOID(oid) {
		return nil, model.Usagef("%q is not an object id of this repository", oid)
	}
	return hex.DecodeString(oid)
}

// verify holds what was read against the id that was asked for.
func (s *Store) verify(oid, typ string, data []byte) error {
	if got := s.Hash(typ, data); got != oid {
		return damaged(oid, fmt.Errorf("its content has id %s", got))
	}
	return nil
}
