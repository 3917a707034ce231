package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/model/jsonc"
)

// fileLimit bounds a settings file in bytes: it may come with a cloned repository.
const fileLimit = 1 << 20

// wire is a settings file. What is not named here belongs to others.
type wire struct {
	Capture *struct {
		MaxFileSize json.RawMessage `json:"max_file_size"`
		Anywhere    *bool           `json:"anywhere"`
	} `json:"capture"`
	Checkpoints json.RawMessage `json:"checkpoints"`
	Retention   *struct {
		Keep       *int    `json:"keep"`
		OlderThan  *string `json:"older_than"`
		Unreviewed *string `json:"unreviewed"`
	} `json:"retention"`
	Review *struct {
		Theme *string `json:"theme"`
		Mouse *bool   `json:"mouse"`
		Sync  *string `json:"sync"`
	} `json:"review"`
	Agents *struct {
		Tell *string `json:"tell"`
	} `json:"agents"`
	Redaction *struct {
		Patterns map[string]string `json:"patterns"`
		Allow    []string          `json:"allow"`
	} `json:"redaction"`
	Sharing *struct {
		Snapshots *bool `json:"snapshots"`
	} `json:"sharing"`
	Keys map[string]json.RawMessage `json:"keys"`
}

// block is "checkpoints" as it is written.
type block struct {
	Primary *backend  `json:"primary"`
	Mirrors []backend `json:"mirrors"`
	Remote  string    `json:"remote"`
}

type backend struct {
	Type string `json:"type"`
}

// file lays one file over what there is; nothing of a broken one is taken.
func (d *draft) file(layer source) error {
	data, err := readFile(layer.where)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	next := *d
	if err == nil {
		err = next.merge(data, layer)
	}
	if err != nil {
		return &model.Error{Code: model.CodeFailed, Message: "the settings file " + layer.where + " is broken", Hint: "correct it or remove it", Err: err}
	}
	*d = next
	return nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > fileLimit:
		return nil, fmt.Errorf("it is larger than %d bytes", fileLimit)
	}
	return os.ReadFile(path)
}

func (d *draft) merge(data []byte, layer source) error {
	var w wire
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	if err := jsonc.Unmarshal(data, &w); err != nil {
		return err
	}
	if w.Capture != nil && present(w.Capture.MaxFileSize) {
		size, err := parseWireSize(w.Capture.MaxFileSize)
		if err != nil {
			return fmt.Errorf("capture.max_file_size: %w", err)
		}
		d.size, d.sizeFrom = size, layer
	}
	if w.Capture != nil && w.Capture.Anywhere != nil {
		d.anywhere, d.anywhereFrom = *w.Capture.Anywhere, layer
	}
	if r := w.Retention; r != nil {
		for _, err := range []error{
			d.keep.take(layer, r.Keep, parseKeep), d.olderThan.take(layer, r.OlderThan, ParseAge), d.unreviewed.take(layer, r.Unreviewed, ParseAge),
		} {
			if err != nil {
				return fmt.Errorf("retention: %w", err)
			}
		}
	}
	if err := d.redaction.merge(w, layer); err != nil {
		return err
	}
	if layer.origin == OriginUser {
		d.sharing.merge(w, layer)
		if err := d.personal.merge(w, layer); err != nil {
			return err
		}
	}
	if !present(w.Checkpoints) {
		return nil
	}
	c, err := parseBlock(w.Checkpoints)
	if err != nil {
		return fmt.Errorf("checkpoints: %w", err)
	}
	d.checkpoints, d.blockFrom, d.mirrorsFrom, d.remoteFrom = c, layer, layer, layer
	return nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func parseBlock(raw json.RawMessage) (Checkpoints, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields() // a misspelt field must not silently choose another backend
	var b block
	if err := dec.Decode(&b); err != nil {
		return Checkpoints{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Checkpoints{}, errors.New("something follows the block")
	}
	c := Checkpoints{Remote: b.Remote}
	if b.Primary != nil {
		c.Primary = b.Primary.Type
	}
	for _, m := range b.Mirrors {
		c.Mirrors = append(c.Mirrors, m.Type)
	}
	return c, c.check()
}

func parseWireSize(raw json.RawMessage) (int64, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return ParseSize(text)
}

// ParseSize reads a number of bytes, or one with the unit k, m or g (1,024-fold;
// KiB, MB and the like are taken too). It must be more than 0.
func ParseSize(s string) (int64, error) {
	number := strings.TrimRight(strings.ToLower(strings.TrimSpace(s)), "kmgib")
	unit := strings.TrimSpace(strings.ToLower(strings.TrimSpace(s))[len(number):])
	shift := 0
	switch strings.TrimSuffix(strings.TrimSuffix(unit, "b"), "i") {
	case "":
	case "k":
		shift = 10
	case "m":
		shift = 20
	case "g":
		shift = 30
	default:
		return 0, fmt.Errorf("%q is not a size", s)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("%q is not a size", s)
	}
	return n << shift, nil
}
