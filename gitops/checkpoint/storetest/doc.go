// Package storetest is the contract that every checkpoint store passes: Run
// holds a store, on a real repository, against what checkpoint.Store says.
package storetest
