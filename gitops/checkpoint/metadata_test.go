package checkpoint

import (
	"encoding/json"
	"testing"
	"time"

	"overturn/model"
)

// TestMetadataAsDeclared holds metadata.json against encoding/json: the bytes of a
// record are for ever.
func TestMetadataAsDeclared(t *testing.T) {
	at := time.Unix(9, 0).UTC()
	turn := model.Turn{Thread: "T", Number: 1, Prompt: "a <b>", Start: &model.Boundary{CapturedAt: at}, CompletedAt: &at,
		Files: []model.FileChange{{Path: "\xff"}}, LeftOut: []model.Noted{}, Effects: []model.Effect{}}
	got, err := encodeMetadata(&Record{Format: "refs-v1", Repository: "R", Turn: turn})
	want, wantErr := json.MarshalIndent(metadata{Schema, "refs-v1", "R", turnFields(turn)}, "", " ")
	if err != nil || wantErr != nil || string(got) != string(want)+"\n" {
		t.Errorf("metadata.json is\n%s\nwant\n%s\n(%v, %v)", got, want, err, wantErr)
	}
}
