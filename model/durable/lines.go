package durable

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/model"
)

// AppendLine adds one line to the file; see AppendLines.
func AppendLine(path string, line []byte) error { return AppendLines(path, line) }

// AppendLines adds lines to the file, making it (mode 0600) when it is absent,
// and syncs: one write with O_APPEND under a lock on the file, so that lines of
// several processes do not mix. Where the last line was torn by a crash, the new ones begin behind it on a
// line of their own. A line with a newline inside is refused.
func AppendLines(path string, lines ...[]byte) error {
	for _, line := range lines {
		if bytes.IndexByte(line, '\n') >= 0 {
			return model.Errorf(model.CodeFailed, "a line for %s holds a newline", path)
		}
	}
	f, made, err := openAppend(path)
	if err != nil {
		return err
	}
	err = appendSynced(f, bytes.Join(lines, []byte{'\n'}))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && made {
		err = SyncDir(filepath.Dir(path))
	}
	return err
}

// openAppend says whether it made the file: then its name must be synced too.
func openAppend(path string) (f *os.File, made bool, err error) {
	Point("durable.openappend.open")
	f, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return f, err == nil, err
	}
	Point("durable.openappend.open")
	f, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|NoFollow, 0o600)
	return f, false, err
}

func appendSynced(f *os.File, lines []byte) error {
	// A write across two pages is seen half done by others: without the lock it
	// would be taken for a torn line. The lock ends with the file.
	if err := waitFlock(f); err != nil {
		return err
	}
	out := make([]byte, 0, len(lines)+2)
	torn, err := endsTorn(f)
	if err != nil {
		return err
	}
	if torn {
		out = append(out, '\n')
	}
	Point("durable.appendsynced.write")
	if _, err := f.Write(append(append(out, lines...), '\n')); err != nil {
		return err
	}
	Point("durable.appendsynced.sync")
	return f.Sync()
}

// endsTorn tells whether the last byte of a file that is not empty is no newline.
func endsTorn(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// ReadLines returns the lines of a file without their newlines; none when it is
// absent. A last line without a newline was torn by a crash, or is being written
// at this moment, and is left out. A torn line that was healed is returned as it
// is: readers skip what they cannot parse.
func ReadLines(path string) ([][]byte, error) {
	data, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return splitLines(data), nil
}

func splitLines(data []byte) [][]byte {
	end := bytes.LastIndexByte(data, '\n')
	if end < 0 {
		return nil
	}
	return bytes.Split(data[:end], []byte{'\n'})
}
