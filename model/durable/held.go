package durable

import (
	"errors"
	"io/fs"
	"os"
)

// Held tells whether the lock at path is held just now, and by whom it says. It
// changes nothing: not the file's bytes, nor who holds it. A lock without a file is
// free.
func Held(path string) (Holder, bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Holder{}, false, nil
	}
	if err != nil {
		return Holder{}, false, err
	}
	defer f.Close()
	free, err := Hold(f) // given back with the file
	if err != nil || free {
		return Holder{}, false, err
	}
	who, err := ReadHolder(path)
	if err != nil { // it was taken a moment ago and does not name itself yet
		return Holder{}, true, nil
	}
	return who, true, nil
}
