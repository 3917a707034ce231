//go:build unix && !race

package treetest

// atMost is how many seeds are tried: all.
const atMost = 1 << 32
