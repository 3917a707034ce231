package model

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"
)

// Clock tells the present time. Rooms are handed one; none reads the wall clock.
type Clock func() time.Time

// ThreadID names one conversation of one agent, as the agent spells it. It is
// at most MaxThreadID bytes long, so that its encoded form is a legal ref part.
type ThreadID string

// MaxThreadID is the longest thread id in bytes: base64url of it stays below the
// 255 bytes that file systems allow a name.
const MaxThreadID = 180

// ParseThreadID checks s and returns it as a thread id. It refuses the empty
// string, ids over MaxThreadID bytes, control bytes, and what is not UTF-8, which
// would not come back from JSON as it was (code CodeUsage).
func ParseThreadID(s string) (ThreadID, error) {
	switch {
	case s == "":
		return "", Usagef("a thread id must not be empty")
	case len(s) > MaxThreadID:
		return "", Usagef("thread id is %d bytes long; at most %d are allowed", len(s), MaxThreadID)
	case !utf8.ValidString(s):
		return "", Usagef("thread id %q is not UTF-8", s)
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7f {
			return "", Usagef("thread id %q holds a control byte", s)
		}
	}
	return ThreadID(s), nil
}

// Word is the id as one word of a command line that is shown to be typed.
func (t ThreadID) Word() string { return ShellWord(string(t)) }

// RefPart is the id in base64url without padding: how refs and file names spell it.
func (t ThreadID) RefPart() string {
	return base64.RawURLEncoding.EncodeToString([]byte(t))
}

// ThreadFromRefPart is the strict inverse of RefPart: a spelling that does not
// come back the same way (padding, stray bits, other alphabets) is refused.
func ThreadFromRefPart(part string) (ThreadID, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return "", Usagef("%q is not an encoded thread id", part)
	}
	id, err := ParseThreadID(string(raw))
	if err != nil {
		return "", err
	}
	if id.RefPart() != part {
		return "", Usagef("%q is not the one spelling of its thread id", part)
	}
	return id, nil
}

// ID is a ULID in lower case: of a checkpoint, a rollback or a safety snapshot.
// It sorts by time of creation.
type ID string

// ParseID accepts exactly 26 lower-case characters of a ULID.
func ParseID(s string) (ID, error) {
	if len(s) != ulid.EncodedSize || strings.ToLower(s) != s {
		return "", Usagef("%q is not an id: 26 characters in lower case are needed", s)
	}
	if _, err := ulid.ParseStrict(strings.ToUpper(s)); err != nil {
		return "", Usagef("%q is not an id: %v", s, err)
	}
	return ID(s), nil
}

// Shard is the last two characters: the folder of the id's ref.
func (id ID) Shard() string { return string(id[len(id)-2:]) }

// Time is the moment the id was made, to the millisecond.
func (id ID) Time() time.Time {
	u, err := ulid.ParseStrict(strings.ToUpper(string(id)))
	if err != nil {
		return time.Time{}
	}
	return ulid.Time(u.Time()).UTC()
}

// IDSource makes ids, each later than the one before. It is safe for use by
// several goroutines.
type IDSource struct {
	mu      sync.Mutex
	clock   Clock
	entropy *ulid.MonotonicEntropy
	random  io.Reader
	last    uint64 // the time of the newest id, in milliseconds
}

// NewIDSource draws times from clock and randomness from entropy.
func NewIDSource(clock Clock, entropy io.Reader) *IDSource {
	return &IDSource{clock: clock, entropy: ulid.Monotonic(entropy, 0), random: entropy}
}

// New returns a fresh id, or the error of the entropy source.
func (s *IDSource) New() (ID, error) { return s.After("") }

// After is New, and the id is later than that one too ("": than none), which another
// process may have made before the clock was set back.
func (s *IDSource) After(id ID) (ID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := max(ulid.Timestamp(s.clock()), s.last)
	if id != "" {
		before, err := ulid.ParseStrict(strings.ToUpper(string(id)))
		if err != nil {
			return "", Failf(err, "cannot make an id later than %q", id)
		}
		at = max(at, before.Time()+1)
	}
	u, err := ulid.New(at, s.entropy)
	if err != nil {
		return "", Failf(err, "cannot make an id")
	}
	s.last = at
	return ID(strings.ToLower(u.String())), nil
}

// HexBytes is how many random bytes an id of Hex has.
const HexBytes = 6

// Hex returns a fresh random id of 12 lower-case hex digits: how the git-branch
// backend of checkpoint records names them. It says nothing of the time.
func (s *IDSource) Hex() (ID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var raw [HexBytes]byte
	if _, err := io.ReadFull(s.random, raw[:]); err != nil {
		return "", Failf(err, "cannot make an id")
	}
	return ID(hex.EncodeToString(raw[:])), nil
}
