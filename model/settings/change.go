package settings

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"overturn/model/jsonc"
)

// Changed is the text of a settings file of a layer with a value at the setting d. It
// is refused where the file would be broken afterwards, or the layer cannot set it.
func Changed(data []byte, layer Origin, d Definition, value any) ([]byte, error) {
	if d.Personal && layer != OriginUser {
		return nil, fmt.Errorf("%s is personal: only the user's own file sets it", d.Key)
	}
	text, err := jsonc.Set(data, d.Path, value)
	if err != nil {
		return nil, err
	}
	if err = Check(text, layer); err != nil && d.Path[0] == "checkpoints" {
		err = fmt.Errorf("%w (the block stands for itself in each file: checkpoints.primary is set first)", err)
	}
	return text, err
}

// Without is the text of a settings file of a layer without the setting d; found tells
// whether it was set there.
func Without(data []byte, layer Origin, d Definition) (text []byte, found bool, err error) {
	text, found, err = jsonc.Remove(data, d.Path)
	if err != nil || !found {
		return data, found, err
	}
	return text, true, Check(text, layer)
}

// Empty tells whether a settings file sets nothing and says nothing: a comment is kept.
func Empty(text []byte) bool {
	bare := bytes.Join(bytes.Fields(text), nil)
	return len(bare) == 0 || string(bare) == "{}"
}

// Check tells what is wrong with the text of a settings file of a layer, nil when
// nothing is. An empty file is as good as none.
func Check(text []byte, layer Origin) error {
	if len(text) > fileLimit {
		return fmt.Errorf("it is larger than %d bytes", fileLimit)
	}
	d := draft{personal: defaultReview()}
	return d.merge(text, source{origin: layer})
}

// FileOf is the file of a layer among those of Files.
func FileOf(root, userDir string, layer Origin) (string, error) {
	for _, f := range Files(root, userDir) {
		if f.Origin == layer {
			return filepath.Clean(f.Path), nil
		}
	}
	if layer == OriginUser {
		return "", errors.New("the environment names no folder for the user's settings")
	}
	return "", errors.New("there is no repository here")
}
