package patch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"overturn/model"
)

// NormTarget is one target of a plan with all that its part of the normalised
// patch is made of. Contents are raw bytes as on disk, of a link its text; ids are
// git's blob ids of those bytes, "" where nothing stands.
type NormTarget struct {
	Path        model.Path
	From, To    model.FileState // now and after; equal where nothing will be done
	FromID      string
	ToID        string
	FromContent []byte
	ToContent   []byte
	Conflict    bool // it is shown and cannot be carried out
	Index       *IndexChange
}

// IndexChange is an entry of the user's index that goes back with its file:
// stored modes and full ids, "" where there is no entry.
type IndexChange struct {
	FromMode, FromID string
	ToMode, ToID     string
}

// Normalised is the patch that a plan's fingerprint hashes. It opens with one line
// a target, which begins with '#' so that `git apply` passes over it:
//
//	# now KIND MODE SIZE SHA256 after KIND MODE SIZE SHA256[ index MODE ID MODE ID][ conflict] path PATH
//
// where SHA256, an index MODE and an index ID are "-" if there are none. A git patch follows
// with full ids, three lines of context, no renames, binaries by their ids; a path
// that changes its type is a deletion and a creation, as git writes it. Targets
// are taken in the order given.
func Normalised(targets []NormTarget) []byte {
	var b bytes.Buffer
	for _, t := range targets {
		writeTargetLine(&b, t)
	}
	parts := targetPatches(targets)
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	b.Grow(size)
	for _, part := range parts {
		b.Write(part)
	}
	return b.Bytes()
}

// targetPatches is the git patch of each target, worked out by all processors: a
// rollback works its plan out once more while somebody waits.
func targetPatches(targets []NormTarget) [][]byte {
	parts := make([][]byte, len(targets))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(targets)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(targets); i = int(next.Add(1)) - 1 {
				if !targets[i].Conflict {
					var b bytes.Buffer
					writeTarget(&b, targets[i])
					parts[i] = b.Bytes()
				}
			}
		})
	}
	group.Wait()
	return parts
}

func writeTargetLine(b *bytes.Buffer, t NormTarget) {
	b.WriteString("# now " + stateWords(t.From) + " after " + stateWords(t.To))
	if i := t.Index; i != nil {
		words := []string{" index", orDash(i.FromMode), orDash(i.FromID), orDash(i.ToMode), orDash(i.ToID)}
		b.WriteString(strings.Join(words, " "))
	}
	if t.Conflict {
		b.WriteString(" conflict")
	}
	b.WriteString(" path " + Quote(t.Path) + "\n")
}

func stateWords(s model.FileState) string {
	return strings.Join([]string{string(s.Kind), s.Mode, strconv.FormatInt(s.Size, 10), orDash(s.SHA256)}, " ")
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// writeTarget writes the git patch of one target. Writing into memory cannot fail.
func writeTarget(b *bytes.Buffer, t NormTarget) {
	zero := strings.Repeat("0", max(len(t.FromID), len(t.ToID)))
	oldMode, newMode := GitMode(t.From), GitMode(t.To)
	if oldMode != "" && newMode != "" && t.From.Kind != t.To.Kind {
		writeFile(b, FileHeader{Path: t.Path, OldMode: oldMode, OldID: t.FromID, NewID: zero}, t.FromContent, nil)
		writeFile(b, FileHeader{Path: t.Path, NewMode: newMode, OldID: zero, NewID: t.ToID}, nil, t.ToContent)
		return
	}
	h := FileHeader{Path: t.Path, OldMode: oldMode, NewMode: newMode, OldID: t.FromID, NewID: t.ToID}
	if h.OldMode == "" {
		h.OldID = zero
	}
	if h.NewMode == "" {
		h.NewID = zero
	}
	if h.OldMode != h.NewMode || h.OldID != h.NewID {
		writeFile(b, h, t.FromContent, t.ToContent)
	}
}

func writeFile(b *bytes.Buffer, h FileHeader, old, new []byte) {
	h.Binary = IsBinary(old) || IsBinary(new)
	var d *Diff
	if !h.Binary {
		d = Compare(old, new, Options{})
	}
	_ = Unified(b, h, d) // a bytes.Buffer takes every write
}

// GitMode is the mode git stores for a state: "100644", "100755", "120000", or ""
// where git stores no blob.
func GitMode(s model.FileState) string {
	switch s.Kind {
	case model.KindLink:
		return "120000"
	case model.KindFile:
		if perm, err := strconv.ParseUint(s.Mode, 8, 32); err == nil && perm&0o100 != 0 {
			return "100755"
		}
		return "100644"
	}
	return ""
}

// Fingerprint is the SHA-256 of a normalised patch, 64 hexadecimal digits in lower
// case: what `overturn plan --patch | sha256sum` prints.
func Fingerprint(patch []byte) string {
	sum := sha256.Sum256(patch)
	return hex.EncodeToString(sum[:])
}

// ParseFingerprint refuses what Fingerprint cannot have written (CodeUsage).
func ParseFingerprint(s string) error {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != sha256.Size || strings.ToLower(s) != s {
		return model.Usagef("%q is not a fingerprint", s).WithHint("a fingerprint is the 64 hexadecimal digits that `overturn plan` prints")
	}
	return nil
}
