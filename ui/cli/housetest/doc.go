// Package housetest is for tests alone: overturn as the guest in a hostile house.
//
// A template is made once: a repository with a submodule, a nested repository, a
// linked work tree, a branch ahead of its upstream, uncommitted work and recorded
// turns. A house is the template at the same place with traps set in it: settings
// of git at every level, variables, hooks, programs of the user's. Each trap that
// is a program leaves a marker when it runs. In every house the real binary is
// taken through every verb; what it prints must be what it prints in the clean
// house, byte for byte but for the ids and times of that run, and no marker may
// appear.
//
// Nothing is kept: all lies in the temporary folder of the test.
package housetest
