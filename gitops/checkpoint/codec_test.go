package checkpoint_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

func sample() *checkpoint.Record {
	return &checkpoint.Record{
		Format: checkpoint.FormatRefs,
		Turn: model.Turn{
			Thread: "t", Number: 2, Checkpoint: "01kvbjcwya4yw6j5m9gp655hzn", Prompt: "do it", State: model.TurnFailed, Status: model.StatusMissing,
			Effects: []model.Effect{{Domain: model.DomainNetwork, Summary: "curl"}},
		},
		Evidence: []byte("{}\n"),
	}
}

func TestMetadataIsATurn(t *testing.T) {
	files, err := checkpoint.Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(files["metadata.json"], &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"schema": "overturn.checkpoint/1", "format": "refs-v1", "thread": "t", "turn": 2.0, "prompt": "do it",
		"state": "failed", "status": "missing", "checkpoint": "01kvbjcwya4yw6j5m9gp655hzn", "files": nil,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	if string(files["prompt.txt"]) != "do it" || files["changes"] != nil {
		t.Errorf("files are %q", files)
	}
	again, err := checkpoint.Encode(sample())
	if err != nil || !maps.EqualFunc(files, again, bytes.Equal) {
		t.Errorf("the same record gave other bytes (%v)", err)
	}
}

func TestUnknownFieldsSurvive(t *testing.T) {
	rec := sample()
	files, err := checkpoint.Encode(rec)
	if err != nil {
		t.Fatal(err)
	}
	files["metadata.json"] = bytes.Replace(files["metadata.json"], []byte("{"), []byte(`{"zz_new":{"deep":[1,2]},"aa_new":"<é>",`), 1)
	back, err := checkpoint.Decode(rec.ID(), files)
	if err != nil {
		t.Fatal(err)
	}
	back.Turn.MessageID = "changed"
	files, err = checkpoint.Encode(back)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(files["metadata.json"], &got); err != nil {
		t.Fatalf("%v in %s", err, files["metadata.json"])
	}
	if got["aa_new"] != "<é>" || got["message_id"] != "changed" || len(got["zz_new"].(map[string]any)["deep"].([]any)) != 2 {
		t.Errorf("metadata is %s", files["metadata.json"])
	}
}

func TestDamagedRecords(t *testing.T) {
	for name, breakIt := range map[string]func(map[string][]byte){
		"no metadata": func(f map[string][]byte) { delete(f, "metadata.json") },
		"not JSON":    func(f map[string][]byte) { f["metadata.json"] = []byte("{") },
		"wrong type": func(f map[string][]byte) {
			f["metadata.json"] = []byte(`{"schema":"overturn.checkpoint/1","turn":"x"}`)
		},
		"other schema": func(f map[string][]byte) {
			f["metadata.json"] = bytes.Replace(f["metadata.json"], []byte("checkpoint/1"), []byte("checkpoint/9"), 1)
		},
		"other id": func(f map[string][]byte) {
			f["metadata.json"] = bytes.Replace(f["metadata.json"], []byte("hzn"), []byte("hzm"), 1)
		},
		"no thread": func(f map[string][]byte) {
			f["metadata.json"] = bytes.Replace(f["metadata.json"], []byte(`"t"`), []byte(`""`), 1)
		},
		"turn 0": func(f map[string][]byte) {
			f["metadata.json"] = bytes.Replace(f["metadata.json"], []byte(`"turn": 2`), []byte(`"turn": 0`), 1)
		},
		"bad effects": func(f map[string][]byte) { f["effects.json"] = []byte("{}") },
	} {
		rec := sample()
		files, err := checkpoint.Encode(rec)
		if err != nil {
			t.Fatal(err)
		}
		breakIt(files)
		if _, err := checkpoint.Decode(rec.ID(), files); err == nil || !strings.Contains(err.Error(), string(rec.ID())) || model.HintOf(err) == "" || !errors.Is(err, checkpoint.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	files, err := checkpoint.Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(files["metadata.json"], files["effects.json"], []byte("p"))
	f.Add([]byte(`{"schema":"overturn.checkpoint/1"}`), []byte("null"), []byte(nil))
	f.Fuzz(func(t *testing.T, meta, effects, prompt []byte) {
		rec, err := checkpoint.Decode("01kvbjcwya4yw6j5m9gp655hzn", map[string][]byte{"metadata.json": meta, "effects.json": effects, "prompt.txt": prompt})
		if err != nil {
			return
		}
		first, err := checkpoint.Encode(rec)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		back, err := checkpoint.Decode(rec.ID(), first)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first["metadata.json"])
		}
		second, err := checkpoint.Encode(back)
		if err != nil || !maps.EqualFunc(first, second, bytes.Equal) {
			t.Fatalf("not stable (%v)\n%s\n%s", err, first["metadata.json"], second["metadata.json"])
		}
	})
}
