//go:build !unix

package snapshot

import (
	"os"

	"overturn/model"
)

type root struct{ path string }

type at struct{}

func unsupported() error {
	return model.Errorf(model.CodeFailed, "captures are not supported on this system").WithHint("use Linux or macOS")
}

func openRoot(string) (*root, error)                            { return nil, unsupported() }
func (r *root) close()                                          {}
func (r *root) top() at                                         { return at{} }
func (a at) lstat([]byte, *fileStat) outcome                    { return failed }
func (a at) enter([]byte) (at, bool)                            { return a, false }
func (a at) leave()                                             {}
func (r *root) lstatPath(string, *fileStat) outcome             { return failed }
func (r *root) readlink(string) ([]byte, error)                 { return nil, unsupported() }
func (r *root) list(string, []byte, []dirent) ([]dirent, error) { return nil, unsupported() }
func (r *root) readFile(string, int64, []byte) ([]byte, fileStat, error) {
	return nil, fileStat{}, unsupported()
}
func stampOf(string) (fileStat, bool)                { return fileStat{}, false }
func fileClock(string) (now, grain int64, err error) { return 0, 0, unsupported() }
func mapFile(*os.File, int) ([]byte, func(), error)  { return nil, nil, unsupported() }
func classify(error) outcome                         { return failed }
func isVanished(error) bool                          { return false }
