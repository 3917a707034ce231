package rollback

import (
	"sync"
	"sync/atomic"
)

// readers is how many files are read at once: opening, reading and hashing small
// files is work for a processor, which a second one halves.
const readers = 4

// several calls f for 0 to n-1, a few at a time, until one fails; the error is that
// of the lowest number that failed.
func several(n int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(readers, n) {
		group.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = f(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
