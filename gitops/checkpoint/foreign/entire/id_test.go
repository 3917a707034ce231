package entire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Facts: entire.md, 1.2 and 1.3.
func TestIDs(t *testing.T) {
	for name, want := range map[string]string{
		"refs/entire/checkpoints/f6/a1b2c3d4e5f6":               "a1b2c3d4e5f6",
		"refs/entire/checkpoints/ZN/01KVBJCWYA4YW6J5M9GP655HZN": "01KVBJCWYA4YW6J5M9GP655HZN",
		"refs/entire/checkpoints/zn/01KVBJCWYA4YW6J5M9GP655HZN": "01KVBJCWYA4YW6J5M9GP655HZN", // a file system without case
		"refs/entire/checkpoints/F6/A1B2C3D4E5F6":               "",
		"refs/entire/checkpoints/a1/a1b2c3d4e5f6":               "",
		"refs/entire/checkpoints/f6/a1b2c3d4e5f6/x":             "",
		"refs/entire/checkpoints/f6":                            "",
		"refs/entire/checkpoints/f6/":                           "",
		"refs/entire/checkpoints/ZN/81KVBJCWYA4YW6J5M9GP655HZN": "", // past the last time of a ULID
		"refs/entire/checkpoints/ZN/01KVBJCWYA4YW6J5M9GP65IHZN": "", // I is no digit
		"refs/heads/entire/checkpoints/v1":                      "",
	} {
		if id, ok := idOfRef(name); ok != (want != "") || ok && id != want {
			t.Errorf("%s: %q, %v", name, id, ok)
		}
	}
}

func TestTrailers(t *testing.T) {
	const hex, ulid = "a1b2c3d4e5f6", "01KVBJCWYA4YW6J5M9GP655HZN"
	for message, want := range map[string][]string{
		"subject\n\nEntire-Checkpoint: " + hex + "\n":                                                    {hex},
		"subject\n\nbody\n\nSigned-off-by: x\nEntire-Checkpoint: " + hex + "\nentire-checkpoint:" + ulid: {hex, ulid},
		"subject\n\nEntire-Checkpoint: " + hex + "\nEntire-Checkpoint: " + hex + "\n\n\n":                {hex},
		"subject\n\nEntire-Checkpoint: " + hex + "\n\nnot the last paragraph\n":                          nil,
		"subject\n\nEntire-Checkpoint: HEX\nEntire-Checkpoint\n":                                         nil,
		"": nil,
	} {
		if got := TrailerIDs(message); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", message, got, want)
		}
	}
}

// FuzzTrailers: what comes out is ids, each once, that stand in the message.
func FuzzTrailers(f *testing.F) {
	f.Add("subject\n\nEntire-Checkpoint: a1b2c3d4e5f6\n")
	f.Fuzz(func(t *testing.T, message string) {
		ids := TrailerIDs(message)
		for i, id := range ids {
			if !ValidID(id) || !strings.Contains(message, id) || slices.Contains(ids[:i], id) {
				t.Errorf("%q of %q", id, message)
			}
		}
	})
}

// FuzzMetadata: any JSON is read, fields of other types are empty, paths are such.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"session_id":"x","files_touched":["a","../b",3],"agent":{},"created_at":7}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m meta
		if json.Unmarshal(data, &m) != nil {
			return
		}
		for _, p := range m.files() {
			if p == "" || strings.HasPrefix(string(p), "/") || strings.Contains("/"+string(p)+"/", "/../") {
				t.Errorf("%q is no path of a file", p)
			}
		}
	})
}
