package view

import "overturn/model"

// Drift is a path in which a plan differs from the one that was reviewed.
type Drift struct {
	Path  model.Path
	Words string   // what is different: "edited since", "clean → conflict"
	Lines []string // what changed in what stands there, each with its sign; nil where that is not known
	Cut   int      // lines that are left out of Lines
}
