//go:build !(linux && amd64)

package faulttest

// Child does nothing where nothing can be watched.
func Child() {}
