package ledger

import "overturn/gitops/objects"

// drop lets go of what a writer holds.
func drop(w *objects.Writer) {
	if d, ok := any(w).(interface{ Discard() }); ok {
		d.Discard()
	}
}
