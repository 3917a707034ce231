package durable

import (
	"os"

	"overturn/model"
)

// NoFollow has nothing to stand for here.
const NoFollow = 0

// noWait has nothing to say here: no name of the file system is a FIFO.
const noWait = 0

// tryFlock refuses: overturn writes nothing on Windows yet, and a lock that does
// not end with its holder would be worse than none.
func tryFlock(*os.File) error {
	return model.Errorf(model.CodeFailed, "locks are not supported on Windows").WithHint("use Linux, macOS or WSL")
}

func waitFlock(f *os.File) error { return tryFlock(f) }

// syncDir does nothing: Windows syncs names with the files.
func syncDir(*os.File) error { return nil }

func killSelf() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
}
