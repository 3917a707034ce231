package durable

import "os"

// ownLike has nothing to do: who may read a file is its folder's to say.
func ownLike(*os.File, string) error { return nil }
