package outgoing

import (
	"bytes"
	"path"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/remotes/redact"
)

// redacted takes secrets out of a file of a record, by what kind of file it is.
func redacted(r *redact.Redactor, at string, data []byte) ([]byte, []redact.Finding) {
	name := path.Base(at)
	switch ext := path.Ext(name); {
	case name == checkpoint.FileChanges:
		return changes(r, data)
	case ext == ".json" || ext == ".jsonl":
		return r.JSON(data)
	case bytes.IndexByte(data, 0) >= 0:
		return []byte(withheldText), []redact.Finding{{Rule: ruleBinary, Line: 1, End: len(data)}}
	}
	return r.Text(data)
}

// What stands in the place of a file that nobody can look into.
const (
	ruleBinary   = "blob"
	withheldText = "[redacted:" + ruleBinary + "]\n"
)

// withheld is what leaves in the place of what is no file.
func (w *work) withheld(oid, at string) (string, error) {
	w.found(at, []redact.Finding{{Rule: ruleBinary, Line: 1, End: len(oid)}})
	return w.r.writer.Write(objects.TypeBlob, []byte(withheldText))
}

// changes redacts the paths of raw changes, which stand between zero bytes behind the
// modes and ids of theirs.
func changes(r *redact.Redactor, data []byte) ([]byte, []redact.Finding) {
	var out bytes.Buffer
	var found []redact.Finding
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], 0)
		if end < 0 {
			end = len(data) - at
		}
		field := data[at : at+end]
		if len(field) > 0 && field[0] != ':' {
			clean, list := r.Text(field)
			for _, f := range list {
				found = append(found, redact.Finding{Rule: f.Rule, Line: 1, Start: at + f.Start, End: at + f.End})
			}
			field = clean
		}
		out.Write(field)
		if at += end; at < len(data) {
			out.WriteByte(0)
			at++
		}
	}
	return out.Bytes(), found
}
