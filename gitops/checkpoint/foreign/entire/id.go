package entire

import "strings"

// Where the records are. Ids are of two kinds: 12 hexadecimal digits in lower case, and
// ULIDs in upper case.
const (
	refPrefix    = "refs/entire/checkpoints/"
	branchPrefix = "refs/heads/"
	branch       = "entire/checkpoints/v1"
	oldBranch    = "entire/sessions/v1"

	hexLength  = 12
	ulidLength = 26
	shardSize  = 2
)

// ValidID tells whether s is the id of a checkpoint in its one spelling.
func ValidID(s string) bool {
	switch len(s) {
	case hexLength:
		return strings.Trim(s, "0123456789abcdef") == ""
	case ulidLength:
		const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
		return s[0] <= '7' && strings.Trim(s, crockford) == ""
	}
	return false
}

// idOfRef is the id in the name of a ref; false for another ref. The folder of a ULID may
// have the other letter case: where the file system knows no case it was there before.
func idOfRef(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, refPrefix)
	shard, id, parts := strings.Cut(rest, "/")
	if !ok || !parts || !ValidID(id) {
		return "", false
	}
	return id, strings.EqualFold(shard, id[len(id)-shardSize:])
}

// trailerKey names the checkpoint in the message of a commit.
const trailerKey = "Entire-Checkpoint"

// TrailerIDs are the checkpoints that a message names in its trailers, its last
// paragraph: a squash inherits several. Each is told once.
func TrailerIDs(message string) []string {
	var ids []string
	seen := map[string]bool{}
	for _, id := range trailers(message, trailerKey) {
		if ValidID(id) && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// trailers are the values of one key in the last paragraph of a message.
func trailers(message, key string) []string {
	message = strings.TrimRight(message, "\n")
	if at := strings.LastIndex(message, "\n\n"); at >= 0 {
		message = message[at+2:]
	}
	var values []string
	for line := range strings.Lines(message) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if value = strings.TrimSpace(value); ok && strings.EqualFold(name, key) && value != "" {
			values = append(values, value)
		}
	}
	return values
}
