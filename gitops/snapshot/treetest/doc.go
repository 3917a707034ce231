// Package treetest makes ugly work trees: random files of every kind that git
// and file systems know, then random edits of them, all from one seed. Tests hold
// captures against git on what it makes, and Counts says that nothing was left
// out by chance.
package treetest
