//go:build system

package casebook_test

import "testing"

// TestCasebookTenRebases is E-02 as it is written: ten rebases of 50 commits.
func TestCasebookTenRebases(t *testing.T) { rebasesBesideRefresh(openBook(t), 10, 50) }
