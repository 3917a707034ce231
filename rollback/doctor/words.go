package doctor

import (
	"strconv"

	"overturn/model"
)

func itoa(n int) string { return strconv.Itoa(n) }

// join is the path of a name in a folder of the work tree, "" being its root.
func join(folder model.Path, name string) model.Path {
	if folder == "" {
		return model.Path(name)
	}
	return folder + "/" + model.Path(name)
}
