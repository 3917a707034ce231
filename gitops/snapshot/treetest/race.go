//go:build unix && race

package treetest

// atMost is how many seeds are tried: the race detector makes each ten times as slow,
// and looks at goroutines, not at trees.
const atMost = 32
