package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"overturn/model"
	"overturn/model/wire"
)

type rawJSON = json.RawMessage

// The files of a record.
const (
	FileMetadata    = "metadata.json"
	FilePrompt      = "prompt.txt"
	FileEvidence    = "evidence.jsonl"
	FileEffects     = "effects.json"
	FileChanges     = "changes"
	FileTranscript  = "transcript.jsonl"
	FileAttribution = "attribution.json"
)

// FileNames lists the files of a record, in tree order.
func FileNames() []string {
	return []string{FileAttribution, FileChanges, FileEffects, FileEvidence, FileMetadata, FilePrompt, FileTranscript}
}

type metadata struct {
	Schema string `json:"schema"`
	Format string `json:"format"`

	Repository string `json:"repository,omitempty"`
	turnFields
}

// turnFields is a Turn by its fields alone: methods of an embedded Turn would
// speak for the whole of metadata.
type turnFields model.Turn

// Encode returns the files of a record by name, the same bytes for the same
// record. What is empty has no file, metadata.json apart: each file is an object
// that a hook has to store. A record without a valid id or thread is refused.
func Encode(r *Record) (map[string][]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	meta, err := encodeMetadata(r)
	if err != nil {
		return nil, model.Failf(err, "cannot write checkpoint %s", r.ID())
	}
	files := map[string][]byte{FileMetadata: meta}
	if len(r.Turn.Effects) > 0 {
		w := wire.Indented()
		model.WriteEffects(w, "", r.Turn.Effects)
		files[FileEffects] = append(w.Bytes(), '\n')
	}
	if r.Attribution != nil {
		data, err := json.MarshalIndent(r.Attribution, "", " ")
		if err != nil {
			return nil, model.Failf(err, "cannot write checkpoint %s", r.ID())
		}
		files[FileAttribution] = append(data, '\n')
	}
	for name, data := range map[string][]byte{FilePrompt: []byte(r.Turn.Prompt), FileEvidence: r.Evidence, FileChanges: r.Changes, FileTranscript: r.Transcript} {
		if len(data) > 0 {
			files[name] = data
		}
	}
	return files, nil
}

// encodeMetadata puts the fields that this version does not know behind those it
// does, by name.
func encodeMetadata(r *Record) ([]byte, error) {
	w := wire.Indented()
	w.Open("")
	w.Text("schema", Schema)
	w.Text("format", r.Format)
	if r.Repository != "" {
		w.Text("repository", r.Repository)
	}
	r.Turn.WriteFields(w)
	w.Close()
	known := w.Bytes()
	if len(r.unknown) == 0 {
		return append(known, '\n'), nil
	}
	out := bytes.NewBuffer(bytes.TrimSuffix(known, []byte("\n}")))
	for _, name := range slices.Sorted(maps.Keys(r.unknown)) {
		key, _ := json.Marshal(name)
		out.WriteString(",\n ")
		out.Write(key)
		out.WriteString(": ")
		if err := json.Indent(out, r.unknown[name], " ", " "); err != nil {
			return nil, err
		}
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}

// Decode reads the files of record id. What is damaged is named; a file other
// than metadata.json that is absent is empty.
func Decode(id model.ID, files map[string][]byte) (*Record, error) {
	raw, ok := files[FileMetadata]
	if !ok {
		return nil, damaged(id, FileMetadata, "it is not there", nil)
	}
	var fields map[string]rawJSON
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, damaged(id, FileMetadata, "it is not JSON", err)
	}
	var meta metadata
	if err := json.Unmarshal(raw, &meta); err != nil {
		return nil, damaged(id, FileMetadata, "a field has another type than it should", err)
	}
	if meta.Schema != Schema {
		return nil, damaged(id, FileMetadata, "its schema is "+quoted(meta.Schema)+", not "+quoted(Schema), nil)
	}
	rec := &Record{
		Format: meta.Format, Repository: meta.Repository, Turn: model.Turn(meta.turnFields),
		Evidence: files[FileEvidence], Changes: files[FileChanges], Transcript: files[FileTranscript],
	}
	if rec.ID() != id {
		return nil, damaged(id, FileMetadata, "it names checkpoint "+quoted(string(rec.ID())), nil)
	}
	if err := rec.check(); err != nil {
		return nil, damaged(id, FileMetadata, "it does not make sense", err)
	}
	if err := rec.readBeside(files); err != nil {
		return nil, err
	}
	rec.unknown = unknownFields(fields)
	return rec, nil
}

// readBeside takes the files that repeat a field in a form of their own; they
// are what redaction rewrites, so they win.
func (r *Record) readBeside(files map[string][]byte) error {
	if prompt, ok := files[FilePrompt]; ok {
		r.Turn.Prompt = string(prompt)
	}
	if raw, ok := files[FileEffects]; ok {
		r.Turn.Effects = nil
		if err := json.Unmarshal(raw, &r.Turn.Effects); err != nil {
			return damaged(r.ID(), FileEffects, "it is not a list of effects", err)
		}
	}
	if raw, ok := files[FileAttribution]; ok {
		if err := json.Unmarshal(raw, &r.Attribution); err != nil {
			return damaged(r.ID(), FileAttribution, "it is not an attribution", err)
		}
	}
	return nil
}

func unknownFields(fields map[string]rawJSON) map[string]rawJSON {
	known, _ := json.Marshal(metadata{Repository: "any"}) // else it is left out
	var names map[string]rawJSON
	_ = json.Unmarshal(known, &names)
	for name := range names {
		delete(fields, name)
	}
	return fields
}

func (r *Record) check() error {
	if _, err := ParseID(string(r.ID())); err != nil {
		return err
	}
	if _, err := model.ParseThreadID(string(r.Turn.Thread)); err != nil {
		return err
	}
	if r.Turn.Number < 1 {
		return model.Usagef("turn %d of checkpoint %s is not a turn", r.Turn.Number, r.ID())
	}
	if r.Format == "" {
		return model.Usagef("checkpoint %s has no format", r.ID())
	}
	return nil
}

func damaged(id model.ID, file, what string, cause error) error {
	message := fmt.Sprintf("checkpoint %s is damaged: %s", id, file)
	if cause == nil {
		cause = errors.New(what)
	} else {
		message += ": " + what
	}
	e := &model.Error{Code: model.CodeFailed, Message: message, Err: &corrupt{cause}}
	return e.WithHint("the snapshots of the turn are apart from its record and may still be whole: `overturn show N`")
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
