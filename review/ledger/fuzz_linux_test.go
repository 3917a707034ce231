package ledger

import "testing"

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("12 (a) b) c) S 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 777 22"))
	f.Add([]byte("12 (x) Z 3"))
	f.Add([]byte(") ("))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if info, state := parseStat(raw); state == processPresent && info.started == "" {
			t.Fatalf("present without a start: %q", raw)
		}
	})
}

func TestParseStat(t *testing.T) {
	info, state := parseStat([]byte("12 (a) b) c) S 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 777 22"))
	if state != processPresent || info.name != "a) b) c" || info.parent != 3 || info.started != "777" {
		t.Errorf("%+v %v", info, state)
	}
}
