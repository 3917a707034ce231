package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"overturn/model"
)

// Fields are the members of a payload's JSON object. Members that stand whole
// before a break are kept, so that a torn payload still tells whose it is.
type Fields struct {
	members map[string]json.RawMessage
	wrong   *string // first member whose type is not the one asked for; shared with inner objects
}

// byteOrderMark begins each payload of Cursor, in UTF-8.
const byteOrderMark = "\xEF\xBB\xBF"

// ParseFields reads one JSON object. The fields are usable with an error too.
func ParseFields(p Payload) (*Fields, error) {
	f := &Fields{members: map[string]json.RawMessage{}, wrong: new(string)}
	if len(bytes.TrimSpace(p.Raw)) == 0 {
		return f, model.Errorf(model.CodeFailed, "the hook's payload is empty")
	}
	err := f.read(json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(p.Raw, []byte(byteOrderMark)))))
	switch {
	case p.Truncated:
		return f, model.Errorf(model.CodeFailed, "the hook's payload is too long or did not end in time (%d bytes were read)", len(p.Raw))
	case err != nil:
		return f, &model.Error{Code: model.CodeFailed, Message: "the hook's payload is not a JSON object", Err: err}
	}
	return f, nil
}

func (f *Fields) read(dec *json.Decoder) error {
	open, err := dec.Token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return errors.New("it does not start with {")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return errors.New("a member has no name")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		f.members[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// String is the member as text; "" when it is absent or null. Another type is
// remembered for Err.
func (f *Fields) String(name string) string {
	var s string
	f.into(name, &s)
	return s
}

// Bool is the member as a truth value; false when absent.
func (f *Fields) Bool(name string) bool {
	var b bool
	f.into(name, &b)
	return b
}

// Int is the member as a whole number; 0 when absent.
func (f *Fields) Int(name string) int64 {
	var n int64
	f.into(name, &n)
	return n
}

// Strings is the member as a list of texts; a single text is a list of one.
func (f *Fields) Strings(name string) []string {
	raw := f.members[name]
	if len(raw) > 0 && raw[0] == '"' {
		return []string{f.String(name)}
	}
	var list []string
	f.into(name, &list)
	return list
}

// Filled tells whether the member is a list or an object that holds something.
func (f *Fields) Filled(name string) bool {
	var list []json.RawMessage
	if raw := f.members[name]; len(raw) > 0 && raw[0] == '{' {
		return len(f.Object(name).members) > 0
	}
	f.into(name, &list)
	return len(list) > 0
}

// Object is the member as an object; an empty one when it is absent or of
// another type.
func (f *Fields) Object(name string) *Fields {
	inner := &Fields{wrong: f.wrong}
	f.into(name, &inner.members)
	if inner.members == nil {
		inner.members = map[string]json.RawMessage{}
	}
	return inner
}

func (f *Fields) into(name string, target any) {
	raw, ok := f.members[name]
	if !ok {
		return
	}
	if err := json.Unmarshal(raw, target); err != nil && *f.wrong == "" {
		*f.wrong = name
	}
}

// Err says which member had a type that nobody expected, or nil.
func (f *Fields) Err() error {
	if *f.wrong == "" {
		return nil
	}
	return model.Errorf(model.CodeFailed, "the hook's payload has an unexpected type at %q", *f.wrong)
}

// Thread reads the member as a thread id; one that is no legal id is an error,
// an absent one too.
func (f *Fields) Thread(name string) (model.ThreadID, error) {
	id, err := model.ParseThreadID(f.String(name))
	if err != nil {
		return "", &model.Error{Code: model.CodeFailed, Message: "the hook's payload names no usable session in " + name, Err: err}
	}
	return id, nil
}

// FirstError returns the first of the errors that is not nil.
func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
